package photon.idregistry.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's way to {@link Decoder#SHARD_SNAPSHOT}; it wants a class for each. */
class ShardSnapshotFuzzTest {
    static Stream<byte[]> right() {
        return RightInputs.of(Decoder.SHARD_SNAPSHOT).stream();
    }

    @MethodSource("right")
    @FuzzTest(maxDuration = "60s")
    void any(byte[] bytes) {
        Decoder.SHARD_SNAPSHOT.check(bytes);
    }
}
