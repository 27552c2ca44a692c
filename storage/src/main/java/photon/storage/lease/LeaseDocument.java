package photon.storage.lease;

import java.io.IOException;
import java.util.Optional;
import photon.storage.document.VersionedDocument;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;

/**
 * The versioned document {@code lease} in a directory: taking, renewing and giving back are each a
 * compare-and-set on the version that was seen last. Not thread-safe; other processes may write it.
 */
public final class LeaseDocument {
    private static final String NAME = "lease";

    private final FileStore files;
    private final String directory;
    private final VersionedDocument document;

    /**
     * @param directory made by the first who takes the lease
     */
    public LeaseDocument(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
        this.document = new VersionedDocument(files, directory, NAME);
    }

    /**
     * What was seen.
     *
     * @param version 0: there was none
     * @param lease empty: nobody has ever taken it
     */
    public record Standing(long version, Optional<Lease> lease) {
        /** This taking is the newest, and its holder has not given it back. */
        public boolean isHeldBy(long number) {
            return lease.filter(l -> l.number() == number && !l.released()).isPresent();
        }
    }

    public Standing read() throws IOException {
        Optional<VersionedDocument.Version> version = document.read();
        return version.isEmpty()
                ? new Standing(0, Optional.empty())
                : new Standing(
                        version.get().number(), Optional.of(Lease.decode(version.get().content())));
    }

    /**
     * Takes it over what was seen. Durable on return.
     *
     * @param above the number is higher: of an owner that may have come without a lease
     * @return empty: somebody else was faster
     */
    public Optional<Lease> take(
            Standing seen, String holder, String address, long termMillis, long above)
            throws IOException {
        DurableDirectories.create(files, directory);
        // Of a version that is damaged the number is not known. Versions are never used twice.
        long number = Math.max(seen.version(), Math.max(above, numberOf(seen))) + 1;
        Lease mine = new Lease(number, holder, address, termMillis, false);
        return write(seen.version(), mine) ? Optional.of(mine) : Optional.empty();
    }

    private static long numberOf(Standing seen) {
        return seen.lease().map(Lease::number).orElse(0L);
    }

    /**
     * Renews it, or gives it back.
     *
     * @return false: somebody else wrote since this version
     */
    public boolean write(long seenVersion, Lease lease) throws IOException {
        return document.write(seenVersion, lease.encode());
    }
}
