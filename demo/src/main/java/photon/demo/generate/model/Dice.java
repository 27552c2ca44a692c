package photon.demo.generate.model;

import java.util.SplittableRandom;

/**
 * Randomness from a seed, the same bits on every machine: {@link Math}'s functions may differ in
 * the last digit. Not thread-safe.
 */
final class Dice {
    private final SplittableRandom random;
    private double spareGaussian = Double.NaN;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    private Dice(SplittableRandom random) {
        this.random = random;
    }

    /** Dice of their own: what one draws moves nothing of the other. */
    Dice split() {
        return new Dice(random.split());
    }

    long bits() {
        return random.nextLong();
    }

    /** From 0, below 1. */
    double unit() {
        return (random.nextLong() >>> 11) * 0x1p-53;
    }

    /** From 0, below the bound. */
    int below(int bound) {
        return (int) (unit() * bound);
    }

    boolean chance(double probability) {
        return probability > 0 && unit() < probability;
    }

    /** Of mean 1. */
    double exponential() {
        return -StrictMath.log(1 - unit());
    }

    /** Of mean 0 and deviation 1, by Marsaglia's polar method. */
    double gaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        while (true) {
            double x = 2 * unit() - 1;
            double y = 2 * unit() - 1;
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                double scale = StrictMath.sqrt(-2 * StrictMath.log(square) / square);
                spareGaussian = y * scale;
                return x * scale;
            }
        }
    }

    /**
     * How many of rare things happen, by Poisson's law; for small means.
     *
     * @param expOfMinusMean {@code exp(-mean)}
     */
    int poisson(double expOfMinusMean) {
        int count = 0;
        double product = unit();
        while (product > expOfMinusMean) {
            count++;
            product *= unit();
        }
        return count;
    }
}
