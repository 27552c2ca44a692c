package photon.server.local;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DeploymentConfig;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.state.DispatcherStatus;
import photon.eventstore.server.EventStoreServer;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerServer;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.incarnation.LifeState;
import photon.joiner.task.TaskEnd;
import photon.server.datacenters.DatacenterPaths;
import photon.server.roles.OpenedPipeline;
import photon.server.roles.Roles;
import photon.server.roles.VerifierRole;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairStatus;
import photon.verifier.repair.WaitingRepair;

/**
 * One datacenter of a local run: its daemons, its directories, nothing shared with another but the
 * registry.
 */
final class LocalDatacenter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalDatacenter.class);
    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

    /**
     * A disk that is full, say, ends every new incarnation before it publishes: then the run fails.
     */
    private static final int ENDED_IN_A_ROW_MAX = 3;

    /** A repair that only the time keeps from its end is waited for so long. */
    private static final Duration WAITED_FOR_MAX = Duration.ofMinutes(1);

    private final DatacenterPaths paths;
    private final OutputDirectory output;
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Of the event store. */
    private static final EventStoreShares ALONE =
            EventStoreShares.ofOne(DeploymentConfig.EVENT_STORE_DEFAULT);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private volatile @Nullable Status lastStatus;
    private volatile @Nullable VerifierRole repairer; // the joiner begins before it
    private final EventStoreServer eventStore;
    private final JoinerServer joiner;
    private final DispatcherServer dispatcher;
    private final VerifierRole verifier;

    private LocalDatacenter(
            Roles roles, DatacenterPaths paths, OpenedPipeline admission, Optional<UUID> stateLost)
            throws IOException {
        this.paths = paths;
        try {
            output = roles.output(paths, admission);
            eventStore = opened(roles.eventStore(paths, ANY_PORT));
            joiner =
                    opened(
                            roles.joiner(
                                    paths,
                                    DeploymentConfig.JOINER_DEFAULT,
                                    ANY_PORT,
                                    admission,
                                    output,
                                    List.of(eventStore.address()),
                                    ALONE,
                                    new JoinerLife()));
            dispatcher =
                    opened(
                            roles.dispatcher(
                                    paths,
                                    ANY_PORT,
                                    List.of(joiner.address()),
                                    List.of(eventStore.address()),
                                    ALONE,
                                    admission,
                                    stateLost));
            verifier = opened(roles.verifier(paths, admission, output, dispatcher.address()));
            repairer = verifier;
        } catch (IOException | RuntimeException e) {
            closeParts();
            throw e;
        }
    }

    /**
     * @param stateLost the registered state of its dispatcher, which is lost for good
     */
    static LocalDatacenter start(
            Roles roles, DatacenterPaths paths, OpenedPipeline admission, Optional<UUID> stateLost)
            throws IOException {
        return new LocalDatacenter(roles, paths, admission, stateLost);
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    /** Why this datacenter cannot go on; empty while it can. */
    Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure.get());
    }

    OutputDirectory output() {
        return output;
    }

    DispatcherServer dispatcher() {
        return dispatcher;
    }

    /** All parts, each a moment ago. */
    Status status() {
        return new Status(
                eventStore.status(),
                dispatcher.status(),
                joiner.status(),
                verifier.status(),
                outputRecovers());
    }

    /** A disk of this machine does not get well by itself; a file system elsewhere does. */
    private boolean outputRecovers() {
        return LocalPath.isUri(paths.output());
    }

    /**
     * The parts' own accounts.
     *
     * @param outputRecovers a failure to write output passes by itself
     */
    record Status(
            EventStoreStatus eventStore,
            DispatcherStatus dispatcher,
            JoinerStatus joiner,
            RepairStatus repair,
            boolean outputRecovers) {

        /** The registry has taken its joiner, with this state and output. */
        boolean serving() {
            return joiner.incarnation().isPresent();
        }

        boolean caughtUp() {
            return eventStore.caughtUp() && dispatcher.caughtUp();
        }

        /** Of each reader of logs, how many looks have ended. */
        Stream<Long> polls() {
            return Stream.of(eventStore.polls(), dispatcher.polls());
        }

        /**
         * What may yet bring events of which nothing else knows. A joiner that does not serve may
         * have left something behind that the repair can see only when it serves again.
         */
        long busy() {
            return (joiner.state() == LifeState.SERVING ? 0 : 1)
                    + (repair.idle() ? 0 : 1)
                    + (outputRecovers ? repair.failing() : 0)
                    + repair.waiting().stream().filter(Status::endsSoon).count()
                    + repair.silence().silent().stream().filter(s -> !s.isLeftToAPerson()).count();
        }

        /** What is written off soon is waited for: the books are whole then. */
        private static boolean endsSoon(WaitingRepair waiting) {
            return !waiting.isBlocked() && waiting.secondsLeft() <= WAITED_FOR_MAX.toSeconds();
        }

        /** Of both logs. */
        long eventsRead() {
            return eventStore.primaryEvents() + dispatcher.eventsRead();
        }

        /** Changes whenever anything moved. */
        long progress() {
            return eventStore.primaryEvents()
                    + eventStore.badRecords()
                    + dispatcher.eventsRead()
                    + dispatcher.badRecords()
                    + dispatcher.joined()
                    + dispatcher.repairRows()
                    + joiner.joined()
                    + joiner.restarts();
        }
    }

    /** Begins to publish what is joined, before it is due. */
    void publishNow() {
        joiner.publishNow();
    }

    /** What all parts said when the datacenter was closed. */
    Status statusAtClose() {
        return requireNonNull(lastStatus, "Expected the datacenter closed");
    }

    /** The order in which nobody is left talking to somebody who has gone. */
    @Override
    public void close() {
        if (lastStatus == null) {
            lastStatus = status();
            closeParts();
        }
    }

    private void closeParts() {
        // Verifier, dispatcher, joiner, event store: the last started is the first closed.
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                log.warn(
                        "Closing {} of {} failed",
                        part.getClass().getSimpleName(),
                        paths.datacenter(),
                        e);
            }
        }
    }

    private final class JoinerLife implements LifeListener {
        /** Its registration has fenced all that came before: now the repair finds them. */
        @Override
        public void serving(Incarnation incarnation) {
            VerifierRole wakes = repairer;
            if (wakes != null) {
                wakes.wake();
            }
        }

        @Override
        public void startsOver(Incarnation ended, TaskEnd end, String reason, int inARow) {
            log.warn("Joiner {} of {} ended: {}", ended, paths.datacenter(), reason);
            if (end == TaskEnd.OUTPUT_FAILED && !outputRecovers() && inARow >= ENDED_IN_A_ROW_MAX) {
                failed(
                        new FailedException(
                                "the joiner of "
                                        + paths.datacenter()
                                        + " cannot write its output: "
                                        + reason));
            }
        }

        @Override
        public void slotTakenOver(String message) {
            failed(new FailedException(message));
        }

        @Override
        public void adapterDoesNotEnd(String message) {
            failed(new FailedException(message));
        }

        @Override
        public void refused(String message) {
            failed(
                    new ConfigException(
                            "The joiner that writes to %s cannot serve: %s"
                                    .formatted(paths.outputDirectory(), message)));
        }

        private void failed(RuntimeException why) {
            failure.compareAndSet(null, why);
        }
    }

    /** Both at a time: a datacenter waits a few seconds for its joiner to drain. */
    static void closeAll(List<LocalDatacenter> datacenters) {
        List<CompletableFuture<Void>> closing =
                datacenters.stream().map(d -> CompletableFuture.runAsync(d::close)).toList();
        closing.forEach(CompletableFuture::join);
    }
}
