package photon.core.error;

/** What a command of Photon returns to its shell. */
public final class ExitStatus {
    public static final int DONE = 0;

    /** It failed, or what it checked is not right. */
    public static final int FAILED = 1;

    private ExitStatus() {}
}
