package photon.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import photon.core.error.FailedException;
import photon.core.time.Standstill;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** The start of many processes at once: most of a start is waiting for others. */
public final class FleetStart {
    /** How long nothing may move; how long a start takes depends on the machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

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
     * @param told which do not serve yet, at each look
     * @throws PortTakenException if the start may succeed with other ports
     * @throws FailedException if one has ended, or nothing has moved for minutes
     */
    public static void all(
            Fleet fleet,
            List<ProcessName> processes,
            Runnable pause,
            Consumer<List<ProcessName>> told)
            throws IOException {
        all(fleet, processes, PATIENCE, pause, told);
    }

    /**
     * @param patience how long nothing may move
     */
    static void all(
            Fleet fleet,
            List<ProcessName> processes,
            Duration patience,
            Runnable pause,
            Consumer<List<ProcessName>> told)
            throws IOException {
        for (ProcessName process : processes) {
            fleet.start(process);
        }
        Standstill standstill =
                new Standstill(patience, progress(fleet, processes), System.nanoTime());
        for (List<ProcessName> left = left(fleet, processes);
                !left.isEmpty();
                left = left(fleet, processes)) {
            told.accept(left);
            pause.run();
            try {
                fleet.checkAlive(processes);
            } catch (FailedException e) {
                if (String.valueOf(e.getMessage()).contains("Cannot listen")) {
                    throw new PortTakenException(e);
                }
                throw e;
            }
            if (standstill.reached(progress(fleet, processes), System.nanoTime())) {
                throw new FailedException(
                        "Expected all processes to serve, but nothing has moved for %d minutes, and these do not serve: %s. What each has logged is in %s"
                                .formatted(
                                        patience.toMinutes(),
                                        labels(left),
                                        fleet.log(left.get(0)).getParent()));
            }
        }
    }

    /** For people. */
    static String labels(List<ProcessName> processes) {
        return String.join(", ", processes.stream().map(ProcessName::label).toList());
    }

    private static List<ProcessName> left(Fleet fleet, List<ProcessName> processes) {
        return processes.stream().filter(process -> !fleet.serving(process)).toList();
    }

    private static StartProgress progress(Fleet fleet, List<ProcessName> processes) {
        return StartProgress.of(processes, fleet::serving, fleet::cpuTime);
    }
}
