package photon.storage.lease;

import java.io.IOException;
import java.util.Optional;
import photon.storage.document.DocumentFolder;
import photon.storage.document.VersionedDocument;

/**
 * The lease of one partition, a versioned document: taking and giving back are each a
 * compare-and-set on the version that was seen last. Not thread-safe; other processes may write it.
 */
public final class LeaseDocument {
    private final DocumentFolder folder;
    private final String name;

    /**
     * @param folder made by the first who takes the lease
     * @param name of the document in it
     */
    public LeaseDocument(DocumentFolder folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /**
     * What was seen.
     *
     * @param version 0: there was none
     * @param lease empty: nobody has ever taken it
     */
    public record Standing(long version, Optional<Lease> lease) {
        /** Nobody has taken it yet. */
        public static final Standing NONE = new Standing(0, Optional.empty());

        /** This taking is the newest, and its holder has not given it back. */
        public boolean isHeldBy(long number) {
            return lease.filter(l -> l.number() == number && !l.released()).isPresent();
        }
    }

    public Standing read() throws IOException {
        Optional<VersionedDocument.Version> version = folder.read(name);
        return version.isEmpty()
                ? Standing.NONE
                : new Standing(
                        version.get().number(), Optional.of(Lease.decode(version.get().content())));
    }

    /**
     * Takes it over what was seen. Durable on return.
     *
     * @param above the number is higher: of an owner that may have come without a lease
     * @return empty: somebody else was faster
     */
    public Optional<Lease> take(Standing seen, String holder, long above) throws IOException {
        folder.make();
        // Of a version that is damaged the number is not known. Versions are never used twice.
        long number = Math.max(seen.version(), Math.max(above, numberOf(seen))) + 1;
        Lease mine = new Lease(number, holder, false);
        return write(seen.version(), mine) ? Optional.of(mine) : Optional.empty();
    }

    private static long numberOf(Standing seen) {
        return seen.lease().map(Lease::number).orElse(0L);
    }

    /**
     * Gives it back, for instance.
     *
     * @return false: somebody else wrote since this version
     */
    public boolean write(long seenVersion, Lease lease) throws IOException {
        return folder.write(name, seenVersion, lease.encode());
    }
}
