package photon.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class BugHandlerTest {
    @Test
    void theLastWordsTellWhatIsAtTheBottomOfIt() {
        assertThat(
                        BugHandler.lastWords(
                                "Writing the log",
                                new IllegalStateException(
                                        "Log already failed",
                                        new RuntimeException(
                                                new IOException("No space left on device")))))
                .isEqualTo(
                        "photon: stopping, Writing the log: java.lang.IllegalStateException: Log already failed, because of"
                                + " java.io.IOException: No space left on device");
    }

    @Test
    void whatIsNoBugIsItsMessageAlone() {
        assertThat(BugHandler.lastWords("The leases", new FailedException("another one has them")))
                .isEqualTo("photon: stopping, The leases: another one has them");
    }

    @Test
    void aBugWithoutACauseIsToldOnce() {
        assertThat(BugHandler.lastWords("Loop", new BugException("Expected 1, but got 2")))
                .isEqualTo(
                        "photon: stopping, Loop: photon.core.error.BugException: Expected 1, but got 2");
    }
}
