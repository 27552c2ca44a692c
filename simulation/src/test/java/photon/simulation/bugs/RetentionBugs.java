package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.RETIRED;

import java.util.List;

/** Rules of what ended incarnations leave, and of the folders of published files. */
final class RetentionBugs {
    private static final String RETENTION = "verifier/src/main/java/photon/verifier/retention/";

    private RetentionBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "retired-before-it-is-known",
                                    6,
                                    "that an incarnation is retired is durable before its manifests go",
                                    RETIRED)
                            .edit(
                                    RETENTION + "RetentionLoop.java",
                                    "output.retire(incarnation, candidate.left());",
                                    "")
                            .edit(
                                    OutputBugs.OUTPUT + "Retirement.java",
                                    "if (!area.retired().contains(incarnation)) {",
                                    "if (incarnation.slot() < 0) {"),
                    PlantedBug.of(
                                    "retired-while-it-is-repaired",
                                    6,
                                    "only what is closed clean or repaired is retired",
                                    RETIRED)
                            .edit(
                                    RETENTION + "RetentionRule.java",
                                    "if (info.state() == IncarnationState.OPEN || !info.fenced()) {",
                                    "if (!info.fenced()) {"),
                    PlantedBug.of(
                                    "retired-by-its-first-id",
                                    6,
                                    "the boundary has passed the last id of what is retired",
                                    RETIRED)
                            .edit(
                                    RETENTION + "RetentionLoop.java",
                                    "Math.max(left.lastMicros(), one.lastMicros())",
                                    "left.lastMicros() < 0 ? one.lastMicros() : left.lastMicros()"),
                    PlantedBug.of(
                                    "retired-counts-for-nothing",
                                    8,
                                    "what retired incarnations had published counts by sums",
                                    I2)
                            .edit(
                                    "verifier/src/main/java/photon/verifier/books/LeftSums.java",
                                    "left.add(new Left(Account.JOINED, datacenter, datacenter, sum.events(), sum.lastMicros()));",
                                    ""),
                    PlantedBug.of(
                                    "redone-in-the-hour-of-the-clock",
                                    6,
                                    "the standing manifest names the folders of published files",
                                    Check.I1)
                            .edit(
                                    OutputBugs.OUTPUT + "IncarnationSealing.java",
                                    "return agreed;",
                                    "return prepared;"));
}
