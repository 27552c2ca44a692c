package photon.storage.lease;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.error.Reminders;
import photon.core.loop.EventLoop;
import photon.storage.document.DocumentFolder;
import photon.storage.files.FileStore;
import photon.storage.lease.LeaseDocument.Standing;
import photon.storage.state.StatePartitions;

/**
 * A node's part in the work on the partitions of a state (docs/protocol.md section 7): it
 * advertises itself in the {@link NodeList}, takes its share of the leases, and gives back what is
 * more. The number that it hands out with a lease is what fences; the lease saves work. It owns a
 * loop, in which it reads and writes its documents, so that slow work on other files does not keep
 * it from renewing.
 */
public final class PartitionLeases {
    /** So long after its last renewal a node counts as dead for all, but for a short pause. */
    public static final Duration TERM = Duration.ofSeconds(20);

    /** Nodes have left for good that have stood still for so many terms. */
    private static final int TERMS_KEPT = 180;

    /**
     * A partition that it asks for again is taken from another one, and stands still until that has
     * it back if it still cannot be begun.
     */
    private static final Duration LIMITED_MAX = Duration.ofMinutes(10);

    private static final int TERMS_OF_TRIAL = 4;

    /** Within which a partition cannot be begun or has been. */
    private static final int TERMS_TO_BEGIN = 2;

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private static final Logger log = LoggerFactory.getLogger(PartitionLeases.class);

    private final EventLoop loop;
    private final String state;
    private final Node self;
    private final Work work;
    private final BugHandler lost;
    private final NodeList nodes;
    private final DocumentFolder folder;
    private final ShareRule rule;
    private final List<Known> leases = new ArrayList<>();
    private final TreeMap<Integer, Lease> held = new TreeMap<>();
    private final TreeSet<Integer> givingBack = new TreeSet<>();

    /** Of these, those on which nothing is done any more. */
    private final TreeSet<Integer> idle = new TreeSet<>();

    /** Until when partitions are not taken that could not be worked on. */
    private final Map<Integer, Long> avoided = new HashMap<>();

    private final Map<String, Silence> silences = new HashMap<>();
    private final Reminders<String> outages = new Reminders<>();

    /** Until when it asks for no more than it works on, since it could not begin one. */
    private long limitedUntilNanos;

    /** The next such time, which grows as long as that goes on. */
    private Duration limitedFor;

    private boolean limited;

    /** When it took a partition last. */
    private long tookNanos;

    /** Of its own entry; 0: it has not joined. */
    private long version;

    /** A write of its entry failed, and may have been done. */
    private boolean inDoubt;

    /** Until then nobody can have taken its partitions over, whatever the others' clocks. */
    private long validUntilNanos;

    private boolean joined;
    private boolean leaving;
    private boolean ended;

    /** A partition's document, as it was read last. */
    private record Known(String name, LeaseDocument document, Standing standing) {
        Known with(Standing now) {
            return new Known(name, document, now);
        }
    }

    /** Since when an entry has stood still. */
    private record Silence(long version, long sinceNanos) {}

    /** What is done with partitions. In the loop of the leases. */
    public interface Work {
        /** The highest number with which anybody has ever worked on it; 0: nobody has. */
        long lastNumber(int partition) throws IOException;

        /**
         * It may be worked on, with this number.
         *
         * @param failed run, in any loop, if it cannot be, for a reason that may pass: it is given
         *     back, for others to try
         */
        void begin(int partition, long number, Runnable failed);

        /**
         * It shall be given back.
         *
         * @param ended run, in any loop, when nothing is written there any more
         */
        void end(int partition, Runnable ended);
    }

    private PartitionLeases(
            EventLoop loop,
            FileStore files,
            StatePartitions state,
            Node self,
            RandomGenerator random,
            Work work,
            BugHandler lost) {
        this.loop = loop;
        this.state = state.state();
        this.self = self;
        this.limitedFor = self.term();
        this.work = work;
        this.lost = lost;
        this.nodes = new NodeList(files, state.nodes());
        this.folder = new DocumentFolder(files, state.leases());
        this.rule = new ShareRule(self.name(), random);
        for (int partition = 0; partition < state.count(); partition++) {
            String name = StatePartitions.leaseName(partition);
            leases.add(new Known(name, new LeaseDocument(folder, name), Standing.NONE));
        }
    }

    /**
     * Joins, and takes part from then on.
     *
     * @param loop its own
     * @param lost told, once, when it may not work any more: this process has to stop
     */
    public static PartitionLeases join(
            EventLoop loop,
            FileStore files,
            StatePartitions state,
            Node self,
            RandomGenerator random,
            Work work,
            BugHandler lost) {
        PartitionLeases leases = new PartitionLeases(loop, files, state, self, random, work, lost);
        loop.execute(leases::turn);
        return leases;
    }

    private Duration pace() {
        return self.term().dividedBy(ShareRule.PARTS);
    }

    private void turn() {
        if (ended) {
            return;
        }
        long asked = loop.nanoTime();
        if (joined && asked - validUntilNanos > 0) {
            end("it could not renew its entry in time");
            return;
        }
        Duration next = pace();
        try {
            if (renew(asked)) {
                next = look();
            }
            if (outages.isOver(state)) {
                log.info("The node list and the leases in {} can be read and written again", state);
            }
        } catch (IOException e) {
            // It may have been written. The next turn tells, which comes sooner.
            next = pace().dividedBy(ShareRule.PARTS);
            if (outages.isDue(state, loop.nanoTime())) {
                log.warn(
                        "The node list and the leases in {} cannot be read or written, and are tried again until they can: {}",
                        state,
                        IoText.of(e));
            }
        }
        loop.schedule(next, this::turn);
    }

    /** False: not this time. */
    private boolean renew(long askedNanos) throws IOException {
        if (!joined && !inDoubt) {
            nodes.make();
            version = nodes.version(self.name());
        }
        boolean doubtful = inDoubt;
        inDoubt = true;
        boolean written = nodes.write(version, now(askedNanos));
        if (!written && doubtful && nodes.version(self.name()) == version + 1) {
            version++; // its own, of the turn that failed
            written = nodes.write(version, now(askedNanos));
        }
        inDoubt = false;
        if (!written) {
            end(
                    "another process uses its name, %s, or it stood still for an hour. Was deployment.state copied from another machine?"
                            .formatted(self.name()));
            return false;
        }
        version++;
        joined = true;
        // Less than others wait: the clocks of two machines do not run equally fast.
        validUntilNanos = askedNanos + self.term().toNanos() * 5 / 8;
        return true;
    }

    /** How long until the next look. */
    private Duration look() throws IOException {
        for (int partition : List.copyOf(idle)) {
            release(partition);
        }
        long asked = loop.nanoTime();
        Map<String, NodeList.Entry> entries = nodes.look();
        // What was read of itself may be of a while ago.
        entries.put(self.name(), new NodeList.Entry(version, now(asked)));
        if (!readLeases()) {
            return pace();
        }
        ShareRule.Decision decision =
                rule.looked(
                        new ShareRule.View(
                                entries,
                                leases.stream().map(known -> known.standing().lease()).toList(),
                                held.keySet(),
                                asked,
                                loop.nanoTime()));
        for (int partition : decision.giveBack()) {
            if (leaving) {
                continue; // all end already
            }
            if (held.containsKey(partition)) {
                giveBack(partition);
            } else {
                giveBackOfEarlierLife(partition);
            }
        }
        avoided.values().removeIf(until -> until - asked < 0);
        for (int partition : decision.take()) {
            if (loop.nanoTime() - asked > pace().toNanos() / 2) {
                return AT_ONCE; // it renews first
            }
            if (!leaving && !avoided.containsKey(partition)) {
                take(partition);
            }
        }
        removeThoseWhoLeft(entries, asked);
        return decision.silentIn().compareTo(pace()) < 0 ? decision.silentIn() : pace();
    }

    /** With one listing, and a reading of each that has changed. False: it may not go on. */
    private boolean readLeases() throws IOException {
        Map<String, Long> versions = folder.versions();
        for (int partition = 0; partition < leases.size(); partition++) {
            Known known = leases.get(partition);
            if (versions.getOrDefault(known.name(), 0L) != known.standing().version()) {
                try {
                    leases.set(partition, known.with(known.document().read()));
                } catch (IOException e) {
                    // What it said last counts. The others are not held up by it.
                    warn("The lease of partition %s cannot be read", partition, e);
                    continue;
                }
            }
            Lease mine = held.get(partition);
            Standing standing = leases.get(partition).standing();
            if (mine != null && !standing.isHeldBy(mine.number())) {
                end(
                        "another dispatcher has taken over partition %d, %s"
                                .formatted(
                                        partition,
                                        standing.lease().map(Lease::holder).orElse("nobody")));
                return false;
            }
        }
        return true;
    }

    /** A damaged document stays so until a person comes, and is looked at every few seconds. */
    private void warn(String what, int partition, IOException e) {
        String trouble = what.formatted(partition);
        if (outages.isDue(trouble, loop.nanoTime())) {
            log.warn("{} in {}: {}", trouble, state, IoText.of(e));
        }
    }

    private void take(int partition) throws IOException {
        Known known = leases.get(partition);
        long lastNumber;
        try {
            lastNumber = work.lastNumber(partition);
        } catch (IOException e) {
            // The others are not held up by it.
            warn("Partition %s is left to others", partition, e);
            avoid(partition);
            return;
        }
        Optional<Lease> got = known.document().take(known.standing(), self.name(), lastNumber);
        if (got.isEmpty()) {
            return; // another one was faster
        }
        leases.set(partition, known.with(new Standing(known.standing().version() + 1, got)));
        held.put(partition, got.get());
        tookNanos = loop.nanoTime();
        log.info(
                "This dispatcher works on partition {} of {} of the state in {}, with number {}",
                partition,
                leases.size(),
                state,
                got.get().number());
        work.begin(partition, got.get().number(), () -> loop.execute(() -> failed(partition)));
    }

    private void giveBack(int partition) {
        if (givingBack.add(partition)) {
            log.info(
                    "This dispatcher gives partition {} of the state in {} to others",
                    partition,
                    state);
            work.end(partition, () -> loop.execute(() -> ended(partition)));
        }
    }

    private void failed(int partition) {
        if (!ended && held.containsKey(partition)) {
            avoid(partition);
            givingBack.add(partition);
            ended(partition);
        }
    }

    private void avoid(int partition) {
        long now = loop.nanoTime();
        avoided.put(partition, now + self.term().toNanos());
        if (limited && now - limitedUntilNanos < 0) {
            return;
        }
        Duration twice = limitedFor.multipliedBy(2);
        Duration longer = twice.compareTo(LIMITED_MAX) < 0 ? twice : LIMITED_MAX;
        limitedFor = isOnTrial(now) ? longer : self.term();
        limitedUntilNanos = now + limitedFor.toNanos();
        limited = true;
    }

    /**
     * After the limit: others give it a part of its share again, which takes them a term or two.
     */
    private boolean isOnTrial(long nanoTime) {
        return limited
                && nanoTime - limitedUntilNanos
                        < limitedFor.plus(self.term().multipliedBy(TERMS_OF_TRIAL)).toNanos();
    }

    /** As it advertises itself. */
    private Node now(long nanoTime) {
        int worksOn = held.size() - givingBack.size();
        if (limited && nanoTime - limitedUntilNanos < 0) {
            return self.limitedTo(worksOn);
        }
        // One at a time: what is given to it in vain stands still until another one has it again.
        boolean begins = nanoTime - tookNanos < self.term().multipliedBy(TERMS_TO_BEGIN).toNanos();
        return isOnTrial(nanoTime) ? self.limitedTo(begins ? worksOn : worksOn + 1) : self;
    }

    private void giveBackOfEarlierLife(int partition) throws IOException {
        Known known = leases.get(partition);
        Optional<Lease> earlier = known.standing().lease();
        if (earlier.isPresent()) {
            known.document().write(known.standing().version(), earlier.get().asReleased());
        }
    }

    private void ended(int partition) {
        if (!ended && givingBack.contains(partition)) {
            idle.add(partition);
            try {
                release(partition);
            } catch (IOException e) {
                // The next turn tries again. Until then it is its own, and nobody works on it.
                warn("Partition %s is not given back yet", partition, e);
            }
        }
    }

    private void release(int partition) throws IOException {
        Lease mine = held.get(partition);
        Known known = leases.get(partition);
        Standing standing = known.document().read();
        if (mine != null && standing.isHeldBy(mine.number())) {
            known.document().write(standing.version(), mine.asReleased());
            standing = known.document().read();
        }
        leases.set(partition, known.with(standing));
        held.remove(partition);
        givingBack.remove(partition);
        idle.remove(partition);
    }

    /**
     * Of nodes that have stood still for an hour, by the node that works on the first partition.
     */
    private void removeThoseWhoLeft(Map<String, NodeList.Entry> entries, long askedNanos)
            throws IOException {
        silences.keySet().retainAll(entries.keySet());
        for (Map.Entry<String, NodeList.Entry> entry : entries.entrySet()) {
            long now = entry.getValue().version();
            Silence before = silences.get(entry.getKey());
            if (before == null || before.version() != now) {
                silences.put(entry.getKey(), new Silence(now, askedNanos));
            } else if (held.containsKey(0)
                    && !entry.getKey().equals(self.name())
                    && askedNanos - before.sinceNanos() > TERMS_KEPT * self.term().toNanos()) {
                nodes.remove(entry.getKey());
            }
        }
    }

    private void end(String why) {
        ended = true;
        lost.onBug(
                "the leases of the dispatcher's state in " + state,
                // No bug: what has happened is all in the message.
                new FailedException("This dispatcher works with the state no more: " + why));
    }

    /** Takes no more, before all work ends. */
    public void takeNoMore() {
        loop.execute(() -> leaving = true);
    }

    /**
     * Gives back all that it has, so that nobody need wait, and leaves; to be called when nothing
     * is written any more. If that fails, others wait for the term.
     *
     * @param done run in its loop
     */
    public void leave(Runnable done) {
        loop.execute(
                () -> {
                    if (!ended && joined) {
                        try {
                            for (int partition : List.copyOf(held.keySet())) {
                                release(partition);
                            }
                            nodes.remove(self.name());
                        } catch (IOException e) {
                            log.warn(
                                    "The leases in {} are not given back: {}", state, IoText.of(e));
                        }
                    }
                    ended = true;
                    done.run();
                });
    }
}
