package photon.core.hash;

/**
 * The finalizer of SplitMix64. Never change it: ids would move between shards, and event stores
 * would hold what they are not asked for.
 */
public final class SplitMix {
    private SplitMix() {}

    /** Well mixed: each bit of the result depends on each bit of the value. */
    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
