package photon.verifier.repair;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.Silence;
import photon.registry.api.ControlClient.SilentFence;
import photon.verifier.repair.SilenceRule.Silent;

/**
 * Lists this datacenter's incarnations again and again, and fences those that {@link SilenceRule}
 * finds silent, so that they are repaired (docs/protocol.md section 1). Beside the {@link
 * RepairLoop}, in a loop of its own: whatever holds an answer up there is a gap, after which the
 * time begins anew.
 */
final class SilenceWatch {
    private static final Logger log = LoggerFactory.getLogger(SilenceWatch.class);

    /** Without an answer in time for so long, that is told, and again. */
    private static final Duration BLIND_TOLD = Duration.ofMinutes(5);

    private final RepairParts parts;
    private final EventLoop loop;
    private final ControlClient control;
    private final String slotPrefix;
    private final SilenceRule.Terms terms;
    private final SilenceRule rule;
    private final Consumer<SilenceStatus> told;
    private final Runnable fenced;

    /** Those whose fence was asked for and is not answered. */
    private final Set<Incarnation> asked = new HashSet<>();

    private OptionalLong listingNanos = OptionalLong.empty();
    private long fences;
    private Duration blindTold = Duration.ZERO;
    private EventLoop.@Nullable Cancellable nextLook;
    private boolean closed;

    /**
     * @param loop in which nothing takes long
     * @param control answers in it
     * @param slotPrefix which slots are this datacenter's, such as {@code east/}
     * @param fenceAfter empty: nothing is fenced
     * @param told hears of every listing
     * @param fenced there is something to repair
     */
    SilenceWatch(
            RepairParts parts,
            EventLoop loop,
            ControlClient control,
            String slotPrefix,
            Optional<Duration> fenceAfter,
            Consumer<SilenceStatus> told,
            Runnable fenced) {
        this.parts = parts;
        this.loop = loop;
        this.control = control;
        this.slotPrefix = slotPrefix;
        this.terms = new SilenceRule.Terms(fenceAfter);
        this.rule = new SilenceRule(terms);
        this.told = told;
        this.fenced = fenced;
    }

    void start() {
        loop.checkInLoop();
        look();
    }

    /** When the list was asked for that has not come; empty: none is awaited. In the loop. */
    OptionalLong listingNanos() {
        return listingNanos;
    }

    private void look() {
        if (closed) {
            return;
        }
        long askedNanos = loop.nanoTime();
        listingNanos = OptionalLong.of(askedNanos);
        control.incarnations(parts.pipeline(), slotPrefix)
                .whenComplete(
                        (list, trouble) -> loop.execute(() -> listed(askedNanos, list, trouble)));
    }

    private void listed(
            long askedNanos, @Nullable List<IncarnationInfo> list, @Nullable Throwable trouble) {
        listingNanos = OptionalLong.empty();
        if (closed) {
            return;
        }
        if (list == null) {
            log.debug("The registry does not list incarnations", trouble);
        } else {
            judge(rule.heard(list, askedNanos, loop.nanoTime()));
        }
        tellIfBlind();
        nextLook = loop.schedule(terms.interval(), this::look);
    }

    private void judge(List<Silent> silent) {
        List<SilentSlot> all = new ArrayList<>();
        for (Silent one : silent) {
            all.add(one.told());
            if (one.fence() && asked.add(one.info().incarnation())) {
                fence(one);
            }
        }
        told.accept(new SilenceStatus(fences, all));
    }

    private void tellIfBlind() {
        Duration blind = rule.blindFor(loop.nanoTime());
        if (blind.compareTo(BLIND_TOLD) < 0 || blind.compareTo(terms.gapMax()) <= 0) {
            blindTold = Duration.ZERO;
        } else if (blind.minus(blindTold).compareTo(BLIND_TOLD) >= 0) {
            blindTold = blind;
            log.warn(
                    "No silent joiner can be found or fenced: for {} s the registry has not listed incarnations twice within {} s. Is it away, or is this process held up?",
                    blind.toSeconds(),
                    terms.gapMax().toSeconds());
        }
    }

    /** Decided by the control group, once more: it may have renewed by then. */
    private void fence(Silent silent) {
        IncarnationInfo info = silent.info();
        control.fenceSilent(
                        parts.pipeline(),
                        info.incarnation(),
                        new Silence(info.renewedIndex(), silent.lasted()))
                .whenComplete(
                        (result, trouble) -> loop.execute(() -> answered(silent, result, trouble)));
    }

    private void answered(
            Silent silent, @Nullable SilentFence result, @Nullable Throwable trouble) {
        IncarnationInfo info = silent.info();
        asked.remove(info.incarnation());
        if (closed) {
            return;
        }
        if (result == null) {
            log.warn(
                    "Silent incarnation {} of slot {} is not fenced: {}",
                    info.incarnation(),
                    info.slotName(),
                    String.valueOf(trouble));
        } else if (result == SilentFence.HAS_RENEWED) {
            log.info(
                    "Incarnation {} of slot {} was silent for {} s, and has renewed",
                    info.incarnation(),
                    info.slotName(),
                    silent.lasted().toSeconds());
        } else {
            // Fenced before: by an earlier copy of this very request, whose answer was lost, or by
            // another at the same moment.
            fences++;
            log.warn(
                    "Slot {} is silent: incarnation {} at {} has not renewed for {} s. It is fenced, and is repaired now",
                    info.slotName(),
                    info.incarnation(),
                    info.address(),
                    silent.lasted().toSeconds());
            fenced.run();
        }
    }

    void close() {
        closed = true;
        if (nextLook != null) {
            nextLook.cancel();
        }
    }
}
