package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import photon.core.id.EventId;
import photon.simulation.checks.InvariantViolation;
import photon.simulation.kernel.Trace;
import photon.simulation.network.MessageText;

/** A failed world in few lines: its faults, and what concerns the events of its violations. */
final class Story {
    private static final int EVENTS_MAX = 2;
    private static final int LINES_MAX = 150;

    private Story() {}

    /** Empty if the trace was not kept. */
    static List<String> of(Trace trace, List<InvariantViolation> violations) {
        List<String> names = new ArrayList<>();
        for (InvariantViolation violation : violations) {
            for (EventId id : violation.ids()) {
                if (names.size() < EVENTS_MAX) {
                    names.add(MessageText.of(id));
                }
            }
        }
        List<String> story = new ArrayList<>();
        for (String line : trace.lines()) {
            if (tells(line) || names.stream().anyMatch(line::contains)) {
                story.add(line);
            }
        }
        int left = story.size() - LINES_MAX;
        if (left <= 0) {
            return story;
        }
        List<String> end = new ArrayList<>();
        end.add("... " + left + " lines before");
        end.addAll(story.subList(left, story.size()));
        return end;
    }

    private static boolean tells(String line) {
        return line.contains(" FAULT ")
                || line.contains(" VIOLATION ")
                || line.contains(" starts, life ")
                || line.contains(" ends: ")
                || line.contains(" pauses ")
                || line.contains(" leads ");
    }
}
