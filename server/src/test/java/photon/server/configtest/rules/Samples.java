package photon.server.configtest.rules;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.event.LogEvent;
import photon.storage.format.EventParser;
import photon.storage.format.FileParser;
import photon.storage.format.Parsed;

/** Samples as the production parser makes them of JSON lines, without a file. */
final class Samples {
    static final long NOW = 1_767_225_600_000_000L; // 2026-01-01

    private Samples() {}

    static StreamConfig primaryStream(TimestampConfig.Unit unit, String... from) {
        return stream(unit, List.of(from), Optional.empty());
    }

    static StreamConfig foreignStream(TimestampConfig.Unit unit, String... primaryFrom) {
        return stream(unit, List.of("click"), Optional.of(new IdConfig.User(List.of(primaryFrom))));
    }

    private static StreamConfig stream(
            TimestampConfig.Unit unit, List<String> from, Optional<IdConfig> primaryId) {
        return new StreamConfig(
                List.of("/logs/*"),
                new FormatConfig.JsonLines(),
                Map.of(),
                Map.of(),
                new IdConfig.User(from),
                Optional.of(
                        new TimestampConfig.Numeric("at", unit, TimestampConfig.Dates.PLAUSIBLE)),
                primaryId);
    }

    static StreamSample of(StreamConfig stream, boolean atEnd, List<String> lines) {
        FileParser parser = EventParser.of(stream.ofAnyDate()).forFile();
        List<LogEvent> events = new ArrayList<>();
        BadRecordReasons bad = new BadRecordReasons();
        long leftOut = 0;
        for (String line : lines) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            Parsed parsed = parser.parse(bytes, 0, bytes.length);
            if (parsed instanceof Parsed.Event event) {
                events.add(event.event());
            } else if (parsed instanceof Parsed.Bad found) {
                bad.add("/logs/a", 0, found.reason(), found.cause(), bytes);
            } else {
                leftOut++;
            }
        }
        return new StreamSample(
                stream.primaryId().isPresent() ? "foreign" : "primary",
                stream,
                List.of(new StreamSample.GlobMatch("/logs/*", 1, "/logs", false, List.of())),
                1,
                events,
                leftOut,
                bad,
                List.of(),
                List.of(),
                atEnd);
    }

    /** What is found in two samples, with trials as they are made of the same lines. */
    static List<Finding> judge(
            PipelineConfig config,
            StreamConfig primary,
            List<String> primaryLines,
            StreamConfig foreign,
            List<String> foreignLines) {
        StreamSample primarySample = of(primary, true, primaryLines);
        StreamSample foreignSample = of(foreign, true, foreignLines);
        Matches matches = new Matches(foreignSample.events());
        primarySample.events().forEach(matches::see);
        return Diagnosis.of(
                config,
                primarySample,
                trials(primarySample, primaryLines),
                foreignSample,
                trials(foreignSample, foreignLines),
                matches,
                NOW);
    }

    private static Trials trials(StreamSample sample, List<String> lines) {
        List<Trials.OfTimestamp> tried = new ArrayList<>();
        for (TimestampConfig timestamp : Trials.timestampsToTry(sample, NOW)) {
            StreamConfig stream = sample.stream();
            StreamConfig other =
                    new StreamConfig(
                            stream.paths(),
                            stream.format(),
                            stream.where(),
                            stream.whereNot(),
                            stream.id(),
                            Optional.of(timestamp),
                            stream.primaryId());
            tried.add(Trials.OfTimestamp.of(timestamp, of(other, true, lines)));
        }
        return new Trials(tried, Optional.empty());
    }

    static PipelineConfig pipeline(StreamConfig primary, StreamConfig foreign) {
        return new PipelineConfig(
                "test",
                List.of("east"),
                Optional.empty(),
                Duration.ofSeconds(2),
                primary,
                foreign,
                new PipelineConfig.Adapter("merge", Map.of()),
                PipelineConfig.Limits.DEFAULTS,
                PipelineConfig.Repair.DEFAULTS,
                OutputConfig.DEFAULTS,
                Optional.empty());
    }
}
