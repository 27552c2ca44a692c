package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.WorkLogReader;
import photon.storage.output.WorkRecord;

/**
 * I3: what a joiner answers JOINED has a whole record, at that moment, in bytes of its datacenter's
 * output that survive a power cut. What a fenced incarnation answers late is its repair's: a sealer
 * may have cut that record off. Not thread-safe.
 */
final class AnsweredIsDurable {
    private static final String INVARIANT = "I3";
    private static final Pattern LOG = Pattern.compile("(work|frozen)-[0-9]+\\.log");

    private final GroundTruth truth;
    private final RegistryTruth registry;
    private final Map<String, Published> published = new TreeMap<>();

    /** What was seen to stand durably under published names, which never goes. */
    private static final class Published {
        final Set<String> paths = new HashSet<>(); // looked up, never walked
        final Map<EventId, Integer> joined = new HashMap<>(); // looked up, never walked
        final Set<EventId> ids = new HashSet<>(); // of which all stands there; likewise
    }

    AnsweredIsDurable(GroundTruth truth, RegistryTruth registry) {
        this.truth = truth;
        this.registry = registry;
    }

    /**
     * @param by the incarnation that answers, or that and another one of the same process
     * @param ids answered JOINED now
     */
    List<InvariantViolation> check(
            DatacenterFiles datacenter, List<Incarnation> by, List<EventId> ids)
            throws IOException {
        if (by.stream().anyMatch(this::isLeftToRepair)) {
            return List.of();
        }
        MemoryFileStore durable = datacenter.files().durableCopy();
        Published standing = published.computeIfAbsent(datacenter.name(), name -> new Published());
        notePublished(durable, datacenter, standing);
        Set<EventId> missing = new HashSet<>(ids);
        missing.removeIf(standing.ids::contains);
        if (!missing.isEmpty()) {
            findInLogs(durable, datacenter.outputDirectory() + "/_work", missing);
        }
        List<EventId> notDurable = ids.stream().filter(missing::contains).toList();
        return notDurable.isEmpty()
                ? List.of()
                : List.of(
                        InvariantViolation.of(
                                INVARIANT,
                                notDurable,
                                "%s of %s answers JOINED for %d events without a durable record",
                                by,
                                datacenter.name(),
                                notDurable.size()));
    }

    private boolean isLeftToRepair(Incarnation one) {
        boolean closedClean = registry.settled(one) && !registry.repaired(one);
        return !registry.live(one) && !closedClean;
    }

    private void notePublished(
            MemoryFileStore durable, DatacenterFiles datacenter, Published standing)
            throws IOException {
        for (Map.Entry<String, byte[]> file :
                OutputChecker.published(durable, datacenter).entrySet()) {
            if (standing.paths.add(file.getKey())) {
                for (String line : new String(file.getValue(), UTF_8).lines().toList()) {
                    Emitted joined = truth.emitted(line);
                    if (joined != null
                            && standing.joined.merge(joined.id(), 1, Integer::sum)
                                    >= joined.count()) {
                        standing.ids.add(joined.id());
                    }
                }
            }
        }
    }

    /** Takes away what stands in a log of any incarnation, wherever a sealer has moved it. */
    private static void findInLogs(MemoryFileStore durable, String work, Set<EventId> missing)
            throws IOException {
        if (durable.stat(work) == null) {
            return;
        }
        // The latest incarnations last, and it is mostly they.
        List<FileInfo> directories = new ArrayList<>(durable.list(work));
        for (int i = directories.size() - 1; i >= 0 && !missing.isEmpty(); i--) {
            if (directories.get(i).directory()) {
                for (FileInfo file : durable.list(directories.get(i).path())) {
                    String name = file.path().substring(file.path().lastIndexOf('/') + 1);
                    if (LOG.matcher(name).matches()) {
                        findInLog(durable, file.path(), missing);
                    }
                }
            }
        }
    }

    private static void findInLog(MemoryFileStore durable, String path, Set<EventId> missing) {
        try (WorkLogReader log = WorkLogReader.read(durable, path)) {
            @Nullable WorkRecord record;
            while ((record = log.next()) != null) {
                missing.remove(record.id());
            }
        } catch (IOException damaged) {
            // A dead incarnation's, torn by a power cut: what stands before the damage counts.
            return;
        }
    }
}
