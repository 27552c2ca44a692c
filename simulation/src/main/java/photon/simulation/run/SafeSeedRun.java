package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import photon.simulation.run.SeedResult.Violation;

/**
 * Whatever a world throws, even for want of memory, is the result of its seed and ends nothing
 * else.
 */
final class SafeSeedRun implements SeedRun {
    private static final int FRAMES_MAX = 12;
    private static final int CAUSES_MAX = 5;

    private final SeedRun seedRun;

    SafeSeedRun(SeedRun seedRun) {
        this.seedRun = seedRun;
    }

    @Override
    public SeedResult run(long seed, boolean keepTrace) {
        try {
            return seedRun.run(seed, keepTrace);
        } catch (Throwable thrown) {
            return new SeedResult(
                    seed,
                    List.of(new Violation("bug", "the world threw " + thrown)),
                    0,
                    List.of(),
                    where(thrown),
                    new TreeMap<>(),
                    0,
                    0);
        }
    }

    private static List<String> where(Throwable thrown) {
        List<String> lines = new ArrayList<>();
        Throwable at = thrown;
        for (int causes = 0; at != null && causes < CAUSES_MAX; causes++) {
            lines.add((causes == 0 ? "" : "caused by ") + at);
            StackTraceElement[] frames = at.getStackTrace();
            for (int i = 0; i < Math.min(FRAMES_MAX, frames.length); i++) {
                lines.add("  at " + frames[i]);
            }
            at = at.getCause();
        }
        return lines;
    }
}
