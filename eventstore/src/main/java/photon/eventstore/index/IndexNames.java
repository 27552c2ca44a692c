package photon.eventstore.index;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the files in an index's directory. */
final class IndexNames {
    private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{10})\\.log");
    private static final Pattern PART = Pattern.compile("part-(\\d{10})-(\\d{10})\\.idx");

    /** Ends a name whose file is not whole yet. */
    private static final String NEW = ".new";

    private IndexNames() {}

    /** The segments that a part stands for, both included. */
    record Range(long from, long to) {}

    static String segment(long number) {
        return "segment-%010d.log".formatted(number);
    }

    static String part(Range range) {
        return "part-%010d-%010d.idx".formatted(range.from(), range.to());
    }

    static String unfinished(String name) {
        return name + NEW;
    }

    static boolean isUnfinished(String name) {
        return name.endsWith(NEW) && isFinished(name.substring(0, name.length() - NEW.length()));
    }

    private static boolean isFinished(String name) {
        return segment(name).isPresent() || part(name).isPresent();
    }

    /** False for a name that no index gives. */
    static boolean isOfIndex(String name) {
        return isFinished(name) || isUnfinished(name);
    }

    static Optional<Long> segment(String name) {
        Matcher matcher = SEGMENT.matcher(name);
        return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    static Optional<Range> part(String name) {
        Matcher matcher = PART.matcher(name);
        return matcher.matches()
                ? Optional.of(
                        new Range(
                                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    static String of(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String directoryOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
