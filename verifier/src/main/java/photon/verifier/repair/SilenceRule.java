package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;

/**
 * Decides which live incarnations are silent (docs/protocol.md section 1): those that have not
 * renewed although the registry took entries all the time. Told of each listing of the control
 * group that was answered, in order; each has put an entry into its log. Not thread-safe.
 */
final class SilenceRule {
    /** Where nothing is fenced: from when on it is told. */
    private static final Duration TOLD_AFTER = Duration.ofSeconds(30);

    private static final int LISTINGS = 10;

    /** Of the time: longer than this without an entry, and nothing is known of it. */
    private static final int GAPS = 3;

    /** So many renewals that were announced have to be missing. */
    private static final int RENEWALS = 3;

    private final Terms terms;
    private TreeMap<Incarnation, Mark> marks = new TreeMap<>();
    private boolean begun;
    private long lastAskedNanos;
    private long soundNanos;

    SilenceRule(Terms terms) {
        this.terms = terms;
    }

    /**
     * What a fence takes.
     *
     * @param fenceAfter an incarnation has not renewed for so long, or for three times as long as
     *     it said that it may take; empty: nothing is fenced
     */
    record Terms(Optional<Duration> fenceAfter) {
        Terms {
            check(
                    fenceAfter.filter(after -> after.isNegative() || after.isZero()).isEmpty(),
                    "Expected fenceAfter above 0, but got %s",
                    fenceAfter);
        }

        /** From the end of one listing to the next. */
        Duration interval() {
            return after().dividedBy(LISTINGS);
        }

        /** Longer than this from one listing to the next, and the time begins anew. */
        Duration gapMax() {
            return after().dividedBy(GAPS);
        }

        private Duration after() {
            return fenceAfter.orElse(TOLD_AFTER);
        }

        /** Early where it is fenced soon; where a person has to do it, when it is time. */
        private boolean isTold(Duration lasted, Duration left) {
            return fenceAfter.isPresent() ? lasted.compareTo(left) > 0 : left.isNegative();
        }

        /** How long this one may be silent. */
        private Duration bound(IncarnationInfo info) {
            Duration announced = info.renewsWithin().multipliedBy(RENEWALS);
            return announced.compareTo(after()) > 0 ? announced : after();
        }
    }

    /** Since when an incarnation has had this as its last renewal, as far as is known. */
    private record Mark(long renewedIndex, long sinceNanos) {}

    /**
     * One that is silent.
     *
     * @param lasted above half of the time after which it is fenced; where nothing is, above it
     * @param fence it is fenced now
     */
    record Silent(IncarnationInfo info, Duration lasted, boolean fence, SilentSlot told) {}

    /**
     * A listing was answered.
     *
     * @param askedNanos monotonic: what is told stands for no moment before
     * @param answeredNanos monotonic: nor for one after
     */
    List<Silent> heard(List<IncarnationInfo> list, long askedNanos, long answeredNanos) {
        if (begun && answeredNanos - lastAskedNanos > terms.gapMax().toNanos()) {
            // The registry was away, or this process slept: nobody could renew, or be heard.
            marks.clear();
        } else {
            soundNanos = answeredNanos;
        }
        begun = true;
        lastAskedNanos = askedNanos;
        TreeMap<Incarnation, Mark> now = new TreeMap<>();
        List<Silent> silent = new ArrayList<>();
        for (IncarnationInfo info : list) {
            if (info.state() != IncarnationState.OPEN
                    || info.fenced()
                    || info.renewedIndex() == 0) {
                continue;
            }
            Mark mark = marks.get(info.incarnation());
            if (mark == null || mark.renewedIndex() != info.renewedIndex()) {
                mark = new Mark(info.renewedIndex(), answeredNanos);
            }
            now.put(info.incarnation(), mark);
            Duration lasted = Duration.ofNanos(askedNanos - mark.sinceNanos());
            Duration left = terms.bound(info).minus(lasted);
            if (terms.isTold(lasted, left)) {
                silent.add(silent(info, lasted, left));
            }
        }
        marks = now;
        return silent;
    }

    /** For how long no two listings have come without a gap: nothing is found silent meanwhile. */
    Duration blindFor(long nanoTime) {
        return begun ? Duration.ofNanos(nanoTime - soundNanos) : Duration.ZERO;
    }

    private Silent silent(IncarnationInfo info, Duration lasted, Duration left) {
        boolean mayFence = terms.fenceAfter().isPresent();
        return new Silent(
                info,
                lasted,
                mayFence && (left.isNegative() || left.isZero()),
                new SilentSlot(
                        info.incarnation(),
                        info.slotName(),
                        lasted.toSeconds(),
                        mayFence ? Math.max(0, left.toSeconds()) : -1));
    }
}
