/** Sends traces of events to a collector, by OpenTelemetry's protocol. */
@NullMarked
package photon.server.trace;

import org.jspecify.annotations.NullMarked;
