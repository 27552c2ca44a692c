package photon.demo.generate.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When primary events happen: a Poisson process whose rate swings over the day, highest at 15:00
 * UTC. The rate holds for a minute at a time. Not thread-safe.
 */
final class PoissonArrivals {
    private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);
    private static final long PEAK_MICROS = Duration.ofHours(15).toSeconds() * 1_000_000;
    private static final long STEP_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final Dice dice;
    private final double perMicro;
    private final double swing;
    private double at; // fractions of a microsecond matter at high rates
    private double stepEnd;
    private double ratePerMicro;

    PoissonArrivals(Dice dice, double perSecond, double swing, long startMicros) {
        this.dice = dice;
        this.perMicro = perSecond / 1e6;
        this.swing = swing;
        this.at = startMicros;
        this.stepEnd = startMicros;
        enterStep();
    }

    /** The next moment, microseconds. */
    long next() {
        while (true) {
            double next = at + dice.exponential() / ratePerMicro;
            if (next < stepEnd) {
                at = next;
                return (long) next;
            }
            // The process has no memory: from the border on, the next minute's rate holds.
            at = stepEnd;
            enterStep();
        }
    }

    private void enterStep() {
        double phase = ((stepEnd - PEAK_MICROS) % DAY_MICROS) / DAY_MICROS;
        // Never quite 0: a night of no events at all would be looked through minute by minute.
        ratePerMicro = perMicro * Math.max(1e-3, 1 + swing * StrictMath.cos(2 * Math.PI * phase));
        stepEnd += STEP_MICROS;
    }
}
