package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.cli.Captured;

/** A shell that has loaded the script of {@code photon completion}. */
class CompletionTest {
    /** Asks as a shell does when somebody presses the tabulator key, and prints what it offers. */
    private static final String ASK =
            """
            compopt() { :; }
            COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
            _complete_photon
            echo "${COMPREPLY[*]}"
            """;

    @TempDir Path directory;

    static boolean hasBash() {
        return Files.isExecutable(Path.of("/bin/bash"));
    }

    private String offered(String typed) throws Exception {
        Captured script = Captured.run("completion", "bash");
        assertThat(script.status()).isZero();
        Path file =
                Files.writeString(
                        directory.resolve("script"), script.stdout() + ASK.formatted(typed));
        Process process =
                new ProcessBuilder("/bin/bash", file.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output.strip();
    }

    @ParameterizedTest
    @EnabledIf("hasBash")
    @CsvSource(
            delimiter = '|',
            value = {
                "photon st | ''",
                "photon re | registry repair",
                "photon registry st | status",
                "photon registry status --se | --servers",
                "photon registry status -o '' | table json",
                "photon completion '' | bash zsh",
                "photon run j | joiner",
            })
    void bashOffersVerbsOptionsAndValues(String typed, String offered) throws Exception {
        assertThat(offered(typed)).isEqualTo(offered);
    }

    /** Zsh loads what bash loads: the script finds out which of them reads it. */
    @Test
    void theScriptForZshIsTheSame() {
        assertThat(Captured.run("completion", "zsh").stdout().lines().skip(1))
                .containsExactlyElementsOf(
                        Captured.run("completion", "bash").stdout().lines().skip(1).toList())
                .contains("elif [ -n \"$ZSH_VERSION\" ]; then");
    }

    @Test
    void anotherShellIsRefused() {
        Captured run = Captured.run("completion", "fish");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).contains("SHELL is 'fish': expected one of bash, zsh");
    }
}
