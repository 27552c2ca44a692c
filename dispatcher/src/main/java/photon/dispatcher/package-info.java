/**
 * The dispatcher: reads the foreign logs of its datacenter and sees every event through to its end.
 * Start at {@link photon.dispatcher.DispatcherServer}; how events flow is in {@code
 * photon.dispatcher.flow}, what is decided about them in {@code photon.dispatcher.rules}.
 */
@NullMarked
package photon.dispatcher;

import org.jspecify.annotations.NullMarked;
