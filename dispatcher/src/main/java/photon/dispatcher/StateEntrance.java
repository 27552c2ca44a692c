package photon.dispatcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.rules.StateAdmission;
import photon.dispatcher.rules.StateAdmission.Create;
import photon.dispatcher.rules.StateAdmission.Decision;
import photon.dispatcher.rules.StateAdmission.Refuse;
import photon.dispatcher.rules.StateAdmission.Register;
import photon.dispatcher.rules.StateAdmission.Use;
import photon.dispatcher.state.StateDirectory;
import photon.registry.api.DispatcherStates;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;

/**
 * Finds or makes the state that a dispatcher works with, and makes sure that the registry has it
 * registered for this datacenter (docs/protocol.md section 7). A state is durable before anybody
 * hears of it, and used only when it is registered. Used once.
 */
public final class StateEntrance {
    private static final Logger log = LoggerFactory.getLogger(StateEntrance.class);

    private final Executor executor;
    private final FileStore files;
    private final StateHome home;
    private final String directory;
    private final int count;
    private final DispatcherStates registry;
    private final UUID pipeline;
    private final String datacenter;
    private final Optional<UUID> declaredLost;
    private final Supplier<UUID> identities;
    private final CompletableFuture<OpenedState> entered = new CompletableFuture<>();

    /**
     * @param executor runs what follows each of the registry's answers: files are read there
     * @param directory of the dispatcher's states: a {@link StateHome}
     * @param count into how many partitions a state is divided that is made here
     * @param declaredLost what an operator says is lost for good; empty: nothing
     * @param identities random ones
     */
    public StateEntrance(
            Executor executor,
            FileStore files,
            String directory,
            int count,
            DispatcherStates registry,
            UUID pipeline,
            String datacenter,
            Optional<UUID> declaredLost,
            Supplier<UUID> identities) {
        this.executor = executor;
        this.files = files;
        this.home = new StateHome(files, directory);
        this.directory = directory;
        this.count = count;
        this.registry = registry;
        this.pipeline = pipeline;
        this.datacenter = datacenter;
        this.declaredLost = declaredLost;
        this.identities = identities;
    }

    /**
     * A state that may be worked with.
     *
     * @param identity that the registry has registered
     */
    public record OpenedState(UUID identity, StatePartitions partitions) {}

    /**
     * Begins, in the loop of the registry's commands.
     *
     * @return fails with {@link ConfigException} if the dispatcher must not start, which says why
     *     and what to do, and with {@link UncheckedIOException} if files cannot be read or written
     */
    public CompletableFuture<OpenedState> enter() {
        decide();
        return entered;
    }

    private void decide() {
        after(
                registry.registered(pipeline, datacenter),
                stands -> {
                    Optional<UUID> identity = home.identity();
                    boolean whole = identity.isPresent() && isWhole(partitions(identity.get()));
                    go(
                            StateAdmission.decide(
                                    datacenter,
                                    new StateAdmission.Here(directory, identity, whole),
                                    stands.state(),
                                    declaredLost),
                            identity);
                });
    }

    private void go(Decision decision, Optional<UUID> here) throws IOException {
        if (decision instanceof Use use) {
            done(use.identity());
        } else if (decision instanceof Register own) {
            register(own.identity(), Optional.empty());
        } else if (decision instanceof Create create) {
            if (here.isPresent()) {
                home.setAside(here.get());
            }
            UUID made = identities.get();
            if (home.create(
                    made, pipeline, datacenter, path -> make(new StatePartitions(path, count)))) {
                register(made, create.inPlaceOf());
            } else {
                decide(); // Another dispatcher that shares it was faster: with its state.
            }
        } else if (decision instanceof Refuse refuse) {
            entered.completeExceptionally(new ConfigException(refuse.why()));
        }
    }

    private void register(UUID made, Optional<UUID> lost) {
        after(
                lost.isPresent()
                        ? registry.replace(pipeline, datacenter, lost.get(), made)
                        : registry.register(pipeline, datacenter, made),
                answer -> {
                    if (answer.done()) {
                        lost.ifPresent(
                                gone ->
                                        log.warn(
                                                "State {} of the dispatcher of {} is declared lost;"
                                                        + " {} comes in its place, {} incarnations are"
                                                        + " repaired once more",
                                                gone,
                                                datacenter,
                                                made,
                                                answer.reopened()));
                        done(made);
                    } else {
                        entered.completeExceptionally(
                                new ConfigException(
                                        StateAdmission.refused(datacenter, made, answer.state())));
                    }
                });
    }

    private void done(UUID identity) {
        try {
            entered.complete(new OpenedState(identity, partitions(identity)));
        } catch (IOException e) {
            entered.completeExceptionally(new UncheckedIOException(e));
        }
    }

    private StatePartitions partitions(UUID identity) throws IOException {
        return StatePartitions.read(files, home.path(identity));
    }

    private void make(StatePartitions state) throws IOException {
        state.make(files);
        for (String directory : state.directories()) {
            StateFiles.open(files, new StateDirectory(directory)).close();
        }
    }

    private boolean isWhole(StatePartitions state) throws IOException {
        for (String directory : state.directories()) {
            if (files.stat(new StateDirectory(directory).journal()) == null) {
                return false;
            }
        }
        return true;
    }

    private void after(
            CompletableFuture<DispatcherStates.Registered> answer,
            Step<DispatcherStates.Registered> then) {
        answer.whenComplete((value, failure) -> executor.execute(() -> step(value, failure, then)));
    }

    private <T> void step(@Nullable T value, @Nullable Throwable failure, Step<T> then) {
        if (value == null) {
            entered.completeExceptionally(
                    failure == null ? new IllegalStateException("Expected an answer") : failure);
            return;
        }
        try {
            then.go(value);
        } catch (IOException e) {
            entered.completeExceptionally(new UncheckedIOException(e));
        } catch (RuntimeException e) {
            entered.completeExceptionally(e);
        }
    }

    /** What follows an answer. */
    @FunctionalInterface
    private interface Step<T> {
        void go(T value) throws IOException;
    }
}
