package photon.idregistry.server.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.DiskState;

class OwnDiskTest {
    private static final List<RegistryServerConfig.Peer> PEERS =
            List.of(
                    new RegistryServerConfig.Peer(
                            "r0", new HostPort("127.0.0.1", 1), new HostPort("127.0.0.1", 2)),
                    new RegistryServerConfig.Peer(
                            "r1", new HostPort("127.0.0.1", 3), new HostPort("127.0.0.1", 4)));

    @TempDir Path data;

    private RegistryServerConfig config(String name) {
        return RegistryServerConfig.of(name, PEERS, data);
    }

    private OwnDisk open(String name) {
        return OwnDisk.open(config(name), UUID::randomUUID);
    }

    private void makeLogs() throws Exception {
        Files.createDirectories(
                data.resolve("raft").resolve(photon.idregistry.raft.GroupIds.control().toString()));
    }

    @Test
    void keepsItsIdFromItsFirstUseOn() throws Exception {
        OwnDisk first = open("r0");
        assertThat(first.state()).isEqualTo(DiskState.DISK_BLANK);
        first.clear();
        first.begin(1);
        makeLogs();
        OwnDisk again = open("r0");
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.isStarted()).isTrue();
        assertThat(again.peer()).isEqualTo("r0");
    }

    /** A kill between the two words: nothing has been sent in its name. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneThatWasKilledBeforeItMadeItsFirstLogMayTryAgain(int number) {
        OwnDisk first = open("r0");
        first.begin(number);
        OwnDisk again = open("r0");
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.state())
                .isEqualTo(number == 1 ? DiskState.DISK_CLEARED : DiskState.DISK_BLANK);
    }

    @Test
    void oneThatRanAndHasLostItsLogsIsRefused() throws Exception {
        open("r0").begin(1);
        DataOwner.keep(config("r0"));
        assertThatThrownBy(() -> open("r0"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has lost its logs")
                .hasMessageContaining("photon registry members replace r0");
    }

    @Test
    void logsWithoutTheFileOfTheirDiskAreRefused() throws Exception {
        makeLogs();
        assertThatThrownBy(() -> open("r0"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has logs, but its file 'disk' is missing");
        assertThat(data.resolve("disk")).doesNotExist();
    }

    @Test
    void oneThatHasBegunIsNoOtherServers() throws Exception {
        open("r0").begin(1);
        makeLogs();
        assertThatThrownBy(() -> open("r1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is of server r0, but this is server r1");
    }
}
