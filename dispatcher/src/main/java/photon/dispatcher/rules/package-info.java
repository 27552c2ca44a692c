/**
 * What a dispatcher decides, and nothing of what it does: whose turn an event is ({@link
 * photon.dispatcher.rules.Stagger}), whether a lookup settles it ({@link
 * photon.dispatcher.rules.LocalLookupRule}), what follows from a joiner's answer ({@link
 * photon.dispatcher.rules.RetryPolicy}), how fast to send ({@link
 * photon.dispatcher.rules.SenderPace}), how far a file is done ({@link
 * photon.dispatcher.rules.OffsetTracker}).
 *
 * <p>Plain classes: time and randomness are arguments. Nothing here may know files, calls or
 * threads.
 */
@NullMarked
package photon.dispatcher.rules;

import org.jspecify.annotations.NullMarked;
