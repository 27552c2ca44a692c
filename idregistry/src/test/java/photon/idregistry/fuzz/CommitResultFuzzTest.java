package photon.idregistry.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's way to {@link Decoder#COMMIT_RESULT}; it wants a class for each. */
class CommitResultFuzzTest {
    static Stream<byte[]> right() {
        return RightInputs.of(Decoder.COMMIT_RESULT).stream();
    }

    @MethodSource("right")
    @FuzzTest(maxDuration = "60s")
    void any(byte[] bytes) {
        Decoder.COMMIT_RESULT.check(bytes);
    }
}
