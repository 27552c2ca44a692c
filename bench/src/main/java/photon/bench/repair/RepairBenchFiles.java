package photon.bench.repair;

import com.google.protobuf.ByteString;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import photon.core.time.IntervalClock.Interval;
import photon.storage.files.FileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.state.StateHome;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;

/**
 * Writes what a joiner and a dispatcher leave behind: published files with their manifests, foreign
 * logs, and the history of checkpoints.
 */
final class RepairBenchFiles {
    private static final int EVENTS_PER_FILE = 50_000;
    private static final int EVENTS_PER_CHECKPOINT = 100_000;

    /** Every hundredth event is written half a minute late, as one whose primary event was. */
    private static final int LATE_EVERY = 100;

    private static final int LATE_BY = 300_000;

    private static final String HASH = "00112233445566778899aabbccddeeff";
    private static final ByteString JOINED =
            ByteString.copyFromUtf8("{\"ad\":\"ad-4711\",\"query\":\"shoes, size 42\"}");

    private final RepairBenchEvents events;
    private final FileStore files;
    private final Deque<Long> late = new ArrayDeque<>();
    private int inFile;

    RepairBenchFiles(RepairBenchEvents events, FileStore files) {
        this.events = events;
        this.files = files;
    }

    void writeOutput() throws IOException {
        OutputDirectory output = events.output(files);
        WorkDirectory work = output.createWorkDirectory(RepairBenchEvents.DEAD);
        WorkDirectory.WorkLog log = work.createLog();
        for (long n = 0; n < events.events() + LATE_BY; n++) {
            if (n < events.events() && !events.isLost(n)) {
                if (n % LATE_EVERY == 0) {
                    late.add(n);
                } else {
                    log = append(work, log, n);
                }
            }
            if (!late.isEmpty() && late.peek() + LATE_BY <= n) {
                log = append(work, log, late.remove());
            }
        }
        while (!late.isEmpty()) {
            log = append(work, log, late.remove());
        }
        publish(work, log);
    }

    private WorkDirectory.WorkLog append(WorkDirectory work, WorkDirectory.WorkLog log, long n)
            throws IOException {
        log.append(
                new WorkRecord(
                        RepairBenchEvents.id(n),
                        RepairBenchEvents.token(n),
                        HASH,
                        List.of(new WorkRecord.JoinedEvent("", JOINED))));
        if (++inFile < EVENTS_PER_FILE) {
            return log;
        }
        inFile = 0;
        publish(work, log);
        return work.createLog();
    }

    private static void publish(WorkDirectory work, WorkDirectory.WorkLog log) throws IOException {
        log.sync();
        log.finish();
        work.publish(log);
    }

    /**
     * @param eventsBefore others' events, of before the incarnation's first
     * @param recordBytes of each record, about
     */
    void writeLogs(long eventsBefore, int recordBytes) throws IOException {
        String padding = "x".repeat(Math.max(1, recordBytes - 50));
        List<OutputStream> logs = new ArrayList<>();
        long[] offsets = new long[RepairBenchEvents.LOGS];
        List<long[]> reached = new ArrayList<>();
        List<Long> reachedMillis = new ArrayList<>();
        Files.createDirectories(events.directory().resolve("logs"));
        for (int i = 0; i < RepairBenchEvents.LOGS; i++) {
            logs.add(new BufferedOutputStream(Files.newOutputStream(events.log(i)), 1 << 20));
        }
        for (long n = -eventsBefore; n < events.events(); n++) {
            if (Math.floorMod(n, EVENTS_PER_CHECKPOINT) == 0) {
                reached.add(offsets.clone());
                reachedMillis.add(RepairBenchEvents.micros(n) / 1_000);
            }
            byte[] line = RepairBenchEvents.line(n, padding).getBytes(StandardCharsets.US_ASCII);
            int log = RepairBenchEvents.log(n);
            logs.get(log).write(line);
            offsets[log] += line.length;
        }
        for (OutputStream log : logs) {
            log.close();
        }
        writeHistory(reached, reachedMillis);
    }

    private void writeHistory(List<long[]> reached, List<Long> reachedMillis) throws IOException {
        List<FilePosition> known = new ArrayList<>();
        try (LogTail tail =
                new LogTail(
                        files,
                        events.foreign(),
                        List.of(),
                        Duration.ZERO,
                        () -> new Interval(0, 0))) {
            for (int i = 0; i < RepairBenchEvents.LOGS; i++) {
                tail.poll(4_096, i);
            }
            known.addAll(tail.reached());
        }
        StateHome home = new StateHome(files, events.state("dispatcher"));
        home.create(
                RepairBenchEvents.STATE,
                RepairBenchEvents.PIPELINE,
                RepairBenchEvents.DATACENTER,
                path -> files.createDirectories(path + "/checkpoint"));
        for (int i = 0; i < reached.size(); i++) {
            List<FilePosition> positions = new ArrayList<>();
            for (FilePosition file : known) {
                int log = file.path().charAt(file.path().length() - ".csv".length() - 1) - '0';
                positions.add(
                        new FilePosition(
                                file.path(),
                                file.key(),
                                file.prefixLength(),
                                file.prefixHash(),
                                reached.get(i)[log]));
            }
            CheckpointHistory.add(
                    files,
                    home.path(RepairBenchEvents.STATE) + "/checkpoint",
                    new CheckpointHistory.Entry(reachedMillis.get(i), positions));
        }
    }
}
