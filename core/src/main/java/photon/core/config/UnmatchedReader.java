package photon.core.config;

import java.time.Duration;
import java.util.Optional;

/** Reads what becomes of foreign events without a primary event. */
final class UnmatchedReader {
    private static final String AFTER = "after";
    private static final String UPGRADE = "upgrade";

    private UnmatchedReader() {}

    static PipelineConfig.Unmatched read(ConfigNode node) {
        // Zero stands for none: the key is required.
        Duration after = node.duration(AFTER, Duration.ZERO);
        if (!node.has(AFTER)) {
            node.problem(AFTER, DurationText.EXPECTED);
        }
        return new PipelineConfig.Unmatched(after, node.flag(UPGRADE, false));
    }

    /** What only the rest of the configuration tells. */
    static void refuse(ConfigNode node, PipelineConfig config) {
        Duration after = config.unmatched().map(PipelineConfig.Unmatched::after).orElseThrow();
        Optional<Duration> longest =
                config.longestWait().filter(l -> after.compareTo(l) >= 0 && !l.isNegative());
        longest.ifPresent(
                wait ->
                        node.problem(
                                AFTER,
                                "less than "
                                        + DurationText.of(wait)
                                        + ", which is retention less limits.expiryMargin: later the registry takes no id any more"));
    }
}
