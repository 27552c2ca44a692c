package photon.storage.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.output.Manifest.PublishedFile;
import photon.storage.output.Publication.Prepared;

/**
 * What a process wrote aside for a publication that it did not finish. Whoever redoes the
 * publication usually gets the same bytes from the work log. Another version of Photon may not:
 * compressors and writers of formats change. The manifest says which bytes are meant, and they were
 * durable before it stood.
 */
final class LeftBehind {
    private final FileStore files;
    private final WorkArea area;
    private final Incarnation incarnation;
    private final Publication publication;

    LeftBehind(FileStore files, WorkArea area, Incarnation incarnation, Publication publication) {
        this.files = files;
        this.area = area;
        this.incarnation = incarnation;
        this.publication = publication;
    }

    /**
     * What to publish for a manifest that stands: what was redone, with the files that were left
     * behind where the redone ones have other bytes. Unchanged if something else differs, too, or
     * such a file is not there.
     */
    Prepared insteadOf(Prepared redone, Manifest standing) throws IOException {
        List<PublishedFile> meant = standing.published();
        List<PublishedFile> made = redone.manifest().published();
        if (!standing.entries().equals(redone.manifest().entries())
                || meant.size() != made.size()) {
            return redone;
        }
        List<String> temporaries = new ArrayList<>();
        List<String> unused = new ArrayList<>();
        Set<String> leftBehind = new HashSet<>();
        for (int i = 0; i < meant.size(); i++) {
            String temporary = redone.temporaries().get(i);
            if (!meant.get(i).path().equals(made.get(i).path())) {
                return redone;
            }
            // What stands under its name needs no file: it is compared with the manifest again.
            if (!meant.get(i).equals(made.get(i)) && publication.difference(meant.get(i)) != null) {
                String found = find(standing.sequence(), meant.get(i));
                if (found == null) {
                    return redone;
                }
                unused.add(temporary);
                temporary = found;
                leftBehind.add(found);
            }
            temporaries.add(temporary);
        }
        Temporary.discard(files, unused);
        return new Prepared(standing, temporaries, leftBehind);
    }

    private @Nullable String find(long sequence, PublishedFile meant) throws IOException {
        for (String directory : area.directories(incarnation)) {
            for (FileInfo entry : files.list(directory)) {
                if (Temporary.isOf(OutputNames.last(entry.path()), Publication.aside(sequence))
                        && entry.length() == meant.length()
                        && DigestedFile.sha256(files, entry.path()).equals(meant.sha256())) {
                    return entry.path();
                }
            }
        }
        return null;
    }
}
