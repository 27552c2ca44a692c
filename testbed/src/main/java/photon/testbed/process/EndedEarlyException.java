package photon.testbed.process;

import java.time.Duration;
import photon.server.lifecycle.Shutdown;

/** Somebody has asked for the end of a run. */
public final class EndedEarlyException extends RuntimeException {
    /**
     * Waits so long.
     *
     * @throws EndedEarlyException as soon as a signal came
     */
    public static void pause(Shutdown shutdown, Duration time) {
        if (shutdown.awaitRequest(time)) {
            throw new EndedEarlyException();
        }
    }
}
