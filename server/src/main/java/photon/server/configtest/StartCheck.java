package photon.server.configtest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.error.ConfigException;
import photon.core.time.IntervalClock;
import photon.server.configtest.rules.Diagnosis;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.StreamSample;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.Globs;
import photon.storage.files.StreamFiles;

/**
 * Looks at the first records of a few files before anything starts, and refuses what would be wrong
 * for good: dates that are none of today's logs', and columns that no header has. What else may be
 * wrong {@link ConfigTest} finds.
 */
public final class StartCheck {
    private static final int RECORDS = 1_000;

    /** Enough for the first records of each file. */
    private static final int HEADERS_ONLY = 20;

    /** The first by name, and as many of the newest. */
    private static final int FILES_EACH = 2;

    private final FileStore files;
    private final IntervalClock clock;
    private final List<String> problems = new ArrayList<>();

    private StartCheck(FileStore files, IntervalClock clock) {
        this.files = files;
        this.clock = clock;
    }

    /**
     * Both streams.
     *
     * @throws ConfigException that names every problem
     */
    public static void check(PipelineConfig config, FileStore files, IntervalClock clock)
            throws IOException {
        StartCheck check = new StartCheck(files, clock);
        check.look("primary", config.primary());
        check.look("foreign", config.foreign());
        check.refuse();
    }

    /**
     * One stream.
     *
     * @param name {@code primary} or {@code foreign}
     * @throws ConfigException that names every problem
     */
    public static void check(String name, StreamConfig stream, FileStore files, IntervalClock clock)
            throws IOException {
        StartCheck check = new StartCheck(files, clock);
        check.look(name, stream);
        check.refuse();
    }

    /** What a person should see although the run starts: globs that match nothing. */
    public static List<String> notes(PipelineConfig config, FileStore files) throws IOException {
        List<Finding> found = new ArrayList<>();
        found.addAll(Diagnosis.ofGlobs("foreign", GlobMatches.of(config.foreign(), files)));
        found.addAll(Diagnosis.ofGlobs("primary", GlobMatches.of(config.primary(), files)));
        return found.stream().map(Finding::text).toList();
    }

    private void look(String name, StreamConfig stream) throws IOException {
        List<String> heads = someFiles(stream);
        if (heads.isEmpty()) {
            return;
        }
        StreamConfig few =
                new StreamConfig(
                        heads,
                        stream.format(),
                        stream.where(),
                        stream.whereNot(),
                        stream.id(),
                        stream.timestamp(),
                        stream.primaryId(),
                        // The dates of a member whose end is far away tell as much.
                        stream.input().trusting());
        long now = clock.now().latestMicros();
        boolean datesCount =
                stream.timestamp()
                        .filter(timestamp -> timestamp.dates() == TimestampConfig.Dates.PLAUSIBLE)
                        .isPresent();
        try (SampleReader reader = new SampleReader(name, few, files, clock)) {
            reader.sample(datesCount ? RECORDS : HEADERS_ONLY);
            StreamSample sample = reader.result();
            (datesCount
                            ? Diagnosis.ofStart(
                                    sample, new TrialReader(files, clock).of(sample, now), now)
                            : Diagnosis.ofHeaders(sample))
                    .stream().filter(Finding::isError).map(Finding::text).forEach(problems::add);
        }
    }

    private void refuse() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** Each is a pattern that matches itself alone. */
    private List<String> someFiles(StreamConfig stream) throws IOException {
        Map<String, FileInfo> matching = new TreeMap<>();
        StreamFiles.now(files, stream).forEach(file -> matching.put(file.path(), file));
        Set<String> some = new TreeSet<>();
        matching.keySet().stream().limit(FILES_EACH).forEach(some::add);
        matching.values().stream()
                .sorted(Comparator.comparingLong(FileInfo::modifiedMillis).reversed())
                .limit(FILES_EACH)
                .forEach(file -> some.add(file.path()));
        return some.stream().filter(path -> !Globs.isWild(path)).toList();
    }
}
