/** The settings of a registry server, and what follows from them. Knows no other part of it. */
@NullMarked
package photon.idregistry.server.config;

import org.jspecify.annotations.NullMarked;
