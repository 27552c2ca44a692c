package photon.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.dispatcher.StateEntrance.OpenedState;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.state.StateDirectory;
import photon.registry.api.DispatcherStates;
import photon.storage.files.MemoryFileStore;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;

/** With which state a dispatcher starts, and when it does not. */
final class StateEntranceTest {
    private static final String HOME = "/state/east/dispatcher";
    private static final UUID A = new UUID(1, 1);
    private static final UUID B = new UUID(2, 2);
    private static final UUID C = new UUID(3, 3);

    private final MemoryFileStore files = new MemoryFileStore(5);
    private final Registry registry = new Registry();
    private final ArrayDeque<UUID> identities = new ArrayDeque<>(List.of(A, B, C));

    /** The control group's rules, for one datacenter. */
    private static final class Registry implements DispatcherStates {
        @Nullable UUID state;
        boolean diesBeforeRegistering;

        @Override
        public CompletableFuture<Registered> registered(UUID pipeline, String datacenter) {
            return answer(true);
        }

        @Override
        public CompletableFuture<Registered> register(
                UUID pipeline, String datacenter, UUID registered) {
            if (diesBeforeRegistering) {
                return new CompletableFuture<>();
            }
            state = state == null ? registered : state;
            return answer(state.equals(registered));
        }

        @Override
        public CompletableFuture<Registered> replace(
                UUID pipeline, String datacenter, UUID lost, UUID registered) {
            if (diesBeforeRegistering) {
                return new CompletableFuture<>();
            }
            state = lost.equals(state) ? registered : state;
            return answer(registered.equals(state));
        }

        private CompletableFuture<Registered> answer(boolean done) {
            return CompletableFuture.completedFuture(
                    new Registered(done, Optional.ofNullable(state), 0));
        }
    }

    private int partitions = 1;

    private CompletableFuture<OpenedState> enter(Optional<UUID> declaredLost) {
        return enter(declaredLost, identities::remove);
    }

    private CompletableFuture<OpenedState> enter(
            Optional<UUID> declaredLost, Supplier<UUID> identity) {
        return new StateEntrance(
                        Runnable::run,
                        files,
                        HOME,
                        partitions,
                        registry,
                        new UUID(9, 9),
                        "east",
                        declaredLost,
                        identity)
                .enter();
    }

    private OpenedState entered(Optional<UUID> declaredLost) {
        return enter(declaredLost).join();
    }

    private void refused(Optional<UUID> declaredLost, String... parts) {
        assertThatThrownBy(() -> enter(declaredLost).join())
                .hasCauseInstanceOf(ConfigException.class)
                .hasMessageContainingAll(parts);
    }

    private Optional<UUID> here() throws IOException {
        return new StateHome(files, HOME).identity();
    }

    @Test
    void theFirstStateIsMadeAndRegisteredAndFoundAgain() throws IOException {
        assertThat(entered(Optional.empty()))
                .isEqualTo(new OpenedState(A, new StatePartitions(HOME + "/" + A, 1)));
        assertThat(registry.state).isEqualTo(A);
        files.crashLosingAllUnsynced();
        assertThat(entered(Optional.empty()).identity()).isEqualTo(A);
    }

    /** The configuration counts once: files must not change their partition. */
    @Test
    void aDividedStateStaysDividedAsItWasMade() throws IOException {
        partitions = 3;
        assertThat(entered(Optional.empty()).partitions().directories()).hasSize(3);
        partitions = 5;
        OpenedState again = entered(Optional.empty());
        assertThat(again.partitions().count()).isEqualTo(3);
        for (String directory : again.partitions().directories()) {
            assertThat(StateFiles.lastOwner(files, new StateDirectory(directory))).isEqualTo(1);
        }
    }

    /** Otherwise its rows would be gone, and nobody would say so. */
    @Test
    void aDividedStateOfWhichAPartitionIsGoneIsNotUsed() throws IOException {
        partitions = 3;
        StatePartitions state = entered(Optional.empty()).partitions();
        files.delete(state.directory(1));
        refused(Optional.empty(), "state " + A);
    }

    /** What today's directory without an identity made: rows gone, and nobody says so. */
    @Test
    void anEmptiedDirectoryIsNotTakenForANewState() throws IOException {
        entered(Optional.empty());
        files.delete(HOME);
        refused(
                Optional.empty(),
                "state " + A + " registered for the dispatcher of east",
                HOME + " holds none",
                "--state-is-lost=" + A);
        assertThat(here()).isEmpty();
    }

    @Test
    void aDirectoryWithAnotherStateIsRefusedAndNamesBoth() throws IOException {
        entered(Optional.empty());
        registry.state = C;
        refused(Optional.empty(), C.toString(), "holds state " + A);
        assertThat(here()).contains(A);
    }

    @Test
    void aStateWithoutItsJournalIsNotTheRegisteredOne() throws IOException {
        StateDirectory state =
                new StateDirectory(entered(Optional.empty()).partitions().directory(0));
        files.delete(state.journal());
        refused(Optional.empty(), "holds state " + A + ", without its journal");
        assertThat(entered(Optional.of(A)).identity()).isEqualTo(B);
    }

    @Test
    void aCheckpointThatAnOperatorMovedAwayIsNoLostState() throws IOException {
        StateDirectory state =
                new StateDirectory(entered(Optional.empty()).partitions().directory(0));
        files.delete(state.checkpoint());
        assertThat(entered(Optional.empty()).identity()).isEqualTo(A);
    }

    @Test
    void aStateThatWasMadeAndNotRegisteredIsUsedByTheNextStart() throws IOException {
        registry.diesBeforeRegistering = true;
        assertThat(enter(Optional.empty())).isNotDone();
        files.crashLosingAllUnsynced();
        registry.diesBeforeRegistering = false;
        assertThat(entered(Optional.empty()).identity()).isEqualTo(A);
        assertThat(registry.state).isEqualTo(A);
    }

    @Test
    void ofTwoThatStartAtOnceTheSlowerOneTakesTheStateOfTheFaster() throws IOException {
        partitions = 2;
        // It has looked and found nothing, and makes a state when the other one has just made its.
        OpenedState slower =
                enter(
                                Optional.empty(),
                                () -> {
                                    assertThat(entered(Optional.empty()).identity()).isEqualTo(A);
                                    return B;
                                })
                        .join();
        assertThat(slower.identity()).isEqualTo(A);
        assertThat(slower.partitions().count()).isEqualTo(2);
        assertThat(registry.state).isEqualTo(A);
        assertThat(here()).contains(A);
        assertThat(files.stat(HOME + "/" + B)).as("nothing is left of the other").isNull();
    }

    @Test
    void aSecondDispatcherThatWasSlowerIsRefused() {
        registry.state = null;
        registry.diesBeforeRegistering = true;
        enter(Optional.empty());
        registry.diesBeforeRegistering = false;
        registry.state = C;
        refused(Optional.empty(), C.toString(), A.toString());
    }

    @Test
    void aLostStateIsReplacedOnceHoweverOftenTheOptionIsGiven() throws IOException {
        entered(Optional.empty());
        files.delete(HOME);
        assertThat(entered(Optional.of(A)).identity()).isEqualTo(B);
        assertThat(registry.state).isEqualTo(B);
        assertThat(entered(Optional.of(A)).identity()).isEqualTo(B);
        assertThat(entered(Optional.empty()).identity()).isEqualTo(B);
        assertThat(here()).contains(B);
    }

    @Test
    void aCrashBeforeTheReplacementIsRegisteredIsGoneOnFromWithTheOption() throws IOException {
        entered(Optional.empty());
        files.delete(HOME);
        registry.diesBeforeRegistering = true;
        enter(Optional.of(A));
        files.crashLosingAllUnsynced();
        registry.diesBeforeRegistering = false;
        refused(Optional.empty(), A.toString(), "holds state " + B);
        assertThat(entered(Optional.of(A)).identity()).isEqualTo(C);
        assertThat(here()).contains(C);
    }

    @Test
    void aStateThatIsHereIsNotDeclaredLost() throws IOException {
        entered(Optional.empty());
        refused(Optional.of(A), A.toString(), "it is whole in " + HOME);
        assertThat(registry.state).isEqualTo(A);
        assertThat(here()).contains(A);
    }

    @Test
    void aStateThatIsNotRegisteredIsNotDeclaredLost() throws IOException {
        refused(Optional.of(B), "names state " + B, "has none registered");
        entered(Optional.empty());
        files.delete(HOME);
        refused(Optional.of(B), "names state " + B, "has " + A + " registered");
        assertThat(registry.state).isEqualTo(A);
    }

    @Test
    void anotherStateInTheDirectoryIsRefused() throws IOException {
        entered(Optional.empty());
        StateHome home = new StateHome(files, HOME);
        assertThat(home.identity()).contains(A);
        home.create(B, new UUID(9, 9), "east", path -> {});
        assertThatThrownBy(() -> enter(Optional.empty()).join())
                .hasMessageContainingAll(A.toString(), B.toString());
    }
}
