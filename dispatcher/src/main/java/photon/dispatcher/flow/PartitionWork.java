package photon.dispatcher.flow;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.error.IoText;
import photon.core.loop.EventLoop;
import photon.dispatcher.StateDirectory;
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

    /** How often the registry is asked about one partition. */
    private static final int TRIES = 30;

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

    /**
     * Partitions whose flow is about to begin, and what is to be run if it shall end. Main loop.
     */
    private final Map<Integer, Optional<Runnable>> opening = new HashMap<>();

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
                            opening.put(partition, Optional.empty());
                            admit(new Taken(partition, number, failed), TRIES);
                        });
    }

    /** A lease. */
    private record Taken(int partition, long number, Runnable failed) {}

    /** The state may have been declared lost while nobody here worked with it. */
    private void admit(Taken taken, int tries) {
        registered
                .get()
                .whenComplete(
                        (now, failure) -> {
                            boolean answered = failure == null;
                            boolean same = answered && now.filter(identity::equals).isPresent();
                            loops.main().execute(() -> admitted(taken, tries, answered, same));
                        });
    }

    private void admitted(Taken taken, int tries, boolean answered, boolean same) {
        if (endedMeanwhile(taken.partition())) {
            return;
        }
        if (!answered && tries == 1) {
            giveUp(taken, "the registry does not say whether its state counts");
        } else if (!answered) {
            loops.main().schedule(ASK_AGAIN, () -> admit(taken, tries - 1));
        } else if (same) {
            claims.get(taken.partition() % claims.size()).execute(() -> claim(taken));
        } else {
            failures.onBug(
                    "the dispatcher's state in " + state.state(),
                    new IOException(
                            "The registry has not this state registered, but another one or none: this one was declared lost, or the registry is another one"));
        }
    }

    /** True: it shall be given back, and nothing has begun. */
    private boolean endedMeanwhile(int partition) {
        Optional<Runnable> ended = requireNonNull(opening.get(partition), "Expected a taking");
        ended.ifPresent(
                then -> {
                    opening.remove(partition);
                    then.run();
                });
        return ended.isPresent();
    }

    private void giveUp(Taken taken, String why) {
        log.warn(
                "Partition {} of the state in {} is given back, for others to try: {}",
                taken.partition(),
                state.state(),
                why);
        opening.remove(taken.partition());
        taken.failed().run();
    }

    private void claim(Taken taken) {
        StateFiles claimed;
        try {
            claimed =
                    StateFiles.openAs(
                            taken.number(), files, directory(taken.partition()), segmentBytesMax);
        } catch (LateOwnerException e) {
            failures.onBug("the dispatcher's state in " + state.directory(taken.partition()), e);
            return;
        } catch (IOException e) {
            log.warn("{} cannot be claimed", state.directory(taken.partition()), e);
            loops.main().execute(() -> giveUp(taken, IoText.of(e)));
            return;
        }
        loops.main()
                .execute(
                        () -> {
                            flows.begin(taken.partition(), claimed);
                            Optional<Runnable> ended =
                                    requireNonNull(
                                            opening.remove(taken.partition()), "Expected a claim");
                            ended.ifPresent(then -> flows.end(taken.partition(), DRAIN, then));
                        });
    }

    @Override
    public void end(int partition, Runnable ended) {
        loops.main()
                .execute(
                        () -> {
                            if (opening.containsKey(partition)) {
                                opening.put(partition, Optional.of(ended));
                            } else {
                                flows.end(partition, DRAIN, ended);
                            }
                        });
    }
}
