/**
 * How far the boundary below which ids are refused and dropped may move, by what servers tell of
 * their clocks (docs/protocol.md section 5). Decides only: {@code server.boundary.BoundaryAdvancer}
 * asks the servers and moves it.
 */
@NullMarked
package photon.idregistry.boundary;

import org.jspecify.annotations.NullMarked;
