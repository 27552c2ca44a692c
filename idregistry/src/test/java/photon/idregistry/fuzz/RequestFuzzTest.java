package photon.idregistry.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's way to {@link Decoder#REQUEST}; it wants a class for each. */
class RequestFuzzTest {
    static Stream<byte[]> right() {
        return RightInputs.of(Decoder.REQUEST).stream();
    }

    @MethodSource("right")
    @FuzzTest(maxDuration = "60s")
    void any(byte[] bytes) {
        Decoder.REQUEST.check(bytes);
    }
}
