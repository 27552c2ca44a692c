package photon.simulation.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.simulation.kernel.Life;

/**
 * A group's state in one life of one server: applies what is committed, in order, as soon as it
 * gets round to it.
 */
final class SimulatedReplica<S extends ReplicatedState> {
    private static final int SNAPSHOT_ONE_IN = 40;
    private static final long SNAPSHOT_WRITE_NANOS = 30_000_000;
    static final byte[] NOTHING = new byte[0];

    final SimulatedGroup<S> group;
    final Member<S> member;
    final Life life;
    final S state;

    /** While it believes to lead. */
    @Nullable SimulatedLeadership<S> leading;

    /** The last leader that it heard of; null before. */
    @Nullable Member<S> leader;

    /** When it last heard of one. */
    long heardNanos;

    /** What was committed when it came up. */
    private final int committedAtStart;

    private int applied;
    private int committed;
    private boolean underWay;
    private boolean broken;
    private boolean removed;
    private boolean writing;
    private final List<Reader> readers = new ArrayList<>();

    private record Reader(int index, CompletableFuture<Void> there) {}

    SimulatedReplica(SimulatedGroup<S> group, Member<S> member, Life life, S state) {
        this.group = group;
        this.member = member;
        this.life = life;
        this.state = state;
        this.heardNanos = group.now();
        this.committedAtStart = group.committed();
        Member.Snapshot snapshot = member.snapshot;
        if (snapshot != null) {
            read(snapshot);
            group.counts.snapshotsRestored++;
        }
    }

    /** True while it runs and takes messages. */
    boolean up() {
        return life.alive() && !life.paused() && !broken && !removed;
    }

    /** Takes no part any more, though its process lives on. */
    void remove() {
        removed = true;
        if (leading != null) {
            leading.stepDown("removed");
        }
    }

    int applied() {
        return applied;
    }

    /** It has applied what was committed when it came up. */
    boolean caughtUp() {
        return applied >= committedAtStart;
    }

    /** All up to this index is committed, and in the log here. */
    void committed(int index) {
        committed = Math.max(committed, index);
        pump();
    }

    /** Completes once this index is applied here. */
    void await(int index, CompletableFuture<Void> there) {
        readers.add(new Reader(index, there));
        committed(0);
        tellReaders();
    }

    private void pump() {
        if (!underWay && applied < committed) {
            underWay = true;
            RandomGenerator random = group.random;
            long delay =
                    random.nextInt(20) == 0 ? random.nextInt(60_000_000) : random.nextInt(400_000);
            group.timeline.at(group.now() + delay, this::applySome);
        }
    }

    private void applySome() {
        underWay = false;
        boolean lags = leading == null && group.lags(member);
        if (!up() || lags) {
            // The next message of the leader begins anew.
            return;
        }
        int upTo = Math.min(committed, applied + 1 + group.random.nextInt(8));
        while (applied < upTo && !broken && life.alive()) {
            apply(applied + 1);
        }
        if (group.random.nextInt(SNAPSHOT_ONE_IN) == 0 && up()) {
            takeSnapshot();
        }
        tellReaders();
        pump();
    }

    private void apply(int index) {
        byte[] data = member.log.at(index).data;
        byte[] result = NOTHING;
        if (data != null) {
            try {
                result = state.apply(index, ByteBuffer.wrap(data).asReadOnlyBuffer());
            } catch (RuntimeException bug) {
                broken = true;
                life.bugHandler().onBug("Applying an entry of " + group.name, bug);
                return;
            }
        }
        applied = index;
        group.agreement.applied(member.host, index, result, state);
        SimulatedLeadership<S> leads = leading;
        if (leads != null) {
            leads.applied(index, result);
        }
    }

    private void tellReaders() {
        List<Reader> due = readers.stream().filter(reader -> reader.index <= applied).toList();
        readers.removeAll(due);
        due.forEach(reader -> reader.there.complete(null));
    }

    /** Freezes now and writes a while later, when more may be applied: as Raft's replicas do. */
    private void takeSnapshot() {
        if (writing) {
            return;
        }
        writing = true;
        int index = applied;
        group.agreement.compare(member.host, applied, state);
        FrozenState frozen = state.freeze();
        group.after(
                SNAPSHOT_WRITE_NANOS,
                () -> {
                    writing = false;
                    try (frozen) {
                        write(frozen, index);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private void write(FrozenState frozen, int index) throws IOException {
        Member.Snapshot last = member.snapshot;
        if (up() && (last == null || last.index() < index)) {
            MemorySnapshot taken = MemorySnapshot.of(frozen, last == null ? null : last.state());
            member.snapshot = new Member.Snapshot(index, taken);
        }
    }

    /** Takes the leader's state instead of the entries up to it, which are in the log here. */
    void install(Member.Snapshot snapshot) {
        if (snapshot.index() > applied && up()) {
            read(snapshot);
            member.snapshot = snapshot;
            group.counts.snapshotsInstalled++;
            tellReaders();
        }
    }

    private void read(Member.Snapshot snapshot) {
        try {
            state.restore(snapshot.state());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        applied = snapshot.index();
        committed = Math.max(committed, applied);
        group.agreement.compare(member.host, applied, state);
    }
}
