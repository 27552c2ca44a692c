package photon.dispatcher.flow;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.error.IoText;
import photon.core.loop.EventLoop;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.journal.OpenJournal;
import photon.storage.lease.PartitionLeases;
import photon.storage.state.StatePartitions;

/**
 * What a dispatcher does with the partitions that it takes and gives back: it claims their state,
 * in loops of their own, since the recovery of a journal may take minutes, and begins and ends
 * their flows, in the main loop. Called in the loop of the leases.
 */
public final class PartitionWork implements PartitionLeases.Work {
    /** How long a flow that ends lets events end that are on their way. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** A partition of which the registry has said nothing for so long is given back. */
    private static final Duration ASKED_FOR_MAX = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(PartitionWork.class);

    private final StatePartitions state;
    private final FileStore files;
    private final Loops loops;
    private final List<EventLoop> claims;
    private final PartitionFlows flows;
    private final UUID identity;
    private final Supplier<CompletableFuture<Optional<UUID>>> registered;
    private final long segmentBytesMax;
    private final BugHandler failures;

    /** Partitions whose flow is about to begin. Main loop. */
    private final Map<Integer, Taken> opening = new HashMap<>();

    /** Of these the registry is to be asked. Main loop. */
    private final List<Taken> toAsk = new ArrayList<>();

    private boolean asking;

    /**
     * @param claims in which states are claimed, each partition's in one of them
     * @param identity of the state
     * @param registered which state the registry has registered; asked in the main loop
     * @param failures told when a later owner has claimed a state, or it is not registered any
     *     more: this process has to stop
     */
    public PartitionWork(
            StatePartitions state,
            FileStore files,
            Loops loops,
            List<? extends EventLoop> claims,
            PartitionFlows flows,
            UUID identity,
            Supplier<CompletableFuture<Optional<UUID>>> registered,
            BugHandler failures) {
        this(
                state,
                files,
                loops,
                claims,
                flows,
                identity,
                registered,
                OpenJournal.SEGMENT_BYTES_MAX,
                failures);
    }

    /** With another size of the journals' segments. */
    public PartitionWork(
            StatePartitions state,
            FileStore files,
            Loops loops,
            List<? extends EventLoop> claims,
            PartitionFlows flows,
            UUID identity,
            Supplier<CompletableFuture<Optional<UUID>>> registered,
            long segmentBytesMax,
            BugHandler failures) {
        this.state = state;
        this.files = files;
        this.loops = loops;
        this.claims = List.copyOf(claims);
        this.flows = flows;
        this.identity = identity;
        this.registered = registered;
        this.segmentBytesMax = segmentBytesMax;
        this.failures = failures;
    }

    private StateDirectory directory(int partition) {
        return new StateDirectory(state.directory(partition));
    }

    @Override
    public long lastNumber(int partition) throws IOException {
        return StateFiles.lastOwner(files, directory(partition));
    }

    @Override
    public void begin(int partition, long number, Runnable failed) {
        loops.main()
                .execute(
                        () -> {
                            Taken taken = new Taken(partition, number, failed);
                            opening.put(partition, taken);
                            loops.main().schedule(ASKED_FOR_MAX, () -> giveUpUnanswered(taken));
                            toAsk.add(taken);
                            ask();
                        });
    }

    /** A lease whose partition is not worked on yet. */
    private static final class Taken {
        final int partition;
        final long number;
        final Runnable failed;

        /** From now on it ends behind the claim only. */
        boolean claims;

        /** Told when it is given back. */
        @Nullable Runnable ended;

        Taken(int partition, long number, Runnable failed) {
            this.partition = partition;
            this.number = number;
            this.failed = failed;
        }
    }

    /**
     * The state may have been declared lost while nobody here worked with it. One question at a
     * time: it is asked until there is an answer, and what is taken meanwhile needs one of its own.
     */
    private void ask() {
        if (asking || toAsk.isEmpty()) {
            return;
        }
        asking = true;
        List<Taken> of = List.copyOf(toAsk);
        toAsk.clear();
        registered
                .get()
                .whenComplete(
                        (now, failure) -> {
                            boolean answered = failure == null;
                            boolean same = answered && now.filter(identity::equals).isPresent();
                            loops.main().execute(() -> answered(of, answered, same));
                        });
    }

    private void answered(List<Taken> of, boolean answered, boolean same) {
        asking = false;
        of.stream().filter(this::waits).forEach(taken -> admitted(taken, answered, same));
        ask();
    }

    /** False: it was given back, or its time is over. */
    private boolean waits(Taken taken) {
        return opening.get(taken.partition) == taken && !taken.claims;
    }

    private void admitted(Taken taken, boolean answered, boolean same) {
        if (!answered) {
            loops.main()
                    .schedule(
                            ASK_AGAIN,
                            () -> {
                                if (waits(taken)) {
                                    toAsk.add(taken);
                                    ask();
                                }
                            });
        } else if (same) {
            taken.claims = true;
            claims.get(taken.partition % claims.size()).execute(() -> claim(taken));
        } else {
            failures.onBug(
                    "the dispatcher's state in " + state.state(),
                    new IOException(
                            "The registry has not this state registered, but another one or none:"
                                    + " this one was declared lost, or the registry is another one"));
        }
    }

    private void giveUpUnanswered(Taken taken) {
        if (waits(taken)) {
            giveUp(taken, "the registry does not say whether its state counts");
        }
    }

    private void giveUp(Taken taken, String why) {
        log.warn(
                "Partition {} of the state in {} is given back, for others to try: {}",
                taken.partition,
                state.state(),
                why);
        opening.remove(taken.partition);
        taken.failed.run();
    }

    private void claim(Taken taken) {
        StateFiles claimed;
        try {
            expectJournal(directory(taken.partition));
            claimed =
                    StateFiles.openAs(
                            taken.number, files, directory(taken.partition), segmentBytesMax);
        } catch (LateOwnerException e) {
            failures.onBug("the dispatcher's state in " + state.directory(taken.partition), e);
            return;
        } catch (IOException e) {
            log.warn("{} cannot be claimed", state.directory(taken.partition), e);
            loops.main().execute(() -> giveUp(taken, IoText.of(e)));
            return;
        }
        loops.main()
                .execute(
                        () -> {
                            flows.begin(taken.partition, claimed);
                            opening.remove(taken.partition);
                            Runnable ended = taken.ended;
                            if (ended != null) {
                                flows.end(taken.partition, DRAIN, ended);
                            }
                        });
    }

    /** It was made with the state: one that is made anew would lack its rows, silently. */
    private void expectJournal(StateDirectory partition) throws IOException {
        if (files.stat(partition.journal()) == null) {
            throw new IOException(
                    "Expected the journal %s, but it is gone: restore it, or declare the state lost"
                            .formatted(partition.journal()));
        }
    }

    @Override
    public void end(int partition, Runnable ended) {
        loops.main()
                .execute(
                        () -> {
                            Taken taken = opening.get(partition);
                            if (taken == null) {
                                flows.end(partition, DRAIN, ended);
                            } else if (taken.claims) {
                                taken.ended = ended;
                            } else {
                                opening.remove(partition);
                                ended.run();
                            }
                        });
    }
}
