package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import org.junit.jupiter.api.Test;
import photon.registry.api.RegistryUnavailableException;

/** What a person can act on is one line, and no stack trace. */
class ExplainedFailureTest {
    private static void isOneLine(Exception failure, String line) {
        Captured explained = Captured.of(() -> Photon.explain(failure));
        assertThat(explained.status()).isEqualTo(1);
        assertThat(explained.stderr()).startsWith(line + System.lineSeparator());
        assertThat(explained.stderr()).doesNotContain("Exception");
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamedWithTheReason() {
        isOneLine(
                new UncheckedIOException(
                        "Cannot use the state directory /state/east",
                        new AccessDeniedException("/state/east/ledger")),
                "photon: failed: Cannot use the state directory /state/east: /state/east/ledger may not be read or written: permission denied");
    }

    @Test
    void aRegistryThatDoesNotAnswerIsNoBug() {
        isOneLine(
                new RegistryUnavailableException("no server answers"), "photon: no server answers");
    }
}
