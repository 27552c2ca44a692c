package photon.server.configtest.rules;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import photon.core.config.IdConfig;

/** Why no sampled foreign event finds its primary event. */
final class KeyDiagnosis {
    private static final int SHOWN = 3;

    private KeyDiagnosis() {}

    static Finding of(StreamSample primary, StreamSample foreign, Matches matches, long nowMicros) {
        String share = Diagnosis.share(primary, matches);
        Optional<String> kind = otherKind(primary, foreign);
        if (kind.isPresent()) {
            return Finding.error(
                    foreign.keyPath(),
                    share + ". " + kind.get(),
                    "Expected as many fields, in the same order, and of the same kind, as in primary.id");
        }
        Optional<KeyCandidate> candidate =
                KeyCandidate.best(primary, foreign, matches.primaryIds());
        if (candidate.isPresent()) {
            KeyCandidate best = candidate.get();
            return Finding.error(
                    best.where(),
                    "%s. %s: %,d of the %,d foreign events would match"
                            .formatted(share, best.what(), best.events(), matches.foreignEvents()),
                    best.fix());
        }
        Optional<String> apart = apart(primary, foreign, nowMicros);
        if (apart.isPresent()) {
            return Finding.error(
                    "primary.paths and foreign.paths",
                    share + ". " + apart.get(),
                    "Expected logs of the same time in both");
        }
        return Finding.error(
                foreign.keyPath(),
                "%s. No other field, case, prefix or way of writing numbers matches either: primary keys look like %s, and foreign events name %s"
                        .formatted(share, shown(primary), shown(foreign)),
                primary.atEnd()
                        ? ""
                        : "The sample may be too small to tell: use a larger --records, or paths that name fewer files");
    }

    private static Optional<String> otherKind(StreamSample primary, StreamSample foreign) {
        IdConfig id = primary.stream().id();
        IdConfig named = foreign.stream().primaryId().orElse(id);
        if (id instanceof IdConfig.User user && named instanceof IdConfig.User other) {
            return user.from().size() == other.from().size()
                    ? Optional.empty()
                    : Optional.of(
                            "primary.id has %,d fields, %s, and foreign.primaryId has %,d, %s, so they never match"
                                    .formatted(
                                            user.from().size(),
                                            user.from(),
                                            other.from().size(),
                                            other.from()));
        }
        return id instanceof IdConfig.User == named instanceof IdConfig.User
                ? Optional.empty()
                : Optional.of(
                        "One of primary.id and foreign.primaryId is native and the other is made of fields: they never match");
    }

    /** The streams do not overlap in time, as far as their dates can be believed. */
    private static Optional<String> apart(
            StreamSample primary, StreamSample foreign, long nowMicros) {
        List<Long> of = Dates.micros(primary);
        List<Long> named = Dates.micros(foreign);
        boolean believed =
                2 * Dates.plausible(of, nowMicros) >= of.size()
                        && 2 * Dates.plausible(named, nowMicros) >= named.size();
        boolean apart = Dates.max(named) < Dates.min(of) || Dates.min(named) > Dates.max(of);
        return believed && apart
                ? Optional.of(
                        "The streams do not overlap in time: the sampled primary events are from %s, the foreign events from %s"
                                .formatted(Dates.span(of), Dates.span(named)))
                : Optional.empty();
    }

    private static String shown(StreamSample sample) {
        return sample.keys(SHOWN).stream()
                .map(key -> "'" + key + "'")
                .collect(Collectors.joining(", "));
    }
}
