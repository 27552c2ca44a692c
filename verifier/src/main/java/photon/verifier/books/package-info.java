/**
 * The books (docs/protocol.md section 8): what became of every foreign event, read back from files
 * after a run and never from counters.
 *
 * <p>Start at {@link photon.verifier.books.Bookkeeper}, which reads the foreign logs, and each
 * datacenter's {@link photon.verifier.books.DatacenterRecords}, into one {@link
 * photon.verifier.books.Accounts}; that says which account an identity counts under. {@link
 * photon.verifier.books.ReportWriter} leaves what an independent auditor needs.
 */
@NullMarked
package photon.verifier.books;

import org.jspecify.annotations.NullMarked;
