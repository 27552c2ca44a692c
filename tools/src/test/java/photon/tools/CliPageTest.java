package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;

/** The page of the command line says what the commands say. */
class CliPageTest {
    private static final String WRITE = "photon.docs.write";

    @Test
    void thePageIsNotStale() throws Exception {
        Path page = Repository.root().resolve("docs/cli.md");
        String now = CliPage.of(Verbs.all());
        if (System.getProperty(WRITE) != null) {
            Files.writeString(page, now);
        }
        assertThat(Files.exists(page) ? Files.readString(page) : "")
                .as(
                        "docs/cli.md is stale. Write it anew with: mvn -pl tools -am -Dtest=CliPageTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true verify",
                        WRITE)
                .isEqualTo(now);
    }
}
