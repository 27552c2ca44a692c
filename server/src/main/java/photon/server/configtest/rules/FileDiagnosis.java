package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.List;
import photon.server.configtest.rules.Finding.Severity;

/** What is wrong with the files of a stream, as files. */
final class FileDiagnosis {
    private static final int NAMED_MAX = 5;

    private FileDiagnosis() {}

    static List<Finding> of(StreamSample sample) {
        List<Finding> found = new ArrayList<>();
        Severity severity = sample.files() == 0 ? Severity.ERROR : Severity.WARNING;
        found.addAll(globs(sample.name(), sample.globs(), severity));
        unreadable(sample, found);
        halfWritten(sample, found);
        if (sample.files() > 0
                && sample.records() == 0
                && sample.troubles().isEmpty()
                && sample.halfWritten().isEmpty()) {
            found.add(
                    Finding.error(
                            sample.name() + ".paths",
                            "none of the %,d matching files holds a record"
                                    .formatted(sample.files()),
                            ""));
        }
        return found;
    }

    /** Those that match nothing. */
    static List<Finding> globs(String name, List<StreamSample.GlobMatch> globs, Severity severity) {
        List<Finding> found = new ArrayList<>();
        for (StreamSample.GlobMatch glob : globs) {
            if (glob.directoryMissing()) {
                found.add(
                        new Finding(
                                severity,
                                name + ".paths",
                                "'%s' matches no file: the directory %s does not exist"
                                        .formatted(glob.pattern(), glob.directory()),
                                "Expected a directory that exists; relative paths are relative to the configuration file"));
            } else if (glob.files() == 0) {
                found.add(
                        new Finding(
                                severity,
                                name + ".paths",
                                "'%s' matches no file".formatted(glob.pattern()),
                                neighbours(glob)));
            }
        }
        return found;
    }

    private static String neighbours(StreamSample.GlobMatch glob) {
        return glob.neighbours().isEmpty()
                ? "The directory %s is empty".formatted(glob.directory())
                : "The directory %s holds %s"
                        .formatted(glob.directory(), String.join(", ", glob.neighbours()));
    }

    private static void unreadable(StreamSample sample, List<Finding> found) {
        Severity severity = sample.events().isEmpty() ? Severity.ERROR : Severity.WARNING;
        for (StreamSample.FileTrouble trouble : first(sample.troubles())) {
            found.add(
                    new Finding(
                            severity,
                            sample.name() + ".paths",
                            "%s cannot be read to its end: %s"
                                    .formatted(trouble.path(), trouble.reason()),
                            "A run skips the part that it cannot read: replace the file with a complete one"));
        }
        further(sample, sample.troubles().size(), "cannot be read to their end", severity, found);
    }

    private static void halfWritten(StreamSample sample, List<Finding> found) {
        Severity severity = sample.records() == 0 ? Severity.ERROR : Severity.WARNING;
        for (StreamSample.HalfWritten file : first(sample.halfWritten())) {
            found.add(
                    new Finding(
                            severity,
                            sample.name() + ".paths",
                            "the end of %s is incomplete: a line feed or the end of a compressed stream is missing"
                                    .formatted(file.path()),
                            "A run does not read its last %s until it is complete"
                                    .formatted(
                                            file.bytes() > 0
                                                    ? "%,d bytes".formatted(file.bytes())
                                                    : "part")));
        }
        further(sample, sample.halfWritten().size(), "have an incomplete end", severity, found);
    }

    private static <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(NAMED_MAX, all.size()));
    }

    private static void further(
            StreamSample sample, int all, String what, Severity severity, List<Finding> found) {
        if (all > NAMED_MAX) {
            found.add(
                    new Finding(
                            severity,
                            sample.name() + ".paths",
                            "%,d further files %s".formatted(all - NAMED_MAX, what),
                            ""));
        }
    }
}
