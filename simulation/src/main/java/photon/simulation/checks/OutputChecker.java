package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;

/**
 * I1: over all datacenters each joined event (identity, output, ordinal) is published at most once
 * and is a right one in its own output, all of an identity by one publication, and what is
 * published never changes and never vanishes. What was visible once counts forever, since somebody
 * may have read it. Not thread-safe.
 */
final class OutputChecker {
    private static final String INVARIANT = "I1";

    private final GroundTruth truth;
    private final List<DatacenterFiles> datacenters;
    private final Optional<UnmatchedInTime> unmatched;

    /** By datacenter and path. */
    private final Map<String, TreeMap<String, Seen>> published = new TreeMap<>();

    private final PublishedEvents events = new PublishedEvents();

    /** Identities that stood in a file that is gone for good. */
    private final TreeSet<EventId> lost = new TreeSet<>();

    private static final class Seen {
        final byte[] bytes;

        /** Its name was seen to survive a power cut. */
        boolean durable;

        /** A power cut took its name, which was not durable; whoever publishes makes it again. */
        boolean takenBack;

        Seen(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * @param unmatched when events may be joined without a primary event; empty: never
     */
    OutputChecker(
            GroundTruth truth,
            List<DatacenterFiles> datacenters,
            Optional<UnmatchedInTime> unmatched) {
        this.truth = truth;
        this.unmatched = unmatched;
        this.datacenters = List.copyOf(datacenters);
        datacenters.forEach(datacenter -> published.put(datacenter.name(), new TreeMap<>()));
    }

    /** What has got a name in this datacenter since; cheap. */
    List<InvariantViolation> checkNew(DatacenterFiles datacenter) throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        TreeMap<String, Seen> known =
                published.computeIfAbsent(datacenter.name(), name -> new TreeMap<>());
        List<String> paths = new ArrayList<>();
        collect(datacenter.files(), datacenter.outputDirectory(), paths);
        for (String path : paths) {
            if (!known.containsKey(path)) {
                byte[] bytes = datacenter.files().content(path);
                known.put(path, new Seen(bytes));
                readLines(datacenter, path, bytes, found);
            }
        }
        return found;
    }

    /** Which names a power cut now would leave. */
    void noteDurable(DatacenterFiles datacenter) throws IOException {
        noteDurable(datacenter, published(datacenter.files().durableCopy(), datacenter));
    }

    /** What is visible in this datacenter now. */
    List<InvariantViolation> check(DatacenterFiles datacenter) throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        compare(datacenter, published(datacenter.files(), datacenter), false, found);
        noteDurable(datacenter);
        return found;
    }

    /** After a power cut: names that were not durable may be gone, until they are made again. */
    List<InvariantViolation> checkAfterPowerLoss(DatacenterFiles datacenter) throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        Map<String, byte[]> standing = published(datacenter.files(), datacenter);
        compare(datacenter, standing, true, found);
        noteDurable(datacenter, standing);
        return found;
    }

    /** In the end everything that was ever seen must stand. */
    List<InvariantViolation> checkAllStand() throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        for (DatacenterFiles datacenter : datacenters) {
            Map<String, byte[]> standing = published(datacenter.files(), datacenter);
            compare(datacenter, standing, false, found);
            published
                    .getOrDefault(datacenter.name(), new TreeMap<>())
                    .forEach(
                            (path, seen) -> {
                                if (seen.takenBack) {
                                    found.add(vanished(datacenter, path));
                                }
                            });
        }
        return found;
    }

    /** What was published in this datacenter and is not lost, by who has published it. */
    Map<Incarnation, List<EventId>> identities(DatacenterFiles datacenter) {
        return events.by(datacenter.name());
    }

    /** The world has taken this file away for good: what it held shall be published once more. */
    void fileLost(DatacenterFiles datacenter, String path) {
        published.getOrDefault(datacenter.name(), new TreeMap<>()).remove(path);
        lost.addAll(events.remove(datacenter.name(), path));
    }

    /** It stood in a file that is gone for good, so that nobody waits for it for a while. */
    boolean wasLost(EventId id) {
        return lost.contains(id);
    }

    /** In some datacenter, with all that it gives. */
    boolean isPublished(EventId id) {
        return events.isWhole(id);
    }

    /** How many joined events of it are. */
    int publishedOf(EventId id) {
        return events.countOf(id);
    }

    /** How many events are joined once more, with a primary event that came late. */
    long upgrades() {
        return events.upgrades();
    }

    int publishedCount() {
        return events.size() - (int) events.upgrades();
    }

    /** Those of them that stand in more than one output. */
    int inSeveralOutputs() {
        return events.inSeveralOutputs();
    }

    /** Where it was published; null: nowhere. */
    @Nullable String placeOf(EventId id) {
        return events.describe(id);
    }

    private void compare(
            DatacenterFiles datacenter,
            Map<String, byte[]> standing,
            boolean afterPowerLoss,
            List<InvariantViolation> found) {
        TreeMap<String, Seen> known =
                published.computeIfAbsent(datacenter.name(), name -> new TreeMap<>());
        known.forEach(
                (path, seen) -> {
                    byte[] now = standing.get(path);
                    seen.takenBack =
                            now == null && (seen.takenBack || (afterPowerLoss && !seen.durable));
                    if (now == null) {
                        if (!seen.takenBack) {
                            found.add(vanished(datacenter, path));
                        }
                    } else if (!Arrays.equals(seen.bytes, now)) {
                        found.add(
                                InvariantViolation.of(
                                        INVARIANT,
                                        List.of(),
                                        "the published file %s%s changed from %d to %d bytes",
                                        datacenter.name(),
                                        path,
                                        seen.bytes.length,
                                        now.length));
                    }
                });
        standing.forEach(
                (path, bytes) -> {
                    if (!known.containsKey(path)) {
                        known.put(path, new Seen(bytes));
                        readLines(datacenter, path, bytes, found);
                    }
                });
    }

    private static InvariantViolation vanished(DatacenterFiles datacenter, String path) {
        return InvariantViolation.of(
                INVARIANT,
                List.of(),
                "the published file %s%s has vanished",
                datacenter.name(),
                path);
    }

    private void noteDurable(DatacenterFiles datacenter, Map<String, byte[]> durable) {
        published
                .getOrDefault(datacenter.name(), new TreeMap<>())
                .forEach((path, seen) -> seen.durable |= durable.containsKey(path));
    }

    private void readLines(
            DatacenterFiles datacenter, String path, byte[] bytes, List<InvariantViolation> found) {
        String text = new String(bytes, UTF_8);
        if (!text.isEmpty() && !text.endsWith("\n")) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            List.of(),
                            "the published file %s%s ends within a line",
                            datacenter.name(),
                            path));
        }
        String output = output(datacenter, path);
        int[] number = new int[1];
        text.lines()
                .forEach(
                        line ->
                                readLine(
                                        datacenter.name(), path, output, ++number[0], line, found));
    }

    /** Each has a folder of its name, but for the main one. */
    private static String output(DatacenterFiles datacenter, String path) {
        String within = path.substring(datacenter.outputDirectory().length() + 1);
        int slash = within.indexOf('/');
        return slash < 0 || within.startsWith("dt=") ? "" : within.substring(0, slash);
    }

    private void readLine(
            String datacenter,
            String path,
            String output,
            int number,
            String line,
            List<InvariantViolation> found) {
        String place = "%s%s line %d".formatted(datacenter, path, number);
        Emitted joined = truth.emitted(line);
        if (joined == null) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            List.of(),
                            "no event of the logs is joined like this, at %s: %s",
                            place,
                            line));
            return;
        }
        String wrong =
                joined.output().equals(output)
                        ? events.add(joined, datacenter, path, number)
                        : "what belongs to output '%s' stands at %s"
                                .formatted(joined.output(), place);
        if (wrong == null && joined.unmatched()) {
            wrong = unmatched.map(rule -> rule.problem(joined.id(), datacenter)).orElse(null);
        }
        if (wrong != null) {
            found.add(InvariantViolation.of(INVARIANT, List.of(joined.id()), "%s", wrong));
        }
    }

    /** Published files by path, absolute; what is named after '_' or '.' is none. */
    static Map<String, byte[]> published(MemoryFileStore files, DatacenterFiles datacenter)
            throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        List<String> paths = new ArrayList<>();
        collect(files, datacenter.outputDirectory(), paths);
        for (String path : paths) {
            found.put(path, files.content(path));
        }
        return found;
    }

    private static void collect(MemoryFileStore files, String folder, List<String> found) {
        for (FileInfo entry : files.peek(folder)) {
            String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
            if (name.startsWith("_") || name.startsWith(".")) {
                continue;
            }
            if (entry.directory()) {
                collect(files, entry.path(), found);
            } else {
                found.add(entry.path());
            }
        }
    }
}
