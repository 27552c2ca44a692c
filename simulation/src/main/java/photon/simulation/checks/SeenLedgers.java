package photon.simulation.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;

/**
 * Remembers what was durable in a datacenter's ledgers: at each check, and whenever a process
 * renames or removes a segment, so that no entry comes and goes unseen. Says of each that has gone
 * whether it may have (docs/protocol.md section 8). Not thread-safe.
 */
public final class SeenLedgers {
    private static final String SEGMENT = "/(ledger|leaving)-\\d+\\.jsonl";
    private static final String COPY = "/copy";

    private final MemoryFileStore files;
    private final Set<String> directories;
    private final Duration keep;
    private final TreeMap<String, Set<LedgerEntry>> seen = new TreeMap<>();

    /** By directory, the time by the clock of the process that renamed or removed its segment. */
    private final TreeMap<String, Map<LedgerEntry, Long>> taken = new TreeMap<>();

    /**
     * @param files the datacenter's
     * @param directories in which its daemons' states are
     * @param keep so long an entry stands at least by the clock of the process that takes it
     */
    public SeenLedgers(MemoryFileStore files, List<String> directories, Duration keep) {
        this.files = files;
        this.directories = Set.copyOf(directories);
        this.keep = keep;
    }

    /**
     * A process is about to give a file another name, or to remove it.
     *
     * @param ownMicros what its machine's clock says at the latest
     */
    public void changes(String path, long ownMicros) {
        int name = path.lastIndexOf('/');
        if (!path.substring(name).matches(SEGMENT)
                || directories.stream().noneMatch(path::startsWith)) {
            return;
        }
        String directory = path.substring(0, name);
        List<LedgerEntry> entries = durable(path);
        see(directory, entries);
        Map<LedgerEntry, Long> of = taken.computeIfAbsent(directory, d -> new HashMap<>());
        entries.forEach(entry -> of.merge(entry, ownMicros, Math::max));
    }

    private List<LedgerEntry> durable(String path) {
        List<LedgerEntry> entries = new ArrayList<>();
        MemoryFileStore durable = files.durableCopy();
        try {
            if (durable.stat(path) != null) {
                MemoryFileStore copy = new MemoryFileStore();
                copy.createDirectories(COPY);
                byte[] bytes = durable.content(path);
                try (FileStore.AppendFile file = copy.create(COPY + "/ledger-0000000001.jsonl")) {
                    file.write(bytes, 0, bytes.length);
                }
                Ledger.forEach(copy, COPY, entries::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    /** Is durable. */
    void see(String directory, List<LedgerEntry> entries) {
        seen.computeIfAbsent(directory, d -> new LinkedHashSet<>()).addAll(entries);
    }

    /** Of what was durable once, what is not among these any more. */
    List<LedgerEntry> ended(String directory, List<LedgerEntry> entries) {
        Set<LedgerEntry> of = seen.getOrDefault(directory, Set.of());
        if (of.isEmpty()) {
            return List.of();
        }
        Set<LedgerEntry> standing = new HashSet<>(entries);
        return of.stream().filter(entry -> !standing.contains(entry)).toList();
    }

    /**
     * Why an entry that has gone must not have; null: it may.
     *
     * @param boundaryMicros the lowest of all shards
     */
    @Nullable String wrong(String directory, LedgerEntry entry, long boundaryMicros) {
        Long ownMicros = taken.getOrDefault(directory, Map.of()).get(entry);
        EventId id = entry.id();
        long writtenMicros = TimeUnit.MILLISECONDS.toMicros(entry.atMillis());
        if (ownMicros == null) {
            return "no process has taken it";
        }
        if (id != null && id.micros() >= boundaryMicros) {
            return "the boundary is not above its event";
        }
        if (writtenMicros >= boundaryMicros) {
            return "the boundary is not above the time of its writing";
        }
        if (writtenMicros > ownMicros - TimeUnit.MILLISECONDS.toMicros(keep.toMillis())) {
            return "it did not stand for " + keep;
        }
        return null;
    }
}
