package photon.idregistry.raft;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Properties;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;

/** What {@code raft.workaround} puts right was seen in one version. */
class RatisVersionTest {
    @Test
    void anotherVersionIsTakenOnlyAfterItsHolesWereLookedAt() throws Exception {
        Properties jar = new Properties();
        try (InputStream text =
                RaftServer.class.getResourceAsStream(
                        "/META-INF/maven/org.apache.ratis/ratis-server/pom.properties")) {
            jar.load(requireNonNull(text, "the properties of ratis-server's jar"));
        }
        assertThat(jar.getProperty("version"))
                .as("docs/ratis.md says what to look at before another version is taken")
                .isEqualTo("3.3.0");
    }
}
