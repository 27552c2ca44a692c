package photon.server.health;

import java.util.Optional;

/**
 * Something that must hold for a daemon to be ready.
 *
 * @param name as {@code /readyz} and metrics show it
 * @param consequence what follows while it fails, for people; empty: the log says nothing about it
 * @param condition looked at in the monitor's loop
 */
public record Check(String name, String consequence, Condition condition) {
    /** Looks how it stands. */
    @FunctionalInterface
    public interface Condition {
        /**
         * @return why it fails; empty: it holds
         */
        Optional<Failure> look(long nowNanos);
    }
}
