package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import photon.simulation.checks.InputRecord;
import photon.simulation.kernel.Timeline;
import photon.storage.files.FileStore;

/**
 * The producers of a datacenter's logs: what the script says, when it says so, in several files.
 */
public final class InputLogs {
    private static final int LOGS = 2;

    private final Timeline timeline;
    private final RandomGenerator random;
    private final String datacenter;
    private final List<LogWriter> primary = new ArrayList<>();
    private final List<LogWriter> foreign = new ArrayList<>();
    private final Map<String, Long> primaryCameMicros = new HashMap<>(); // looked up, never walked
    private final Optional<LogCompressor> compressor;
    private int notDue;

    /**
     * @param files where no fault meets the producers
     * @param compression draws which logs are compressed after their rotation; empty: none
     */
    InputLogs(
            Timeline timeline,
            FileStore files,
            Layout layout,
            Optional<RandomGenerator> compression) {
        this.timeline = timeline;
        this.random = timeline.random().split();
        this.datacenter = layout.datacenter();
        Consumer<byte[]> came =
                line ->
                        primaryCameMicros.putIfAbsent(
                                new String(line, UTF_8), timeline.nowMicros());
        compressor = compression.map(draws -> new LogCompressor(timeline, files, draws));
        Consumer<String> rotated = path -> compressor.ifPresent(some -> some.rotated(path));
        for (int i = 0; i < LOGS; i++) {
            primary.add(
                    new LogWriter(
                            timeline, files, layout.primaryLogs(), "primary-" + i, came, rotated));
            foreign.add(
                    new LogWriter(
                            timeline,
                            files,
                            layout.foreignLogs(),
                            "foreign-" + i,
                            line -> {},
                            rotated));
        }
    }

    /**
     * Writes each record of this datacenter when its time has come; the others are not ours.
     *
     * @param startNanos when the script's time begins
     */
    public void play(List<InputRecord> script, long startNanos) {
        for (InputRecord next : script) {
            if (next.datacenter().equals(datacenter)) {
                notDue++;
                timeline.at(startNanos + next.atNanos(), () -> write(next));
            }
        }
    }

    private void write(InputRecord due) {
        notDue--;
        List<LogWriter> logs = due.stream() == InputRecord.Stream.PRIMARY ? primary : foreign;
        logs.get(random.nextInt(logs.size())).write(due.line());
    }

    /** A file that is still written to, or may be. */
    static boolean isActive(String path) {
        return path.substring(path.lastIndexOf('/')).indexOf('.')
                == path.lastIndexOf(".jsonl") - path.lastIndexOf('/');
    }

    /** When a line was in a primary log for the first time, true time; empty: it is in none. */
    OptionalLong primaryCameMicros(String line) {
        Long came = primaryCameMicros.get(line);
        return came == null ? OptionalLong.empty() : OptionalLong.of(came);
    }

    /** Records of the script that are not in the logs yet. */
    public int waiting() {
        int waiting = notDue;
        for (LogWriter log : primary) {
            waiting += log.waiting();
        }
        for (LogWriter log : foreign) {
            waiting += log.waiting();
        }
        return waiting;
    }

    /** Logs that were compressed. */
    public int compressed() {
        return compressor.map(LogCompressor::compressed).orElse(0);
    }

    /** What comes from now on goes into other files, where that can be. */
    void beginFiles() {
        foreign.forEach(LogWriter::beginFile);
    }

    void powerLost() {
        primary.forEach(LogWriter::powerLost);
        foreign.forEach(LogWriter::powerLost);
        compressor.ifPresent(LogCompressor::powerLost);
    }

    void powerBack() {
        compressor.ifPresent(LogCompressor::powerBack);
        primary.forEach(LogWriter::powerBack);
        foreign.forEach(LogWriter::powerBack);
    }
}
