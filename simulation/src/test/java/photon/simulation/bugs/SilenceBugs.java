package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.SILENCE;

import java.util.List;

/** Rules of fencing by silence: who is silent, and whose word counts. */
final class SilenceBugs {
    private static final String WATCH = RepairBugs.REPAIR + "SilenceWatch.java";
    private static final String RULE = RepairBugs.REPAIR + "SilenceRule.java";
    private static final String NO_GAP =
            "if (begun && answeredNanos - lastAskedNanos > terms.gapMax().toNanos()) {";
    private static final String NEVER = "if (begun && marks.size() > 1_000) {";

    private SilenceBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "silent-slots-not-fenced",
                                    1,
                                    "a slot that does not renew is fenced, and repaired",
                                    I2)
                            .edit(WATCH, "if (one.fence() &&", "if (all.size() > 1_000 &&"),
                    PlantedBug.of(
                                    "silence-over-a-gap",
                                    1,
                                    "while the registry is away nobody is silent",
                                    SILENCE)
                            .edit(RULE, NO_GAP, NEVER),
                    PlantedBug.of(
                                    "silence-since-it-was-met",
                                    1,
                                    "silence is counted from the last renewal",
                                    SILENCE)
                            .edit(
                                    RULE,
                                    "mark == null || mark.renewedIndex() != info.renewedIndex()",
                                    "mark == null"),
                    PlantedBug.of(
                                    "silence-by-the-wall-clock",
                                    1,
                                    "silence is counted by the verifier's monotonic clock, not by"
                                            + " the wall clocks of two machines",
                                    SILENCE)
                            .edit(
                                    WATCH,
                                    "long askedNanos = loop.nanoTime();",
                                    "long askedNanos = loop.nanoTime();"
                                            + " SilenceRule.wallMicros ="
                                            + " parts.clock().now().latestMicros();")
                            .edit(
                                    RULE,
                                    "private long lastAskedNanos;",
                                    "private long lastAskedNanos; static long wallMicros;")
                            .edit(
                                    RULE,
                                    "Duration.ofNanos(askedNanos - mark.sinceNanos())",
                                    "Duration.ofNanos(1_000 * (wallMicros - info.heardMicros()))"),
                    PlantedBug.of(
                                    "fenced-though-it-has-renewed",
                                    1,
                                    "a fence for silence does nothing if the slot has renewed since",
                                    SILENCE)
                            .edit(
                                    "idregistry/src/main/java/photon/idregistry/control/"
                                            + "IncarnationRules.java",
                                    "return generation.renewedIndex == request.getRenewedIndex()",
                                    "return generation.renewedIndex > 0"),
                    PlantedBug.of(
                                    "silent-slots-of-others-fenced",
                                    1,
                                    "a verifier fences slots of its own datacenter",
                                    SILENCE)
                            .edit(
                                    WATCH,
                                    ".incarnations(parts.pipeline(), slotPrefix)",
                                    ".incarnations(parts.pipeline(), \"\")"));
}
