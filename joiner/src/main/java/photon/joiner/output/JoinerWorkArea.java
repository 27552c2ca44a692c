package photon.joiner.output;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import photon.core.id.Incarnation;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.WorkRecord.JoinedEvent;

/** Where incarnations write: what a joiner needs of an output directory. */
public interface JoinerWorkArea {
    /** The output directory's own random id. */
    String outputId();

    /** Why a joined event cannot be written here; empty: it can. Asked before the commit. */
    Optional<String> refusal(JoinedEvent event);

    /** Named outputs that the configuration lists. */
    default Set<String> outputs() {
        return Set.of();
    }

    /**
     * Makes the incarnation's work directory, exclusively.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it stands, or a tombstone does
     */
    Work create(Incarnation incarnation) throws IOException;

    /** One incarnation's work directory: the calls of {@link WorkDirectory}. */
    interface Work {
        WorkLog createLog() throws IOException;

        Manifest publish(WorkLog finished) throws IOException;
    }

    static JoinerWorkArea of(OutputDirectory directory) {
        return new JoinerWorkArea() {
            @Override
            public String outputId() {
                return directory.identity().outputId();
            }

            @Override
            public Optional<String> refusal(JoinedEvent event) {
                return directory.refusal(event);
            }

            @Override
            public Set<String> outputs() {
                return directory.outputs();
            }

            @Override
            public Work create(Incarnation incarnation) throws IOException {
                WorkDirectory work = directory.createWorkDirectory(incarnation);
                return new Work() {
                    @Override
                    public WorkLog createLog() throws IOException {
                        return work.createLog();
                    }

                    @Override
                    public Manifest publish(WorkLog finished) throws IOException {
                        return work.publish(finished);
                    }
                };
            }
        };
    }
}
