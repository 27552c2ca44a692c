package photon.simulation.checks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * No incarnation is fenced for silence that renews, or that could not, nor by another datacenter's
 * verifier (docs/protocol.md section 1): its last renewal is {@code repair.fenceAfter} old, and
 * there was as long a time since in which the control group answered. Asked twice a second; by so
 * much, and some, the times are known.
 */
public final class SilentFences {
    private static final String CHECK = "silence";
    private static final long TOLERANCE_NANOS = Duration.ofMillis(1_500).toNanos();
    private static final int GAPS = 3;

    private final Supplier<Seen> seen;
    private final long fenceAfterNanos;

    /** Incarnation to its last renewal. */
    private final Map<String, Mark> marks = new HashMap<>(); // looked up, never walked

    /** When the control group was found to have answered, in order. */
    private final List<Long> wentOn = new ArrayList<>();

    private long lastListings;
    private long lastFence;
    private int count;

    /**
     * What the control group has committed.
     *
     * @param listings of incarnations that it has answered to anybody so far
     * @param renewed of each live incarnation
     * @param fences for silence, in order, as far back as it knows them still
     */
    public record Seen(long nowNanos, long listings, List<Renewed> renewed, List<Fence> fences) {}

    /** The entry by which an incarnation renewed last. */
    public record Renewed(String incarnation, long index) {}

    /**
     * @param index of the entry that decided it
     * @param by as the one calls himself who has asked for it
     */
    public record Fence(long index, String incarnation, String slot, String by) {}

    private record Mark(long index, long sinceNanos) {}

    public SilentFences(Supplier<Seen> seen, Duration fenceAfter) {
        this.seen = seen;
        this.fenceAfterNanos = fenceAfter.toNanos();
    }

    /** So many were fenced. */
    public int count() {
        return count;
    }

    /** What was wrong with the fences since the last look. */
    public List<InvariantViolation> check() {
        Seen now = seen.get();
        if (now.listings() != lastListings) {
            lastListings = now.listings();
            wentOn.add(now.nowNanos());
        }
        List<InvariantViolation> found = new ArrayList<>();
        for (Fence fence : now.fences()) {
            if (fence.index() > lastFence) {
                lastFence = fence.index();
                count++;
                judge(fence, now.nowNanos(), found);
            }
        }
        for (Renewed one : now.renewed()) {
            Mark before = marks.get(one.incarnation());
            if (before == null || before.index() != one.index()) {
                marks.put(one.incarnation(), new Mark(one.index(), now.nowNanos()));
            }
        }
        return found;
    }

    private void judge(Fence fence, long nowNanos, List<InvariantViolation> found) {
        String datacenter = fence.slot().substring(0, fence.slot().indexOf('/') + 1);
        if (!fence.by().startsWith(datacenter)) {
            found.add(
                    InvariantViolation.of(
                            CHECK, List.of(), "%s was fenced by %s", fence.slot(), fence.by()));
        }
        Mark mark = marks.get(fence.incarnation());
        long sinceNanos = mark == null ? nowNanos : mark.sinceNanos();
        long silent = nowNanos - sinceNanos;
        long went = longest(sinceNanos);
        if (silent < fenceAfterNanos - TOLERANCE_NANOS
                || went < fenceAfterNanos - TOLERANCE_NANOS) {
            found.add(
                    InvariantViolation.of(
                            CHECK,
                            List.of(),
                            "%s, incarnation %s, was fenced after %s of silence, in which the registry answered for %s at one time; expected %s",
                            fence.slot(),
                            fence.incarnation(),
                            Duration.ofNanos(silent),
                            Duration.ofNanos(went),
                            Duration.ofNanos(fenceAfterNanos)));
        }
    }

    /** The longest time since then in which it answered without a gap. */
    private long longest(long sinceNanos) {
        long gapMax = fenceAfterNanos / GAPS + TOLERANCE_NANOS;
        long longest = 0;
        long begun = sinceNanos;
        long last = sinceNanos;
        for (long at : wentOn) {
            if (at < sinceNanos) {
                continue;
            }
            if (at - last > gapMax) {
                begun = at;
            }
            last = at;
            longest = Math.max(longest, last - begun);
        }
        return longest;
    }
}
