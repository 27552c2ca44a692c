package photon.demo;

import java.util.Optional;

/** Options of a demo without anything that can be left out. */
final class PlainOptions {
    private PlainOptions() {}

    /** One that does not show or write more than its result. */
    static DemoOptions of(int seconds, double clicksPerSecond, long seed) {
        return new DemoOptions(
                seconds,
                clicksPerSecond,
                seed,
                false,
                false,
                false,
                false,
                false,
                false,
                true,
                Optional.empty(),
                Optional.empty(),
                false);
    }
}
