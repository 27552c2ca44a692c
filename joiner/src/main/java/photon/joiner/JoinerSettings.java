package photon.joiner;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import photon.core.config.PipelineConfig;
import photon.core.rpc.HostPort;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.output.Durability;
import photon.joiner.rules.UnmatchedRule;

/**
 * What one joiner needs to know.
 *
 * @param listen port 0: any free one
 * @param pipeline the registry's UUID of the pipeline
 * @param identityFingerprint of the settings that decide identity
 * @param slotName a stable name, one process each: {@code east/joiner-0}
 * @param processId for people, and to tell two processes in one slot apart
 * @param startedMicros when this process started
 * @param host where its adapter runs
 * @param limits of the pipeline
 * @param unmatched what becomes of events without a primary event
 * @param durability when a record counts as flushed
 * @param admittedBytesMax memory of the events that are admitted at one time
 * @param tokenBytesMax an incarnation that needs more memory to know its tokens is followed by the
 *     next
 * @param adapterThreads for a user's adapter; the built-in one needs none
 * @param backoffMin first delay before a new incarnation
 * @param backoffMax longest delay before a new incarnation
 * @param drainMax how long a close may take before it is unclean
 * @param renewEvery so often at least it tells the registry that it lives
 */
public record JoinerSettings(
        HostPort listen,
        UUID pipeline,
        String identityFingerprint,
        String slotName,
        long processId,
        long startedMicros,
        AdapterHost host,
        PipelineConfig.Adapter adapter,
        PipelineConfig.Limits limits,
        UnmatchedRule unmatched,
        Durability durability,
        long admittedBytesMax,
        long tokenBytesMax,
        int adapterThreads,
        Duration backoffMin,
        Duration backoffMax,
        Duration drainMax,
        Duration renewEvery) {
    /** Of the time after which it would be fenced: five renewals may fail. */
    private static final int RENEWALS_BEFORE_A_FENCE = 6;

    /** Where nobody is fenced for silence it only keeps the boundaries going. */
    private static final Duration RENEW_EVERY_MAX = Duration.ofMinutes(5);

    /**
     * Of 67 million tokens of which half were another's, two hours at 10,000 events/s: with the
     * default of {@code limits.rollEvery} it is never reached. Two incarnations and the one that
     * was closed last have three times that.
     */
    private static final long TOKEN_BYTES_MAX = 16L << 20;

    public JoinerSettings {
        check(adapterThreads > 0, "Expected adapter threads above 0, but got %s", adapterThreads);
        check(admittedBytesMax > 0, "Expected a bytes bound above 0, but got %s", admittedBytesMax);
        check(
                backoffMin.compareTo(backoffMax) <= 0,
                "Expected a backoff of %s at most, but got %s",
                backoffMax,
                backoffMin);
        check(
                !renewEvery.isNegative() && !renewEvery.isZero(),
                "Expected renewEvery above 0, but got %s",
                renewEvery);
    }

    /**
     * How often a joiner renews.
     *
     * @param fenceAfter what is silent for so long is fenced; empty: nothing is
     */
    static Duration renewEvery(Optional<Duration> fenceAfter) {
        return fenceAfter
                .map(after -> after.dividedBy(RENEWALS_BEFORE_A_FENCE))
                .filter(every -> every.compareTo(RENEW_EVERY_MAX) < 0)
                .orElse(RENEW_EVERY_MAX);
    }

    private static String datacenter(String slotName) {
        return slotName.substring(0, Math.max(0, slotName.indexOf('/')));
    }

    /** With the defaults for all that a pipeline's configuration does not say. */
    public static JoinerSettings of(
            PipelineConfig config,
            HostPort listen,
            UUID pipeline,
            String identityFingerprint,
            String slotName,
            long processId,
            long startedMicros) {
        return new JoinerSettings(
                listen,
                pipeline,
                identityFingerprint,
                slotName,
                processId,
                startedMicros,
                AdapterHost.joiner(config.pipeline(), datacenter(slotName)),
                config.adapter(),
                config.limits(),
                UnmatchedRule.of(config),
                Durability.SYNCED,
                128L << 20,
                TOKEN_BYTES_MAX,
                4,
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                renewEvery(config.repair().fenceAfter()));
    }
}
