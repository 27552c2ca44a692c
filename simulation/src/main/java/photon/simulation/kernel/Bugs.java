package photon.simulation.kernel;

/** Told of what stops a process from within: an exception of one of its tasks, or its own word. */
@FunctionalInterface
public interface Bugs {
    /** The process has not ended yet; whoever is told ends it. */
    void met(Life life, String where, Throwable bug);
}
