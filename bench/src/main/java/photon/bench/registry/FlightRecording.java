package photon.bench.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Has a Java process record itself: how often it forced a file to disk, and where its threads were
 * when they were looked at. Begun and ended through {@code jcmd}, which stands beside {@code java}.
 */
final class FlightRecording {
    private static final int FRAMES_TOLD = 15;

    private static final String SETTINGS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0">
              <event name="jdk.FileForce">
                <setting name="enabled">true</setting>
                <setting name="threshold">0 ns</setting>
                <setting name="stackTrace">false</setting>
              </event>
              <event name="jdk.FileWrite">
                <setting name="enabled">true</setting>
                <setting name="threshold">0 ns</setting>
                <setting name="stackTrace">false</setting>
              </event>
              <event name="jdk.ExecutionSample">
                <setting name="enabled">%s</setting>
                <setting name="period">10 ms</setting>
              </event>
            </configuration>
            """;

    private final long pid;
    private final Path file;

    private FlightRecording(long pid, Path file) {
        this.pid = pid;
        this.file = file;
    }

    /**
     * Begins.
     *
     * @param pid of a Java process of this user
     * @param directory for settings and result; must exist
     * @param samples where threads are is wanted too
     * @return empty if this Java has no {@code jcmd}, or the process does not obey
     */
    static Optional<FlightRecording> begin(long pid, Path directory, boolean samples)
            throws IOException {
        Path settings = directory.resolve("recording.jfc");
        Files.writeString(settings, SETTINGS.formatted(samples));
        FlightRecording recording =
                new FlightRecording(pid, directory.resolve("%d.jfr".formatted(pid)));
        return recording.jcmd("JFR.start", "name=bench", "settings=" + settings)
                ? Optional.of(recording)
                : Optional.empty();
    }

    private boolean jcmd(String... arguments) throws IOException {
        return Jcmd.run(pid, file.resolveSibling("%d.txt".formatted(pid)), arguments).isPresent();
    }

    /**
     * What was recorded between two moments.
     *
     * @param forces calls that force a file to disk
     * @param forceMicros in all
     * @param writtenBytes handed to the file system
     * @param frames most frequent first: the share of samples in which a method was on top
     */
    record Recorded(long forces, long forceMicros, long writtenBytes, List<Frame> frames) {}

    /** A method on top of a running thread's stack. */
    record Frame(String method, double share) {}

    /** Ends it; empty if the process is gone. */
    Optional<Recorded> end(Instant from, Instant to) throws IOException {
        if (!jcmd("JFR.stop", "name=bench", "filename=" + file) || !Files.exists(file)) {
            return Optional.empty();
        }
        long forces = 0;
        long micros = 0;
        long bytes = 0;
        long samples = 0;
        Map<String, Long> tops = new HashMap<>();
        try (RecordingFile recorded = new RecordingFile(file)) {
            while (recorded.hasMoreEvents()) {
                RecordedEvent event = recorded.readEvent();
                if (event.getEndTime().isBefore(from) || event.getStartTime().isAfter(to)) {
                    continue;
                }
                switch (event.getEventType().getName()) {
                    case "jdk.FileForce" -> {
                        forces++;
                        micros += TimeUnit.NANOSECONDS.toMicros(event.getDuration().toNanos());
                    }
                    case "jdk.FileWrite" -> bytes += event.getLong("bytesWritten");
                    default -> {
                        samples++;
                        tops.merge(top(event.getStackTrace()), 1L, Long::sum);
                    }
                }
            }
        }
        long all = Math.max(1, samples);
        List<Frame> frames =
                tops.entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                                        .thenComparing(Map.Entry::getKey))
                        .limit(FRAMES_TOLD)
                        .map(e -> new Frame(e.getKey(), (double) e.getValue() / all))
                        .toList();
        return Optional.of(new Recorded(forces, micros, bytes, frames));
    }

    private static String top(@Nullable RecordedStackTrace stack) {
        if (stack == null || stack.getFrames().isEmpty()) {
            return "?";
        }
        RecordedFrame frame = stack.getFrames().get(0);
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }
}
