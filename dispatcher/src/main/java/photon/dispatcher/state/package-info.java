/**
 * How a dispatcher stands, and where its durable state lies: for its own parts and for those who
 * look at it from outside.
 */
@NullMarked
package photon.dispatcher.state;

import org.jspecify.annotations.NullMarked;
