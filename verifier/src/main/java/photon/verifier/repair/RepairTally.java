package photon.verifier.repair;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import photon.core.id.Incarnation;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * How many lost events were handed over for each incarnation that was ever repaired here: what the
 * report calls "repaired". It outlives the process, and a repair that starts over is not counted
 * twice. A line per incarnation, and one for all that are retired. For people: nothing is decided
 * by it. Not thread-safe.
 */
public final class RepairTally {
    private static final String NAME = "repaired";

    /** Stands for all that are retired. No registry gives such numbers. */
    private static final Incarnation RETIRED =
            new Incarnation(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final FileStore files;
    private final String directory;

    /**
     * @param directory the verifier's state; made if need be
     */
    public RepairTally(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Events of all incarnations. */
    public long total() throws IOException {
        if (files.stat(directory) == null) {
            return 0;
        }
        return counts(document().read()).values().stream().mapToLong(Long::longValue).sum();
    }

    /** At least so many events of this incarnation were handed over. Durable on return. */
    void raise(Incarnation incarnation, long events) throws IOException {
        files.createDirectories(directory);
        change(
                counts -> {
                    boolean more = counts.getOrDefault(incarnation, 0L) < events;
                    if (more) {
                        counts.put(incarnation, events);
                    }
                    return more;
                });
    }

    /** What was handed over for it counts with that of all retired ones. May be repeated. */
    void retire(Incarnation incarnation) throws IOException {
        if (files.stat(directory) == null) {
            return;
        }
        change(
                counts -> {
                    Long events = counts.remove(incarnation);
                    if (events != null) {
                        counts.merge(RETIRED, events, Long::sum);
                    }
                    return events != null;
                });
    }

    /**
     * @param change false: nothing is to be changed
     */
    private void change(Predicate<Map<Incarnation, Long>> change) throws IOException {
        VersionedDocument document = document();
        while (true) {
            Optional<VersionedDocument.Version> version = document.read();
            Map<Incarnation, Long> counts = counts(version);
            if (!change.test(counts)) {
                return;
            }
            // False: another repairer of this datacenter was faster; what it wrote is kept.
            if (document.write(
                    version.map(VersionedDocument.Version::number).orElse(0L), encode(counts))) {
                return;
            }
        }
    }

    private VersionedDocument document() {
        return new VersionedDocument(files, directory, NAME);
    }

    private static byte[] encode(Map<Incarnation, Long> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (incarnation, events) ->
                        text.append(incarnation).append(' ').append(events).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<Incarnation, Long> counts(Optional<VersionedDocument.Version> version) {
        Map<Incarnation, Long> counts = new TreeMap<>();
        if (version.isPresent()) {
            String text = new String(version.get().content(), StandardCharsets.UTF_8);
            text.lines()
                    .forEach(
                            line -> {
                                int space = line.indexOf(' ');
                                counts.put(
                                        Incarnation.parse(line.substring(0, space)),
                                        Long.parseLong(line.substring(space + 1)));
                            });
        }
        return counts;
    }
}
