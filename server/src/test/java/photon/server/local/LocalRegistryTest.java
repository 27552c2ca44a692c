package photon.server.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.crash.CrashPoints;
import photon.core.error.ConfigException;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.SystemClock;
import photon.server.roles.Environment;
import photon.server.trace.Traces;
import photon.storage.files.HadoopFileStore;

class LocalRegistryTest {
    @TempDir Path state;

    /** The first servers of a registry wait for each other, and the two others would for ever. */
    @Test
    @Timeout(240)
    void aServerThatCannotStartEndsTheOthersWaiting() throws Exception {
        Files.writeString(state.resolve("r1"), "not a directory");
        Environment environment =
                new Environment(
                        new HadoopFileStore(),
                        new SystemClock(Duration.ofMillis(250)),
                        new SecureRandom(),
                        new ProcessRpcs(),
                        CrashPoints.none(),
                        (where, bug) -> {},
                        Traces.OFF);
        assertThatThrownBy(() -> LocalRegistry.start(state, environment))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(state.resolve("r1").toString());
    }
}
