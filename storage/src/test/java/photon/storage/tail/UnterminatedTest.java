package photon.storage.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.storage.files.MemoryFileStore;

class UnterminatedTest {
    private final MemoryFileStore files = new MemoryFileStore();

    private boolean endsWithinALine(byte[] content) throws IOException {
        files.put("/logs/a", content);
        boolean within = Unterminated.isAtTheEndOf(files, requireNonNull(files.stat("/logs/a")));
        files.delete("/logs/a");
        return within;
    }

    @Test
    void aFileThatDoesNotEndInALineFeedEndsWithinALine() throws IOException {
        assertThat(endsWithinALine("a,1\nb,2".getBytes(UTF_8))).isTrue();
        assertThat(endsWithinALine("a,1\nb,2\n".getBytes(UTF_8))).isFalse();
        assertThat(endsWithinALine(new byte[0])).isFalse();
    }

    /** Whatever its name is: a line feed more would damage it. */
    @Test
    void whatIsCompressedIsNotLookedInto() throws IOException {
        assertThat(endsWithinALine(new byte[] {0x1F, (byte) 0x8B, 8, 0, 1})).isFalse();
        assertThat(endsWithinALine(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 1})).isFalse();
    }
}
