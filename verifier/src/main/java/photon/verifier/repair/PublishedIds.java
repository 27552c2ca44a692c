package photon.verifier.repair;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.verifier.runs.IdRuns;
import photon.verifier.source.OutputFiles;

/**
 * Collects what one incarnation has published, as its manifests say (docs/protocol.md section 6).
 * Memory: that of {@link IdRuns}, whatever the number of events, and a name for each published
 * file. Not thread-safe.
 */
final class PublishedIds implements AutoCloseable {
    private final Incarnation incarnation;
    private final IdRuns ids;
    private final Set<String> files = new HashSet<>();
    private @Nullable String foreign;

    PublishedIds(Incarnation incarnation, IdRuns ids) {
        this.incarnation = incarnation;
        this.ids = ids;
    }

    /**
     * @param keptSinceMicros as {@link OutputFiles#verifyStanding}
     * @return what is wrong with the manifest or its published files; empty: all is well
     */
    Optional<String> add(StoredManifest stored, OutputFiles output, long keptSinceMicros)
            throws IOException {
        Manifest.Summary manifest = stored.forEach(this::take);
        @Nullable String wrong;
        if (!manifest.incarnation().equals(incarnation)) {
            wrong =
                    "Expected a manifest of incarnation %s, but got one of %s"
                            .formatted(incarnation, manifest.incarnation());
        } else if (foreign != null) {
            wrong =
                    "Expected tokens of incarnation %s in its manifest, but %s"
                            .formatted(incarnation, foreign);
        } else {
            wrong = output.verifyStanding(manifest, keptSinceMicros).orElse(null);
        }
        manifest.published().forEach(file -> files.add(file.path()));
        return wrong == null
                ? Optional.empty()
                : Optional.of(
                        "Manifest %s of incarnation %s: %s"
                                .formatted(manifest.sequence(), incarnation, wrong));
    }

    private void take(EventId id, CommitToken token) throws IOException {
        if (token.isOf(incarnation)) {
            ids.add(id, token.sequence());
        } else if (foreign == null) {
            foreign = "%s has %s".formatted(id, token);
        }
    }

    /** True: {@link IdRuns#compact} is to be called before the next manifest. */
    boolean crowded() {
        return ids.crowded();
    }

    void compact(int idsMax) throws IOException {
        ids.compact(idsMax);
    }

    /** The files that manifests say are published. */
    Set<String> files() {
        return files;
    }

    /** When all manifests are in. */
    PublishedComparison compare() throws IOException {
        return new PublishedComparison(incarnation, ids.sorted());
    }

    /** How many ids the manifests name. */
    long size() {
        return ids.size();
    }

    @Override
    public void close() {
        ids.close();
    }
}
