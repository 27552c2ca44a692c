package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What a report of a fault has to name. */
class VersionCommandTest {
    @Test
    void versionCommitAndJavaAreNamed() throws Exception {
        JsonNode document =
                new ObjectMapper().readTree(Captured.run("version", "-o", "json").stdout());
        String version = document.get("version").asText();
        assertThat(Files.readString(Repository.root().resolve("pom.xml")))
                .contains("<version>" + version + "</version>");
        String commit = document.get("commit").asText();
        assertThat(commit).matches("[0-9a-f]{40}(-dirty)?|unknown");
        if (Files.exists(Repository.root().resolve(".git"))) {
            assertThat(commit).isNotEqualTo("unknown");
        }
        assertThat(document.get("java").asText()).isEqualTo(System.getProperty("java.version"));

        Captured table = Captured.run("version");
        assertThat(table.stdout())
                .startsWith("photon " + version + "\ncommit " + commit + "\nJava ");
        assertThat(Captured.run("--version")).isEqualTo(table);
        assertThat(Captured.run("registry", "status", "-V")).isEqualTo(table);
    }
}
