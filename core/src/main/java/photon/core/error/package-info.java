/**
 * Three kinds of trouble: an answer nobody likes is an enum value; a failure is an exception named
 * for what the caller now knows; a bug is a failed {@link photon.core.error.Checks#check}, which
 * ends at the one {@link photon.core.error.BugHandler}.
 */
@NullMarked
package photon.core.error;

import org.jspecify.annotations.NullMarked;
