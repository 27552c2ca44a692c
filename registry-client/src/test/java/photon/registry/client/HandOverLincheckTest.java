package photon.registry.client;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of callers, of the loop that takes their calls in, and of a close, as far as
 * Lincheck tries them. Calls are told apart by their deadlines.
 */
@Param(name = "number", gen = IntGen.class, conf = "1:9")
public class HandOverLincheckTest {
    private final HandOver handOver = new HandOver();

    @Operation
    public String put(@Param(name = "number") int number) {
        return handOver.put(new Numbered(number)).name();
    }

    @Operation(nonParallelGroup = "loop")
    public String takeAll() {
        return text(handOver.takeAll());
    }

    @Operation(nonParallelGroup = "loop")
    public String close() {
        return text(handOver.close());
    }

    private static String text(@org.jspecify.annotations.Nullable Call<?> oldest) {
        StringBuilder all = new StringBuilder();
        for (Call<?> call = oldest; call != null; call = call.next) {
            all.append(call.deadlineNanos).append(' ');
        }
        return all.toString();
    }

    private static final class Numbered extends Call<Void> {
        Numbered(int number) {
            super(number);
        }

        @Override
        void begin() {}

        @Override
        void turnAway(byte why) {}

        @Override
        void giveUp(byte why) {}
    }

    @Test
    void eachCallIsTakenInOnceAndInOrderOrTurnedAway() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .check(HandOverLincheckTest.class);
    }
}
