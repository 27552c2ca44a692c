package photon.demo.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.DurationText;

/**
 * What is asked for on the command line.
 *
 * @param time how long things happen
 * @param rate foreign events a second; there are as many primary ones
 * @param only this fault and no other
 * @param directory where the run's directory is made; empty: where temporary files are
 * @param keep leave the directory
 */
public record PipelineChaosOptions(
        Duration time,
        long seed,
        int rate,
        Optional<PipelineFault> only,
        Optional<Path> directory,
        boolean keep) {
    private static final Duration TIME_MIN = Duration.ofSeconds(20);
    private static final Duration TIME_MAX = Duration.ofHours(24);
    private static final int RATE_MIN = 1;
    private static final int RATE_MAX = 20_000;

    /** What is published is counted with a table of all identities in memory. */
    private static final long BYTES_AN_EVENT = 80;

    /** Everything that is wrong, in sentences. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (time.compareTo(TIME_MIN) < 0 || time.compareTo(TIME_MAX) > 0) {
            problems.add(
                    "--duration is %s: expected from 20s to 1d".formatted(DurationText.of(time)));
        }
        if (rate < RATE_MIN || rate > RATE_MAX) {
            problems.add(
                    "--rate is %d: expected from %d to %d".formatted(rate, RATE_MIN, RATE_MAX));
        }
        long heap = Runtime.getRuntime().maxMemory();
        if (problems.isEmpty() && (double) rate * time.toSeconds() * BYTES_AN_EVENT > heap / 2.0) {
            problems.add(
                    "--rate %d for %.1f minutes is %,d events, all of which are counted: expected at most %,d with this heap (PHOTON_HEAP)"
                            .formatted(
                                    rate,
                                    minutes(),
                                    rate * time.toSeconds(),
                                    heap / 2 / BYTES_AN_EVENT));
        }
        return problems;
    }

    double minutes() {
        return time.toMillis() / 60_000.0;
    }

    /** What happens. */
    List<PipelineFault> faults() {
        return only.map(List::of).orElse(List.of(PipelineFault.values()));
    }
}
