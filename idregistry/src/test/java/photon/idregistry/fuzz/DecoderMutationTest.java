package photon.idregistry.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mutants of right bytes, from seeds. */
class DecoderMutationTest {
    private static final int MUTANTS = Integer.getInteger("photon.fuzz.mutants", 3_000);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);
    private static final int[] ODD = {
        0, 1, -1, 2, 0x7F, 0xFF, 0x100, 0xFFFF, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE
    };

    @ParameterizedTest
    @EnumSource
    void rightBytesAreRead(Decoder decoder) {
        for (byte[] right : RightInputs.of(decoder)) {
            assertThatCode(() -> decoder.read(right)).as("%s", decoder).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void mutantsAreReadOrRefused(Decoder decoder) {
        assertTimeoutPreemptively(
                ENDS_WITHIN,
                () -> {
                    List<byte[]> right = RightInputs.of(decoder);
                    Random random = new Random(42);
                    decoder.check(new byte[0]);
                    for (int i = 0; i < MUTANTS; i++) {
                        decoder.check(mutant(right.get(i % right.size()), random));
                    }
                });
    }

    private static byte[] mutant(byte[] right, Random random) {
        byte[] bytes = right.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private static byte[] changed(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> {
                int odd = ODD[random.nextInt(ODD.length)];
                for (int i = 0; i < 4 && at + i < bytes.length; i++) {
                    bytes[at + i] = (byte) (odd >>> (8 * (3 - i)));
                }
            }
            case 3 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 4 -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            }
            default -> {
                // A part once more, as two writes over each other leave it.
                byte[] longer = Arrays.copyOf(bytes, bytes.length + (bytes.length - at));
                System.arraycopy(bytes, at, longer, bytes.length, bytes.length - at);
                return longer;
            }
        }
        return bytes;
    }
}
