/** Decisions about the reading of logs: pure functions of what is known, without files or time. */
@NullMarked
package photon.storage.tail.rules;

import org.jspecify.annotations.NullMarked;
