package photon.simulation.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import photon.simulation.checks.InvariantViolation;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Trace;
import photon.simulation.parts.ProcessHost;

/** What a world has come to so far. */
final class Verdicts {
    private static final int FRAMES = 12;

    private final Trace trace;
    private final List<InvariantViolation> violations = new ArrayList<>();
    private int stoppedByFiles;

    Verdicts(Trace trace) {
        this.trace = trace;
    }

    /** True while nothing is violated. */
    boolean clean() {
        return violations.isEmpty();
    }

    /** The first first. */
    List<InvariantViolation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** Processes that have stopped themselves for their files' sake. */
    int stoppedByFiles() {
        return stoppedByFiles;
    }

    void violated(InvariantViolation violation) {
        trace.add("world", "VIOLATION %s", violation);
        violations.add(violation);
    }

    void note(List<InvariantViolation> found) {
        found.forEach(this::violated);
    }

    /** A process has stopped itself: for its files' sake it may, for anything else it may not. */
    void stopped(Life life, String where, Throwable bug) {
        if (ProcessHost.stoppedByFiles(bug)) {
            stoppedByFiles++;
            return;
        }
        StringBuilder text = new StringBuilder(life + " in " + where + ": " + bug);
        for (Throwable cause = bug; cause != null; cause = cause.getCause()) {
            Stream.of(cause.getStackTrace())
                    .limit(FRAMES)
                    .forEach(f -> text.append("\n      at ").append(f));
            if (cause.getCause() != null) {
                text.append("\n    caused by ").append(cause.getCause());
            }
        }
        violated(new InvariantViolation("bug", text.toString(), List.of()));
    }
}
