package photon.verifier.source;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import photon.core.id.Incarnation;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;

/** What the verifier asks of a datacenter's output directory; see {@link OutputDirectory}. */
public interface OutputFiles {
    /** The directory's own random id. */
    String outputId();

    void seal(Incarnation incarnation) throws IOException;

    boolean isSealed(Incarnation incarnation) throws IOException;

    List<Incarnation> incarnations() throws IOException;

    List<StoredManifest> manifests(Incarnation incarnation) throws IOException;

    /** Files that stand under the incarnation's published names. */
    List<String> published(Incarnation incarnation) throws IOException;

    /** What is wrong with the published files; empty: all is well. */
    Optional<String> verify(Manifest manifest) throws IOException;

    /** Files that no manifest knows. */
    List<String> strangers() throws IOException;

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
        public List<String> published(Incarnation incarnation) throws IOException {
            return directory.published(incarnation);
        }

        @Override
        public Optional<String> verify(Manifest manifest) throws IOException {
            return directory.verify(manifest);
        }

        @Override
        public List<String> strangers() throws IOException {
            return directory.strangers();
        }
    }
}
