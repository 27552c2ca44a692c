package photon.bench.registry;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** In which seconds of the measured time a replica wrote a snapshot, told by its files. */
final class SnapshotWatch {
    /** Where a snapshot stands while it is written. */
    private static final String WRITING = "writing";

    private final List<Path> replicas;
    private final long beganNanos;
    private final BitSet seconds = new BitSet();
    private final Set<Path> known = new HashSet<>();
    private int taken;

    /**
     * @param replicas directories of their Raft logs and snapshots
     */
    SnapshotWatch(List<Path> replicas, long beganNanos) {
        this.replicas = replicas;
        this.beganNanos = beganNanos;
        replicas.forEach(replica -> look(replica, -1));
        taken = 0;
    }

    /** To be called several times a second. */
    void look() {
        int second = (int) ((System.nanoTime() - beganNanos) / 1_000_000_000L);
        replicas.forEach(replica -> look(replica, second));
    }

    private void look(Path replica, int second) {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(replica.resolve("raft"), "????????-*")) {
            for (Path group : files) {
                lookAtGroup(group.resolve("sm"), second);
            }
        } catch (IOException e) {
            // It is not there yet, or files go while they are listed: looked at again soon.
            return;
        }
    }

    private void lookAtGroup(Path snapshots, int second) throws IOException {
        if (!Files.isDirectory(snapshots)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(snapshots)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                boolean done = name.startsWith("snapshot") && known.add(file);
                if (done) {
                    taken++;
                }
                if (second >= 0 && (done || (name.equals(WRITING) && isNotEmpty(file)))) {
                    seconds.set(second);
                }
            }
        }
    }

    private static boolean isNotEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            return files.iterator().hasNext();
        }
    }

    /** How many were finished, by all replicas. */
    int taken() {
        return taken;
    }

    boolean wasWritten(int second) {
        return seconds.get(second);
    }
}
