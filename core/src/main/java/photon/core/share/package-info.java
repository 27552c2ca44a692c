/**
 * Which of a datacenter's event stores keep a primary event: known to those that keep it and to
 * those that look it up, so that nobody needs to be asked.
 */
@NullMarked
package photon.core.share;

import org.jspecify.annotations.NullMarked;
