package photon.idregistry.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's way to {@link Decoder#CONTROL_SNAPSHOT}; it wants a class for each. */
class ControlSnapshotFuzzTest {
    static Stream<byte[]> right() {
        return RightInputs.of(Decoder.CONTROL_SNAPSHOT).stream();
    }

    @MethodSource("right")
    @FuzzTest(maxDuration = "60s")
    void any(byte[] bytes) {
        Decoder.CONTROL_SNAPSHOT.check(bytes);
    }
}
