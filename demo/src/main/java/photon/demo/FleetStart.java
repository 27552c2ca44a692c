package photon.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import photon.core.error.FailedException;
import photon.core.time.Standstill;
import photon.server.roles.DaemonRun;
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
        StartProgress progress = progress(fleet, processes, StartProgress.NONE);
        Standstill standstill = new Standstill(patience, progress, System.nanoTime());
        for (List<ProcessName> left = left(fleet, processes);
                !left.isEmpty();
                left = left(fleet, processes)) {
            told.accept(left);
            pause.run();
            checkAlive(fleet, processes);
            progress = progress(fleet, processes, progress);
            if (standstill.reached(progress, System.nanoTime())) {
                throw new FailedException(
                        "Expected all processes to serve, but nothing has moved for %d minutes, and these do not serve: %s. What each has logged is in %s"
                                .formatted(
                                        patience.toMinutes(),
                                        labels(left),
                                        fleet.log(left.get(0)).getParent()));
            }
        }
    }

    /** One that has waited in vain for the registry is started again, as a supervisor would. */
    private static void checkAlive(Fleet fleet, List<ProcessName> processes) throws IOException {
        for (ProcessName process : processes) {
            try {
                fleet.checkAlive(List.of(process));
            } catch (FailedException e) {
                String why = String.valueOf(e.getMessage());
                if (why.contains("Cannot listen")) {
                    throw new PortTakenException(e);
                }
                // The last reason in its log, which holds its earlier lives, too.
                int reason = Math.max(0, why.lastIndexOf("photon: "));
                if (!why.substring(reason).contains(DaemonRun.NO_REGISTRY)) {
                    throw e;
                }
                fleet.start(process);
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

    private static StartProgress progress(
            Fleet fleet, List<ProcessName> processes, StartProgress before) {
        return StartProgress.of(processes, fleet::serving, fleet::cpuTime, before);
    }
}
