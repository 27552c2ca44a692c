package photon.dispatcher.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.dispatcher.StateDirectory;
import photon.dispatcher.flow.StateFiles;
import photon.storage.files.MemoryFileStore;
import photon.storage.state.StateHome;

class StateLeaseTest {
    private static final StateDirectory STATE = new StateDirectory("/state/one");
    private static final HostPort CONFIGURED = new HostPort("configured", 1);

    private final MemoryFileStore files = new MemoryFileStore();
    private final List<String> stopped = new ArrayList<>();

    /** A process with a clock of its own, which stands still while it sleeps. */
    private final class Dispatcher {
        private final ManualLoop loop = new ManualLoop();
        private final StateLease lease;

        Dispatcher(String name, StateDirectory state) {
            lease =
                    StateLease.await(
                            loop,
                            files,
                            state,
                            new StateLease.Holder(name, name + ":7402"),
                            StateLease.TERM,
                            new SplittableRandom(name.hashCode()),
                            (where, lost) -> stopped.add(name + ": " + lost.getMessage()));
        }

        Dispatcher(String name) {
            this(name, STATE);
        }

        boolean works() {
            return lease.taken().isDone();
        }
    }

    private static void pass(Duration time, Dispatcher... awake) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds++) {
            for (Dispatcher one : awake) {
                one.loop.advance(Duration.ofSeconds(1));
                one.loop.runUntilIdle();
            }
        }
    }

    @Test
    void whileOneRenewsTheOtherWaits() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        Dispatcher second = new Dispatcher("b");
        pass(Duration.ofMinutes(10), first, second);
        assertThat(first.works()).isTrue();
        assertThat(second.works()).isFalse();
        assertThat(stopped).isEmpty();
    }

    @Test
    void whoSleepsIsFollowedAndStopsWhenItWakes() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        Dispatcher second = new Dispatcher("b");
        pass(Duration.ofSeconds(19), second);
        assertThat(second.works()).isFalse();
        pass(Duration.ofSeconds(8), second);
        assertThat(second.works()).isTrue();
        assertThat(second.lease.number()).isGreaterThan(first.lease.number());
        // It renews as if no time had passed, which its own clock tells it.
        pass(Duration.ofSeconds(6), first);
        assertThat(stopped).singleElement().asString().contains("a: ", "taken over, at b:7402");
    }

    @Test
    void whoCannotRenewStopsBeforeAnotherMayTakeOver() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        files.setHook(
                (operation, path) -> {
                    throw new IOException("out of reach");
                });
        pass(Duration.ofSeconds(9), first);
        assertThat(stopped).isEmpty();
        pass(Duration.ofSeconds(11), first);
        assertThat(stopped).singleElement().asString().contains("could not renew");
    }

    @Test
    void aShortOutageStopsNobody() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        for (int i = 0; i < 10; i++) {
            files.setHook(
                    (operation, path) -> {
                        throw new IOException("out of reach");
                    });
            pass(Duration.ofSeconds(6), first);
            files.setHook((operation, path) -> {});
            pass(Duration.ofSeconds(12), first);
        }
        assertThat(stopped).isEmpty();
    }

    @Test
    void theSameOneStartedAgainDoesNotWait() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        Dispatcher again = new Dispatcher("a");
        pass(Duration.ofSeconds(1), again);
        assertThat(again.works()).isTrue();
        assertThat(again.lease.number()).isGreaterThan(first.lease.number());
    }

    @Test
    void whatIsGivenBackIsTakenAtOnce() {
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        Dispatcher second = new Dispatcher("b");
        pass(Duration.ofSeconds(2), first, second);
        first.lease.release(() -> {});
        pass(Duration.ofSeconds(6), first, second);
        assertThat(second.works()).isTrue();
        assertThat(stopped).isEmpty();
    }

    /** The state may have been used before by one that had a lock. */
    @Test
    void itsNumberIsAboveThatOfEveryOwnerBefore() throws IOException {
        for (int i = 0; i < 3; i++) {
            StateFiles.open(files, STATE).close();
        }
        Dispatcher first = new Dispatcher("a");
        pass(Duration.ofSeconds(2), first);
        assertThat(first.lease.number()).isEqualTo(4);
        StateFiles.openAs(first.lease.number(), files, STATE).close();
    }

    @Test
    void theVerifierFindsTheOneThatWorks() throws IOException {
        assertThat(DispatcherAddress.of(files, "/state", CONFIGURED)).isEqualTo(CONFIGURED);
        UUID identity = new UUID(1, 2);
        StateHome home = new StateHome(files, "/state");
        home.identity();
        home.create(identity, new UUID(3, 4), "east", path -> {});
        assertThat(DispatcherAddress.of(files, "/state", CONFIGURED)).isEqualTo(CONFIGURED);
        Dispatcher first = new Dispatcher("a", new StateDirectory(home.path(identity)));
        pass(Duration.ofSeconds(2), first);
        assertThat(DispatcherAddress.of(files, "/state", CONFIGURED))
                .isEqualTo(new HostPort("a", 7402));
    }
}
