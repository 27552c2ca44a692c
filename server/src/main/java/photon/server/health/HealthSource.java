package photon.server.health;

/** Says how a process is. Thread-safe and quick. */
public interface HealthSource {
    /** Whether it should go on: false only if a start anew would help. */
    HealthReport live();

    /** Whether its work gets through. */
    HealthReport ready();
}
