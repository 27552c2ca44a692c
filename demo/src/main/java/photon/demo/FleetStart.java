package photon.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import photon.core.error.FailedException;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** The start of many processes at once: most of a start is waiting for others. */
public final class FleetStart {
    private static final Duration START_MAX = Duration.ofMinutes(5);

    private FleetStart() {}

    /** A port went to somebody else between its choice and its use. */
    public static final class PortTakenException extends RuntimeException {
        PortTakenException(FailedException why) {
            super(why);
        }
    }

    /**
     * Returns when all serve.
     *
     * @param pause waits a moment between two looks; may throw to end the start
     * @param told how many serve, at each look
     * @throws PortTakenException if the start may succeed with other ports
     * @throws FailedException if one has ended, or they do not serve in time
     */
    public static void all(
            Fleet fleet, List<ProcessName> processes, Runnable pause, IntConsumer told)
            throws IOException {
        for (ProcessName process : processes) {
            fleet.start(process);
        }
        long began = System.nanoTime();
        while (!processes.stream().allMatch(fleet::serving)) {
            pause.run();
            try {
                fleet.checkAlive(processes);
            } catch (FailedException e) {
                if (String.valueOf(e.getMessage()).contains("Cannot listen")) {
                    throw new PortTakenException(e);
                }
                throw e;
            }
            if (System.nanoTime() - began > START_MAX.toNanos()) {
                throw new FailedException(
                        "Expected all processes to serve within %s, but %s do not"
                                .formatted(
                                        START_MAX,
                                        processes.stream()
                                                .filter(p -> !fleet.serving(p))
                                                .map(ProcessName::label)
                                                .toList()));
            }
            told.accept((int) processes.stream().filter(fleet::serving).count());
        }
    }
}
