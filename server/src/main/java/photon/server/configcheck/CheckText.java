package photon.server.configcheck;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import photon.server.configcheck.rules.CheckLine;

/**
 * The result for people: a line for each thing that was looked at, and below it what would be
 * right.
 */
public final class CheckText {
    private CheckText() {}

    /** Ends with a line feed. */
    public static String of(List<CheckLine> lines) {
        StringBuilder text = new StringBuilder();
        for (CheckLine line : lines) {
            text.append(
                    "%-4s  %-11s  %s: %s\n"
                            .formatted(line.level(), line.area(), line.subject(), line.found()));
            if (!line.expected().isEmpty()) {
                text.append("      expected: ").append(line.expected()).append('\n');
            }
        }
        return text.append(sum(lines)).append('\n').toString();
    }

    private static String sum(List<CheckLine> lines) {
        return Arrays.stream(CheckLine.Level.values())
                .map(
                        level ->
                                lines.stream().filter(line -> line.level() == level).count()
                                        + " "
                                        + level)
                .collect(Collectors.joining(", "));
    }
}
