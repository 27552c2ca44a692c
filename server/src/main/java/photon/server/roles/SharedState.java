package photon.server.roles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.FailedException;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.dispatcher.StateDirectory;
import photon.dispatcher.lease.StateLease;

/**
 * How a dispatcher comes to a state that dispatchers on other machines may work with: it waits for
 * the state's lease.
 *
 * @param self who it is
 * @param ended asked again and again while it waits; true: it shall not wait any more
 */
record SharedState(StateLease.Holder self, BooleanSupplier ended) {
    private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration RELEASE_MAX = Duration.ofSeconds(10);
    private static final String NAME = "name";

    /**
     * @param own this dispatcher's directory on its machine, locked: an earlier life that has left
     *     its name there has ended
     */
    static SharedState of(Path own, HostPort address, BooleanSupplier ended) throws IOException {
        return new SharedState(new StateLease.Holder(name(own), address.toString()), ended);
    }

    /** Not synced: after a power cut it has another name perhaps, and waits for its own lease. */
    private static String name(Path own) throws IOException {
        try {
            String name = Files.readString(own.resolve(NAME));
            if (!name.isEmpty()) {
                return name;
            }
        } catch (NoSuchFileException e) {
            // The first start.
        }
        String made = UUID.randomUUID().toString();
        Files.createDirectories(own);
        Path aside = own.resolve(NAME + ".new");
        Files.writeString(aside, made);
        Files.move(aside, own.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        return made;
    }

    /** A lease that is held and renewed. */
    record Held(StateLease lease, ThreadLoop loop) {
        /** Nothing is written any more: another one may begin at once. */
        void leave() {
            CompletableFuture<Boolean> released = new CompletableFuture<>();
            lease.release(() -> released.complete(true));
            try {
                released.get(RELEASE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("The lease of the dispatcher's state was not given back in time", e);
            }
            loop.close();
        }
    }

    /**
     * @throws FailedException if it shall not wait any more
     */
    Held await(String datacenter, StateDirectory state, Environment environment) {
        ThreadLoop loop = new ThreadLoop(datacenter + "-dispatcher-lease", 16, environment.bugs());
        StateLease lease =
                StateLease.await(
                        loop,
                        environment.files(),
                        state,
                        self,
                        StateLease.TERM,
                        environment.random(),
                        environment.bugs());
        try {
            while (true) {
                try {
                    return new Held(
                            lease.taken().get(LOOK.toMillis(), TimeUnit.MILLISECONDS), loop);
                } catch (TimeoutException e) {
                    if (ended.getAsBoolean()) {
                        new Held(lease, loop).leave();
                        throw new FailedException(
                                "Stopped while it waited for the dispatcher that works with the state in "
                                        + state.path());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a lease", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Expected a lease, or to wait", e);
        }
    }
}
