package photon.verifier.source;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import photon.core.id.Incarnation;
import photon.storage.output.LostFiles;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.PublishedWalk;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.Retirement;

/** What the verifier asks of a datacenter's output directory; see {@link OutputDirectory}. */
public interface OutputFiles {
    /** The directory's own random id. */
    String outputId();

    void seal(Incarnation incarnation) throws IOException;

    boolean isSealed(Incarnation incarnation) throws IOException;

    List<Incarnation> incarnations() throws IOException;

    /** Without those whose files were declared lost. */
    List<StoredManifest> manifests(Incarnation incarnation) throws IOException;

    /** Those whose files were declared lost ({@link photon.storage.output.LostFiles}). */
    List<StoredManifest> lostManifests(Incarnation incarnation) throws IOException;

    /** See {@link OutputDirectory#settledManifests}. */
    List<StoredManifest> settledManifests(Incarnation incarnation) throws IOException;

    /** Paths of all files that were declared lost. */
    Set<String> lostPaths() throws IOException;

    /** Looks for what stands under the incarnation's published names: {@link OutputDirectory}. */
    PublishedWalk unknown(Incarnation incarnation, Set<String> known);

    /**
     * What is wrong with the published files; empty: all is well.
     *
     * @param keptSinceMicros as {@link OutputDirectory#verify}
     */
    Optional<String> verify(Manifest manifest, long keptSinceMicros) throws IOException;

    /** The same without reading every file: {@link OutputDirectory#verifyStanding}. */
    Optional<String> verifyStanding(Manifest.Summary manifest, long keptSinceMicros)
            throws IOException;

    /** Files that no manifest knows. */
    List<String> strangers() throws IOException;

    /** Who is retired ({@link Retirement}), and what they had. */
    RetiredIncarnations retired() throws IOException;

    /** Retired ones of which something stands yet. */
    List<Incarnation> leftovers() throws IOException;

    /** What was declared lost of this incarnation's files. */
    List<LostFiles.Declaration> declarations(Incarnation incarnation) throws IOException;

    /** Says for good that it is retired; then {@link #remove}. Durable on return. */
    void retire(Incarnation incarnation, RetiredIncarnations.Left left) throws IOException;

    /** Takes away what a retired one has left. */
    Retirement.Removed remove(Incarnation incarnation) throws IOException;

    static OutputFiles of(OutputDirectory directory) {
        return new OfDirectory(directory);
    }

    /** The real one. */
    record OfDirectory(OutputDirectory directory) implements OutputFiles {
        @Override
        public String outputId() {
            return directory.identity().outputId();
        }

        @Override
        public void seal(Incarnation incarnation) throws IOException {
            directory.seal(incarnation);
        }

        @Override
        public boolean isSealed(Incarnation incarnation) throws IOException {
            return directory.isSealed(incarnation);
        }

        @Override
        public List<Incarnation> incarnations() throws IOException {
            return directory.incarnations();
        }

        @Override
        public List<StoredManifest> manifests(Incarnation incarnation) throws IOException {
            return directory.storedManifests(incarnation);
        }

        @Override
        public List<StoredManifest> lostManifests(Incarnation incarnation) throws IOException {
            return directory.lostManifests(incarnation);
        }

        @Override
        public List<StoredManifest> settledManifests(Incarnation incarnation) throws IOException {
            return directory.settledManifests(incarnation);
        }

        @Override
        public Set<String> lostPaths() throws IOException {
            Set<String> paths = new HashSet<>();
            directory.lostFiles().all().forEach(one -> paths.addAll(one.paths()));
            return paths;
        }

        @Override
        public PublishedWalk unknown(Incarnation incarnation, Set<String> known) {
            return directory.unknown(incarnation, known);
        }

        @Override
        public Optional<String> verify(Manifest manifest, long keptSinceMicros) throws IOException {
            return directory.verify(manifest, keptSinceMicros);
        }

        @Override
        public Optional<String> verifyStanding(Manifest.Summary manifest, long keptSinceMicros)
                throws IOException {
            return directory.verifyStanding(manifest, keptSinceMicros);
        }

        @Override
        public List<String> strangers() throws IOException {
            return directory.strangers();
        }

        @Override
        public RetiredIncarnations retired() throws IOException {
            return directory.retirement().retired();
        }

        @Override
        public List<Incarnation> leftovers() throws IOException {
            return directory.retirement().leftovers();
        }

        @Override
        public List<LostFiles.Declaration> declarations(Incarnation incarnation)
                throws IOException {
            return directory.lostFiles().of(incarnation);
        }

        @Override
        public void retire(Incarnation incarnation, RetiredIncarnations.Left left)
                throws IOException {
            directory.retirement().record(incarnation, left);
        }

        @Override
        public Retirement.Removed remove(Incarnation incarnation) throws IOException {
            return directory.retirement().remove(incarnation);
        }
    }
}
