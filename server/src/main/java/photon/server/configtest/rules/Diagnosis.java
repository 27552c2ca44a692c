package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.List;
import photon.core.config.PipelineConfig;

/** Says what is wrong with a configuration, by the head of what it names. */
public final class Diagnosis {
    private Diagnosis() {}

    /**
     * Errors first, in the order in which a person would fix them.
     *
     * @param ofPrimary what other settings of the primary stream came to
     * @param nowMicros the time is this, about
     */
    public static List<Finding> of(
            PipelineConfig config,
            StreamSample primary,
            Trials ofPrimary,
            StreamSample foreign,
            Trials ofForeign,
            Matches matches,
            long nowMicros) {
        List<Finding> found = new ArrayList<>();
        found.addAll(FileDiagnosis.of(primary));
        found.addAll(FileDiagnosis.of(foreign));
        found.addAll(RecordDiagnosis.of(primary, ofPrimary));
        found.addAll(RecordDiagnosis.of(foreign, ofForeign));
        found.addAll(TimeDiagnosis.of(primary, ofPrimary, nowMicros));
        found.addAll(TimeDiagnosis.of(foreign, ofForeign, nowMicros));
        found.addAll(TimeDiagnosis.ofRetention(config, foreign, nowMicros));
        if (!primary.events().isEmpty() && !foreign.events().isEmpty() && matches.found() == 0) {
            found.add(KeyDiagnosis.of(primary, foreign, matches, nowMicros));
        }
        if (matches.found() == 0 && found.stream().noneMatch(Finding::isError)) {
            found.add(Finding.error("join", share(primary, matches), ""));
        }
        List<Finding> sorted = new ArrayList<>(found.stream().filter(Finding::isError).toList());
        found.stream().filter(one -> !one.isError()).forEach(sorted::add);
        return sorted;
    }

    /** Globs that match nothing now: files may come, or the glob is mistyped. */
    public static List<Finding> ofGlobs(String name, List<StreamSample.GlobMatch> globs) {
        return FileDiagnosis.globs(name, globs, Finding.Severity.WARNING);
    }

    /**
     * What must not be started with: ids keep wrong dates for good, and with a column that no
     * header has every record is bad.
     */
    public static List<Finding> ofStart(StreamSample sample, Trials trials, long nowMicros) {
        List<Finding> headers = ofHeaders(sample);
        return headers.isEmpty() ? TimeDiagnosis.of(sample, trials, nowMicros) : headers;
    }

    /** The part of {@link #ofStart} for a stream whose dates are right, whatever they are. */
    public static List<Finding> ofHeaders(StreamSample sample) {
        return RecordDiagnosis.ofHeaders(sample);
    }

    /** How many find their primary event, and how much was read for that. */
    public static String share(StreamSample primary, Matches matches) {
        String end =
                primary.atEnd()
                        ? "all primary files were read to their end"
                        : matches.complete() && matches.foreignEvents() > 0
                                ? "the test did not need the rest of the primary files"
                                : "the primary files were not read to their end";
        return "of %,d sampled foreign events, %,d match one of the %,d primary events read; %s"
                .formatted(matches.foreignEvents(), matches.found(), matches.primaryEvents(), end);
    }
}
