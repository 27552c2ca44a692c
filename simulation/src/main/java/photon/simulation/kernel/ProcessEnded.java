package photon.simulation.kernel;

/**
 * Thrown into code of a process that has ended, where it touches the world. An Error, so that the
 * code's own handling of failures does not take it for one.
 */
public final class ProcessEnded extends Error {
    public ProcessEnded(String process) {
        super(process, null, false, false);
    }
}
