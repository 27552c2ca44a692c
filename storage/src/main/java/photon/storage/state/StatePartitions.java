package photon.storage.state;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import photon.core.config.DeploymentConfig;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * How a dispatcher's state is divided (docs/protocol.md section 7): each partition of the logs has
 * a directory with a checkpoint, a journal and a ledger of its own. The number of partitions is
 * said once, when the state is made. A state of one partition is not divided: its directory is the
 * partition's.
 *
 * @param state the state's directory
 * @param count from 1 on
 */
public record StatePartitions(String state, int count) {
    /** More would cost more in idle partitions than it would spread. */
    public static final int COUNT_MAX = DeploymentConfig.PARTITIONS_MAX;

    private static final String DOCUMENT = "partitions";

    public StatePartitions {
        check(
                count >= 1 && count <= COUNT_MAX,
                "Expected from 1 to %s partitions, but got %s",
                COUNT_MAX,
                count);
    }

    /**
     * As the state says.
     *
     * @param state its directory; where there is none, it counts as not divided
     * @throws IOException if it cannot be read, or does not say a number
     */
    public static StatePartitions read(FileStore files, String state) throws IOException {
        if (files.stat(state) == null) {
            return new StatePartitions(state, 1);
        }
        Optional<VersionedDocument.Version> said =
                new VersionedDocument(files, state, DOCUMENT).read();
        if (said.isEmpty()) {
            return new StatePartitions(state, 1);
        }
        String text = new String(said.get().content(), StandardCharsets.US_ASCII);
        Integer count = parse(text);
        if (count == null || count < 1 || count > COUNT_MAX) {
            throw new IOException(
                    "Expected the number of partitions of the state in %s, from 1 to %s, but got '%s'"
                            .formatted(state, COUNT_MAX, text));
        }
        return new StatePartitions(state, count);
    }

    private static @Nullable Integer parse(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Says it of a new state, whose directory is there. Durable on return. */
    public void make(FileStore files) throws IOException {
        if (count == 1) {
            return;
        }
        byte[] content = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
        if (!new VersionedDocument(files, state, DOCUMENT).write(0, content)) {
            throw new IOException(
                    "Expected a new state in %s, but somebody has divided it".formatted(state));
        }
    }

    /** Where the state of a partition lies, from 0 on. */
    public String directory(int partition) {
        check(
                partition >= 0 && partition < count,
                "Expected a partition from 0 to %s, but got %s",
                count - 1,
                partition);
        return count == 1 ? state : state + "/" + leaseName(partition);
    }

    /** Directory of the {@code photon.storage.lease.NodeList}. */
    public String nodes() {
        return state + "/nodes";
    }

    /** Directory of the leases, a document for each partition. */
    public String leases() {
        return state + "/leases";
    }

    /** Of the document in {@link #leases()}. */
    public static String leaseName(int partition) {
        return "partition-" + partition;
    }

    /** Of all partitions, in order. */
    public List<String> directories() {
        return IntStream.range(0, count).mapToObj(this::directory).toList();
    }
}
