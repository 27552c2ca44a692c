package photon.dispatcher.flow;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import photon.core.error.BugHandler;
import photon.dispatcher.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.journal.OpenJournal;
import photon.storage.lease.PartitionLeases;
import photon.storage.state.StatePartitions;

/**
 * What a dispatcher does with the partitions that it takes and gives back: it claims their state,
 * in the journal's loop, and begins and ends their flows, in the main loop. Called in the loop of
 * the leases.
 */
public final class PartitionWork implements PartitionLeases.Work {
    /** How long a flow that ends lets events end that are on their way. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final StatePartitions state;
    private final FileStore files;
    private final Loops loops;
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
     * @param identity of the state
     * @param registered which state the registry has registered; asked in the main loop
     * @param failures told when a state cannot be claimed, or is not registered any more: this
     *     process has to stop
     */
    public PartitionWork(
            StatePartitions state,
            FileStore files,
            Loops loops,
            PartitionFlows flows,
            UUID identity,
            Supplier<CompletableFuture<Optional<UUID>>> registered,
            BugHandler failures) {
        this(
                state,
                files,
                loops,
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
            PartitionFlows flows,
            UUID identity,
            Supplier<CompletableFuture<Optional<UUID>>> registered,
            long segmentBytesMax,
            BugHandler failures) {
        this.state = state;
        this.files = files;
        this.loops = loops;
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
    public void begin(int partition, long number) {
        loops.main()
                .execute(
                        () -> {
                            opening.put(partition, Optional.empty());
                            admit(partition, number);
                        });
    }

    /** The state may have been declared lost while nobody here worked with it. */
    private void admit(int partition, long number) {
        registered
                .get()
                .whenComplete(
                        (now, failure) -> {
                            boolean answered = failure == null;
                            boolean same = answered && now.filter(identity::equals).isPresent();
                            loops.main().execute(() -> admitted(partition, number, answered, same));
                        });
    }

    private void admitted(int partition, long number, boolean answered, boolean same) {
        if (!answered) {
            loops.main().schedule(ASK_AGAIN, () -> admit(partition, number));
        } else if (same) {
            loops.journal().execute(() -> claim(partition, number));
        } else {
            failures.onBug(
                    "the dispatcher's state in " + state.state(),
                    new IOException(
                            "The registry has another state registered by now: this one was declared lost"));
        }
    }

    private void claim(int partition, long number) {
        StateFiles claimed;
        try {
            claimed = StateFiles.openAs(number, files, directory(partition), segmentBytesMax);
        } catch (IOException e) {
            failures.onBug("the dispatcher's state in " + state.directory(partition), e);
            return;
        }
        loops.main()
                .execute(
                        () -> {
                            flows.begin(partition, claimed);
                            Optional<Runnable> ended =
                                    requireNonNull(opening.remove(partition), "Expected a claim");
                            ended.ifPresent(then -> flows.end(partition, DRAIN, then));
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
