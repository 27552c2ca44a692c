package photon.storage.output;

import java.io.IOException;
import java.util.List;
import photon.core.id.Incarnation;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * Takes away what a settled incarnation has left below {@code _work/} (docs/protocol.md section 6,
 * Retention): first it is durable that the incarnation is retired and what it had, then its
 * manifests and folders go. Each step may be repeated, by several processes at once. Whether an
 * incarnation may be retired is for the caller to know. Published files stay.
 */
public final class Retirement {
    private final FileStore files;
    private final WorkArea area;

    Retirement(FileStore files, WorkArea area) {
        this.files = files;
        this.area = area;
    }

    /** Who is retired, and what they had. */
    public RetiredIncarnations retired() throws IOException {
        return area.retired();
    }

    /**
     * Says for good that the incarnation is retired. Durable on return.
     *
     * @return false: it was before, and what was said then stands
     */
    public boolean record(Incarnation incarnation, RetiredIncarnations.Left left)
            throws IOException {
        while (true) {
            VersionedDocument document = area.retiredDocument();
            VersionedDocument.Version version = document.read().orElse(null);
            RetiredIncarnations before =
                    version == null
                            ? RetiredIncarnations.NONE
                            : RetiredIncarnations.decode(version.content());
            if (before.contains(incarnation)) {
                files.syncDirectory(area.root()); // who has said so may not have synced it yet
                return false;
            }
            // False: another process was faster; what it wrote is kept.
            if (document.write(
                    version == null ? 0 : version.number(),
                    before.with(incarnation, left).encode())) {
                return true;
            }
        }
    }

    /** Retired ones of which something stands yet: a crash came between. */
    public List<Incarnation> leftovers() throws IOException {
        RetiredIncarnations retired = area.retired();
        return area.standing().stream().filter(retired::contains).toList();
    }

    /**
     * Removes the directories and the tombstone of one that is retired.
     *
     * @return how many manifests and how many names in the work area were removed
     * @throws IOException also if it is not retired: nothing is removed then
     */
    public Removed remove(Incarnation incarnation) throws IOException {
        if (!area.retired().contains(incarnation)) {
            throw new IOException("Expected a retired incarnation, but " + incarnation + " is not");
        }
        long manifests = 0;
        long names = 0;
        for (FileInfo entry : files.list(area.root())) {
            String name = OutputNames.last(entry.path());
            if (OutputNames.incarnation(name).filter(incarnation::equals).isEmpty()) {
                continue;
            }
            String path = area.root() + "/" + name;
            for (FileInfo file : entry.directory() ? files.list(path) : List.<FileInfo>of()) {
                if (OutputNames.numbered(OutputNames.last(file.path()))
                        .filter(one -> one.kind() == OutputNames.Kind.MANIFEST)
                        .isPresent()) {
                    manifests++;
                }
            }
            files.delete(path);
            names++;
        }
        files.syncDirectory(area.root());
        return new Removed(manifests, names);
    }

    /**
     * What was removed.
     *
     * @param manifests files
     * @param names in the work area: directories and tombstones
     */
    public record Removed(long manifests, long names) {}
}
