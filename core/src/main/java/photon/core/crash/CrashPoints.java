package photon.core.crash;

/** Told whenever a component passes a {@link CrashPoint}. Thread-safe. */
@FunctionalInterface
public interface CrashPoints {
    /** May not return. */
    void passed(CrashPoint point);

    /** For production: nothing happens. */
    static CrashPoints none() {
        return point -> {};
    }
}
