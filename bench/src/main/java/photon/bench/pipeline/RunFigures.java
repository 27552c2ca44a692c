package photon.bench.pipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import photon.bench.pipeline.ProcessReport.Look;
import photon.core.error.FailedException;

/**
 * What a measured process came to. Per input event: a record of either log, counted once however
 * many datacenters read it.
 *
 * @param wholeSeconds from the command to the end of its process
 * @param startSeconds from the command to the first event that was read
 * @param joinSeconds from there to the last event that was joined
 * @param endSeconds from there to the end
 * @param inputsPerSecond over {@code joinSeconds}
 * @param joinedPerSecond over the same
 * @param warm the second half; empty: the run was too short to see it
 * @param cpuMicros per input event, of the whole process
 * @param cpuMicrosByPart the same by part
 * @param allocatedBytes per input event
 * @param peakBytes that were resident at one time
 */
record RunFigures(
        double wholeSeconds,
        double startSeconds,
        double joinSeconds,
        double endSeconds,
        double inputsPerSecond,
        double joinedPerSecond,
        Optional<Warm> warm,
        double cpuMicros,
        Map<String, Double> cpuMicrosByPart,
        double allocatedBytes,
        long peakBytes) {

    /** Less says nothing, since processes report ten times a second. */
    private static final long WARM_MICROS_MIN = 1_000_000;

    /**
     * From the moment at which half of the input was read to the last event that was joined. What
     * was read before and is joined only now is work of this half, so that a system which puts work
     * off gains nothing by it.
     *
     * @param inputsPerSecond the half of the input events that was read in it
     * @param joinedPerSecond events that were joined in it
     * @param cpuMicros used in it, per input event of the half
     */
    record Warm(double seconds, double inputsPerSecond, double joinedPerSecond, double cpuMicros) {}

    /**
     * @param wholeMicros from the command to the end of its process
     * @param inputs records of both logs
     * @param joined lines of the output
     * @throws FailedException if the process read or joined nothing
     */
    static RunFigures of(
            ProcessReport report, long wholeMicros, long inputs, long joined, ThreadParts parts) {
        List<Look> looks = report.looks();
        long readMax = looks.stream().mapToLong(Look::read).max().orElse(0);
        long joinedMax = looks.stream().mapToLong(Look::joined).max().orElse(0);
        if (readMax == 0 || joinedMax == 0) {
            throw new FailedException(
                    "The measured process read %d events and joined %d: there are no figures"
                            .formatted(readMax, joinedMax));
        }
        Look firstRead = firstWith(looks, look -> look.read() > 0);
        Look lastJoin = firstWith(looks, look -> look.joined() == joinedMax);
        Look halfRead = firstWith(looks, look -> 2 * look.read() >= readMax);
        long joinMicros = Math.max(1, lastJoin.micros() - firstRead.micros());
        Map<String, Double> byPart = new LinkedHashMap<>();
        parts.micros(report.threadMicros(), report.cpuMicros())
                .forEach((part, micros) -> byPart.put(part, (double) micros / inputs));
        return new RunFigures(
                wholeMicros / 1e6,
                firstRead.micros() / 1e6,
                joinMicros / 1e6,
                Math.max(0, wholeMicros - lastJoin.micros()) / 1e6,
                inputs * 1e6 / joinMicros,
                joined * 1e6 / joinMicros,
                warm(halfRead, lastJoin, inputs),
                (double) report.cpuMicros() / inputs,
                byPart,
                (double) report.allocatedBytes() / inputs,
                report.peakBytes());
    }

    private static Optional<Warm> warm(Look from, Look to, long inputs) {
        long micros = to.micros() - from.micros();
        if (micros < WARM_MICROS_MIN) {
            return Optional.empty();
        }
        double half = inputs / 2.0;
        return Optional.of(
                new Warm(
                        micros / 1e6,
                        half * 1e6 / micros,
                        (to.joined() - from.joined()) * 1e6 / micros,
                        (to.cpuMicros() - from.cpuMicros()) / half));
    }

    /** There is one. */
    private static Look firstWith(List<Look> looks, Predicate<Look> condition) {
        return looks.stream().filter(condition).findFirst().orElseThrow();
    }
}
