package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogMarkTest {
    @TempDir Path group;

    @Test
    void itIsRaisedAndNeverLowered() throws Exception {
        assertThat(LogMark.read(group)).isEqualTo(LogMark.NONE);
        LogMark mark = new LogMark(group);
        mark.raise(LogMark.NONE);
        assertThat(group.resolve(LogMark.NAME)).doesNotExist();
        for (long index : new long[] {0, 7, Long.MAX_VALUE}) {
            mark.raise(index);
            assertThat(LogMark.read(group)).isEqualTo(index);
        }
        mark.raise(8);
        new LogMark(group).raise(9);
        assertThat(LogMark.read(group)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oneThatIsTornCountsForNothingAndIsWrittenAnew() throws Exception {
        new LogMark(group).raise(1234);
        Path file = group.resolve(LogMark.NAME);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] torn = whole.clone();
            torn[at] ^= 1;
            Files.write(file, torn);
            assertThat(LogMark.read(group)).as("byte %s", at).isEqualTo(LogMark.NONE);
            Files.write(file, Arrays.copyOf(whole, at));
            assertThat(LogMark.read(group)).as("%s bytes", at).isEqualTo(LogMark.NONE);
        }
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        new LogMark(group).raise(5);
        assertThat(LogMark.read(group)).isEqualTo(5);
    }
}
