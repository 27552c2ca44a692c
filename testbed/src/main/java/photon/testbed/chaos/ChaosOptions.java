package photon.testbed.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import photon.core.config.DurationText;

/**
 * What is asked for on the command line.
 *
 * @param time how long things happen
 * @param rate commits a second
 * @param shards at the start
 * @param only this kind and no other, on a registry that is set up as in production
 * @param count with {@code only}: so often, within {@code time}
 * @param directory where the run's directory is made; empty: where temporary files are
 * @param keep leave the directory
 */
public record ChaosOptions(
        Duration time,
        long seed,
        int rate,
        int shards,
        Optional<ActionKind> only,
        OptionalInt count,
        Optional<Path> directory,
        boolean keep) {
    static final int REPLICAS = 5;
    static final int CONTESTED_PERCENT = 30;

    private static final Duration TIME_MIN = Duration.ofSeconds(10);
    private static final Duration TIME_MAX = Duration.ofHours(2);
    private static final int RATE_MIN = 100;
    private static final int RATE_MAX = 100_000;
    private static final int SHARDS_MAX = 8;
    private static final int COUNT_MAX = 1_000;

    /** Every answer is kept until the end, and looked at then. */
    private static final long BYTES_A_COMMIT = 600;

    /** Everything that is wrong, in sentences. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (time.compareTo(TIME_MIN) < 0 || time.compareTo(TIME_MAX) > 0) {
            problems.add(
                    "--duration is %s: expected from 10s to 2h".formatted(DurationText.of(time)));
        }
        bounds(problems, "--rate", rate, RATE_MIN, RATE_MAX);
        bounds(problems, "--shards", shards, 1, SHARDS_MAX);
        if (count.isPresent()) {
            bounds(problems, "--count", count.getAsInt(), 1, COUNT_MAX);
            if (only.isEmpty()) {
                problems.add("--count needs --only: expected the kind of fault to count");
            }
        }
        long heap = Runtime.getRuntime().maxMemory();
        if (problems.isEmpty() && (double) rate * time.toSeconds() * BYTES_A_COMMIT > heap) {
            problems.add(
                    "--rate %d for %.1f minutes is %,d commits, all of which are kept: expected at most %,d with this heap (PHOTON_HEAP)"
                            .formatted(
                                    rate,
                                    time.toMillis() / 60_000.0,
                                    rate * time.toSeconds(),
                                    heap / BYTES_A_COMMIT));
        }
        return problems;
    }

    private static void bounds(List<String> problems, String name, int is, int from, int to) {
        if (is < from || is > to) {
            problems.add("%s is %d: expected from %d to %d".formatted(name, is, from, to));
        }
    }

    /** Logs so short that a minute has snapshots, purges and installations; proxies in between. */
    boolean isRough() {
        return only.isEmpty() || isCut(only.get());
    }

    private static boolean isCut(ActionKind kind) {
        return switch (kind) {
            case CUT_OFF, CUT_ONE_WAY, CUT_FROM_CLIENTS, SPLIT -> true;
            default -> false;
        };
    }

    /** The kinds that happen in a category. */
    List<ActionKind> kinds(ActionKind.Category category) {
        return ActionKind.of(category).stream()
                .filter(kind -> only.isEmpty() || only.get() == kind)
                .toList();
    }
}
