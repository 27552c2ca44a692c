package photon.storage.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.storage.files.MemoryFileStore;

class StateHomeTest {
    private static final UUID A = new UUID(1, 1);
    private static final UUID B = new UUID(2, 2);
    private static final UUID PIPELINE = new UUID(9, 9);

    private final MemoryFileStore files = new MemoryFileStore();

    private StateHome home() {
        return new StateHome(files, "/state/dispatcher");
    }

    private static boolean create(StateHome home, UUID identity) throws IOException {
        return home.create(identity, PIPELINE, "east", path -> {});
    }

    @Test
    void aStateThatWasMadeIsTheOneThatIsHereAndOutlivesAPowerCut() throws IOException {
        StateHome home = home();
        assertThat(home.identity()).isEmpty();
        create(home, A);
        files.crashLosingAllUnsynced();
        assertThat(home().identity()).contains(A);
        assertThat(home().path()).isEqualTo("/state/dispatcher/" + A);
    }

    @Test
    void ofTwoProcessesThatMakeOneAtTheSameTimeOneDoes() throws IOException {
        StateHome sleeper = home();
        assertThat(sleeper.identity()).isEmpty();
        StateHome other = home();
        assertThat(other.identity()).isEmpty();
        create(other, B);
        assertThat(create(sleeper, A)).isFalse();
        assertThat(home().identity()).contains(B);
        assertThat(files.stat("/state/dispatcher/" + A)).isNull();
    }

    @Test
    void oneThatIsSetAsideIsNotHereAndAnotherMayCome() throws IOException {
        StateHome home = home();
        home.identity();
        create(home, A);
        home.setAside(A);
        assertThat(home.identity()).isEmpty();
        create(home, B);
        assertThat(home().identity()).contains(B);
        assertThat(files.stat("/state/dispatcher/lost-" + A)).isNotNull();
    }

    @Test
    void aCrashAnywhereLeavesAWholeStateOrNone() throws IOException {
        boolean through = false;
        for (int at = 1; !through; at++) {
            MemoryFileStore disk = new MemoryFileStore(at);
            int[] left = {at};
            disk.setHook(
                    (operation, path) -> {
                        if (operation.changes() && --left[0] == 0) {
                            throw new IOException("planned: " + operation);
                        }
                    });
            StateHome home = new StateHome(disk, "/state/dispatcher");
            try {
                home.identity();
                create(home, A);
                through = true;
            } catch (IOException e) {
                // The process ends.
            }
            disk.setHook((operation, path) -> {});
            disk.crash();
            StateHome next = new StateHome(disk, "/state/dispatcher");
            if (next.identity().isEmpty()) {
                assertThat(through).isFalse();
                create(next, B);
            }
            UUID here = new StateHome(disk, "/state/dispatcher").identity().orElseThrow();
            assertThat(disk.stat("/state/dispatcher/" + here + "/identity.json")).isNotNull();
            assertThat(disk.peek("/state/dispatcher")).isNotEmpty();
        }
    }
}
