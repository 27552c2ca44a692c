package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.core.time.IntervalClock.Interval;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormats;

/** An output directory in a file store, and what must be true of it. */
final class OutputFixture {
    static final Incarnation EAST = new Incarnation(3, 17);
    static final String DIRECTORY = "/out/east";

    /** In which {@link #open} publishes. */
    static final String HOUR = "dt=2026-11-23/hour=07/";

    static final long HOUR_MICROS = 1_795_417_200_000_000L;

    /** The simulated death of a process: no code of ours catches it. */
    static final class Died extends RuntimeException {
        Died(String where) {
            super(where);
        }
    }

    private OutputFixture() {}

    static OutputDirectory open(FileStore files, String directory) throws IOException {
        return open(files, directory, () -> new Interval(HOUR_MICROS, HOUR_MICROS + 1));
    }

    static OutputDirectory open(FileStore files, String directory, IntervalClock clock)
            throws IOException {
        return OutputDirectory.open(
                files,
                directory,
                new OutputIdentity("pipeline-1", "print-1", "east", "id-1"),
                OutputFormats.of(OutputConfig.DEFAULTS),
                CrashPoints.none(),
                clock);
    }

    static OutputDirectory open(FileStore files) throws IOException {
        return open(files, DIRECTORY);
    }

    /** Event n: one main line, and for every third one in the output "late" too. */
    static WorkRecord record(int n) {
        return record(EAST, n);
    }

    static WorkRecord record(Incarnation incarnation, int n) {
        List<JoinedEvent> joined = new ArrayList<>();
        joined.add(new JoinedEvent("", ByteString.copyFromUtf8("{\"n\":" + n + "}")));
        if (n % 3 == 0) {
            joined.add(new JoinedEvent("late", ByteString.copyFromUtf8("{\"late\":" + n + "}")));
        }
        return new WorkRecord(
                new EventId(1_000_000L + n, 0, 7, 42),
                CommitToken.of(incarnation, n),
                "%032x".formatted(n),
                joined);
    }

    /** Published files by path, without the work area. */
    static Map<String, String> published(FileStore files, String directory) throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (FileInfo entry : files.list(directory)) {
            String name = OutputNames.last(entry.path());
            if (entry.directory() && !name.startsWith("_")) {
                published(files, directory + "/" + name)
                        .forEach((path, text) -> found.put(name + "/" + path, text));
            } else if (!entry.directory() && !name.startsWith("_")) {
                found.put(name, text(files, directory + "/" + name));
            }
        }
        return found;
    }

    static String text(FileStore files, String path) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[1000];
        try (ReadFile file = files.open(path)) {
            int count;
            while ((count = file.read(all.size(), buffer, 0, buffer.length)) > 0) {
                all.write(buffer, 0, count);
            }
        }
        return all.toString(UTF_8);
    }

    /**
     * Checks everything that must hold once the incarnation is sealed.
     *
     * @param synced numbers of the events that were synced before the fence
     * @param written numbers of all events that were handed to a work log before
     */
    static void checkSealed(
            FileStore files, OutputDirectory output, Set<Integer> synced, Set<Integer> written)
            throws IOException {
        assertThat(output.isSealed(EAST)).isTrue();
        Map<String, String> published = published(files, DIRECTORY);
        List<Integer> main = new ArrayList<>();
        List<Integer> late = new ArrayList<>();
        Set<String> manifested = new HashSet<>();
        Map<EventId, Integer> entries = new HashMap<>();
        for (Manifest manifest : output.manifests(EAST)) {
            assertThat(output.verify(manifest, Long.MIN_VALUE)).isEmpty();
            manifest.published().forEach(file -> manifested.add(file.path()));
            for (Manifest.Entry entry : manifest.entries()) {
                assertThat(entry.token().isOf(EAST)).isTrue();
                entries.merge(entry.id(), 1, Integer::sum);
            }
        }
        published.forEach(
                (path, text) ->
                        text.lines()
                                .forEach(
                                        line ->
                                                (path.startsWith("late/") ? late : main)
                                                        .add(number(line))));
        assertThat(main).doesNotHaveDuplicates();
        assertThat(late).doesNotHaveDuplicates();
        assertThat(main).containsAll(synced);
        assertThat(written).containsAll(main);
        assertThat(late)
                .containsExactlyInAnyOrderElementsOf(
                        main.stream().filter(n -> n % 3 == 0).toList());
        assertThat(manifested).isEqualTo(published.keySet());
        assertThat(entries.values()).allMatch(times -> times == 1);
        assertThat(entries.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        main.stream().map(n -> record(n).id()).toList());
        assertThat(output.strangers()).isEmpty();
    }

    static int number(String line) {
        return Integer.parseInt(line.substring(line.indexOf(':') + 1, line.length() - 1));
    }
}
