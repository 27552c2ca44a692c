package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.idregistry.control.ControlState;

final class BackupRunTest {
    @Test
    void aRegistryThatIsBlankOrBeingRestoredGivesNoBackup() throws IOException {
        assertThat(BackupRun.useless(new ControlState())).contains("has no pipeline");
        assertThat(BackupRun.useless(new RestoredRegistry().control()))
                .contains("is being restored");
    }
}
