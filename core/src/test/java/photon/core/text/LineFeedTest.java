package photon.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineFeedTest {
    /** Around each boundary of eight bytes, beside bytes that differ in one bit. */
    @Test
    void theFirstOneIsFoundWhereverItStands() {
        for (byte filling : new byte[] {0, 9, 11, (byte) 0x8A, (byte) 0xFF, 'a'}) {
            for (int length = 0; length <= 40; length++) {
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, filling);
                found(bytes);
                for (int at = 0; at < length; at++) {
                    bytes[at] = '\n';
                    found(bytes);
                    bytes[at] = filling;
                }
            }
        }
    }

    @Test
    void anyBytesAreSearchedAsOneByOne() {
        Random random = new Random(1);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(100)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(40) == 0 ? '\n' : random.nextInt(256));
            }
            found(bytes);
        }
    }

    private static void found(byte[] bytes) {
        for (int from = 0; from <= bytes.length; from += 1 + from / 3) {
            int expected = from;
            while (expected < bytes.length && bytes[expected] != '\n') {
                expected++;
            }
            assertThat(LineFeed.find(bytes, from, bytes.length)).isEqualTo(expected);
            ByteString whole = ByteString.copyFrom(bytes);
            assertThat(LineFeed.find(whole.substring(from))).isEqualTo(expected - from);
        }
    }
}
