/** Append-only accounts of what was not joined: bad records, dead letters, skips. */
@NullMarked
package photon.storage.ledger;

import org.jspecify.annotations.NullMarked;
