package photon.simulation.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** One server's log of one group, as it is on its disk. The first index is 1. */
final class DurableLog {
    private final List<LogEntry> entries = new ArrayList<>();

    /** The highest term it has voted in or taken entries of. */
    long term;

    /** Entries up to here outlast a crash. */
    private int synced;

    int last() {
        return entries.size();
    }

    LogEntry at(int index) {
        return entries.get(index - 1);
    }

    long lastTerm() {
        return entries.isEmpty() ? 0 : at(last()).term;
    }

    /** A copy of the entries behind this index. */
    List<LogEntry> behind(int index) {
        return new ArrayList<>(entries.subList(index, entries.size()));
    }

    void append(LogEntry entry) {
        entries.add(entry);
    }

    /** Takes a leader's entries that follow an index; what differs from there on goes. */
    void take(int behind, List<LogEntry> leaders) {
        int at = behind;
        for (LogEntry entry : leaders) {
            if (at < entries.size() && entries.get(at) != entry) {
                entries.subList(at, entries.size()).clear();
                synced = Math.min(synced, at);
            }
            if (at == entries.size()) {
                entries.add(entry);
            }
            at++;
        }
    }

    void sync(int upTo) {
        synced = Math.max(synced, Math.min(upTo, entries.size()));
    }

    /** What was not synced is lost, all or from some entry on. */
    void crash(RandomGenerator random) {
        int kept = synced + random.nextInt(entries.size() - synced + 1);
        entries.subList(kept, entries.size()).clear();
        synced = kept;
    }

    /** True if an election allows its owner to lead the other's. */
    boolean coversEndOf(DurableLog other) {
        return lastTerm() > other.lastTerm()
                || (lastTerm() == other.lastTerm() && last() >= other.last());
    }
}
