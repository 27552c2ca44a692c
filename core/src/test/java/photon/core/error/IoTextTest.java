package photon.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class IoTextTest {
    @Test
    void whatJavaSaysInOneWordIsSaidInASentence() {
        assertThat(IoText.of(new NoSuchFileException("/a"))).isEqualTo("/a does not exist");
        assertThat(IoText.of(new AccessDeniedException("/a")))
                .isEqualTo("/a may not be read or written: permission denied");
        assertThat(IoText.of(new FileSystemException("/a", null, "No space left on device")))
                .isEqualTo("/a: No space left on device");
        assertThat(IoText.of(new IOException())).isEqualTo("reading or writing failed");
    }

    @Test
    void noClassIsNamedAlsoNotOfACause() {
        IOException below = new NoSuchFileException("/a");
        assertThat(IoText.of(new IOException("The state cannot be read", below)))
                .isEqualTo("The state cannot be read: /a does not exist");
        assertThat(IoText.of(new IOException(below))).isEqualTo("/a does not exist");
    }

    @Test
    void oneThatIsUncheckedIsItsCause() {
        IOException below = new AccessDeniedException("/a");
        assertThat(IoText.of(new UncheckedIOException("Cannot use the state directory /b", below)))
                .isEqualTo(
                        "Cannot use the state directory /b: /a may not be read or written: permission denied");
        assertThat(IoText.of(new UncheckedIOException(below)))
                .isEqualTo("/a may not be read or written: permission denied");
    }

    /** Hadoop's messages carry the calls of the server's thread. */
    @Test
    void theCallsOfAServerAreLeftOut() {
        assertThat(
                        IoText.of(
                                new IOException(
                                        "The quota of /a is exceeded\nIt is 1 B\n\tat a.B.c(B.java:1)\n\tat a.D.e(D.java:2)\n")))
                .isEqualTo("The quota of /a is exceeded: It is 1 B");
    }
}
