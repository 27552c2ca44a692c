package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.TestLauncher;

/** Programs that read the log get what they can parse, to the last line. */
class LogFormatTest {
    private static final int SECONDS_MAX = 300;

    @TempDir Path directory;

    /** What a daemon without a configuration says on stderr before it ends with 2. */
    private String run(String format) throws Exception {
        Path launcher = directory.resolve("photon");
        TestLauncher.write(launcher);
        Path errors = directory.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(
                                launcher.toString(),
                                "run",
                                "registry",
                                "--name",
                                "r0",
                                "--config",
                                directory.resolve("none.yaml").toString())
                        .redirectError(errors.toFile())
                        .redirectOutput(directory.resolve("out.txt").toFile());
        builder.environment().put("PHOTON_LOG_FORMAT", format);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(2);
        return Files.readString(errors);
    }

    @Test
    void inJsonTheReasonOfAnEndIsALineOfItsOwn() throws Exception {
        List<String> lines = run("json").lines().toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            JsonNode json = new ObjectMapper().readTree(line);
            assertThat(json.get("level").asText()).isEqualTo("ERROR");
            assertThat(json.get("message").asText()).startsWith("Ends: ").contains("none.yaml");
        }
    }

    @Test
    @Tag("slow")
    void anUnknownFormatIsRefused() throws Exception {
        assertThat(run("xml"))
                .isEqualTo("photon: PHOTON_LOG_FORMAT is 'xml': expected text or json\n");
    }
}
