package photon.idregistry.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's way to {@link Decoder#CONTROL_ENTRY}; it wants a class for each. */
class ControlEntryFuzzTest {
    static Stream<byte[]> right() {
        return RightInputs.of(Decoder.CONTROL_ENTRY).stream();
    }

    @MethodSource("right")
    @FuzzTest(maxDuration = "60s")
    void any(byte[] bytes) {
        Decoder.CONTROL_ENTRY.check(bytes);
    }
}
