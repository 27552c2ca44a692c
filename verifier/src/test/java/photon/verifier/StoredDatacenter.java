package photon.verifier;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.crash.CrashPoints;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.output.format.OutputFormats;
import photon.storage.state.StateHome;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/** A datacenter's files as its daemons write them, in memory. */
public final class StoredDatacenter {
    /** Of no use to logs that are not compressed. */
    public static final IntervalClock CLOCK = () -> new IntervalClock.Interval(0, 0);

    private static final String LOG = "/in/clicks.csv";

    public final MemoryFileStore files;
    public final OutputDirectory output;
    private final String name;

    public StoredDatacenter(MemoryFileStore files, String name) throws IOException {
        this.files = files;
        this.name = name;
        this.output =
                OutputDirectory.open(
                        files,
                        "/out/" + name,
                        new OutputIdentity(
                                "pipeline-uuid", "fingerprint", name, "random-id-of-" + name),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        () -> new IntervalClock.Interval(0, 0));
    }

    /** Where this daemon, or this part of it, keeps its state. */
    public String state(String part) {
        return "/state/" + name + "/" + part;
    }

    /** The dispatcher has read so far, in this state. */
    public void checkpointed(UUID state, FilePosition... positions) throws IOException {
        StateHome home = new StateHome(files, state("dispatcher"));
        if (home.identity().isEmpty()) {
            home.create(state, new UUID(1, 2), name, path -> {});
        }
        String directory = home.path(state) + "/checkpoint";
        files.createDirectories(directory);
        new VersionedDocument(files, directory, "checkpoint")
                .write(0, CheckpointFiles.content(new Checkpoint(1, List.of(positions))));
    }

    public static StreamConfig foreign() {
        return new StreamConfig(
                List.of("/in/*.csv"),
                new FormatConfig.Csv(false, ',', List.of("time", "click", "query"), ""),
                Map.of(),
                Map.of(),
                new IdConfig.User(List.of("click")),
                Optional.of(new TimestampConfig.Numeric("time", TimestampConfig.Unit.MICROS)),
                Optional.of(new IdConfig.User(List.of("query"))));
    }

    /** Click number n happened at n microseconds. One record is bad. */
    public static void writeClicks(MemoryFileStore files, int clicks) throws IOException {
        StringBuilder lines = new StringBuilder("no time,c0,q0\n");
        for (int n = 1; n <= clicks; n++) {
            lines.append("%d,c%d,q%d\n".formatted(n, n, n));
        }
        files.put(LOG, lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** What a dispatcher reads, in order. */
    public static List<LogEvent> clicks(FileStore files) throws IOException {
        List<LogEvent> events = new ArrayList<>();
        for (TailBatch.Item item : read(files).items()) {
            if (item.event() != null) {
                events.add(item.event());
            }
        }
        return events;
    }

    /** The position behind so many clicks. */
    public static FilePosition behind(FileStore files, int clicks) throws IOException {
        try (LogTail tail = new LogTail(files, foreign(), List.of(), Duration.ZERO, CLOCK)) {
            List<TailBatch.Item> items = tail.poll(1_000, 0).items();
            // The bad record comes first.
            TailBatch.Item last = items.get(clicks);
            return tail.position(last.file(), last.endOffset());
        }
    }

    private static TailBatch read(FileStore files) throws IOException {
        try (LogTail tail = new LogTail(files, foreign(), List.of(), Duration.ZERO, CLOCK)) {
            return tail.poll(1_000, 0);
        }
    }

    /** Writes a log of these events and publishes it, or leaves it as a crash would. */
    public void join(WorkDirectory work, boolean publish, List<EventId> ids) throws IOException {
        Incarnation incarnation = work.incarnation();
        WorkDirectory.WorkLog log = work.createLog();
        for (EventId id : ids) {
            log.append(
                    new WorkRecord(
                            id,
                            token(id, incarnation),
                            "00112233445566778899aabbccddeeff",
                            List.of(
                                    new WorkRecord.JoinedEvent(
                                            "",
                                            ByteString.copyFromUtf8(
                                                    "{\"at\":" + id.micros() + "}")))));
        }
        log.sync();
        if (publish) {
            log.finish();
            work.publish(log);
        }
    }

    public static CommitToken token(EventId id, Incarnation incarnation) {
        return CommitToken.of(incarnation, id.micros());
    }

    /** Every published line. */
    public List<String> publishedLines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (FileStore.FileInfo file : files.glob("/out/" + name + "/dt=*/hour=*/*.jsonl")) {
            new String(files.content(file.path()), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(lines::add);
        }
        return lines;
    }
}
