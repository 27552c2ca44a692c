package photon.core.time;

import java.io.IOException;

/** Asks the chronyd of this machine. */
@FunctionalInterface
public interface Chronyc {
    /**
     * The answer to {@code chronyc -c -n tracking}, within a bounded time.
     *
     * @throws IOException if there is none; says why
     */
    String tracking() throws IOException, InterruptedException;
}
