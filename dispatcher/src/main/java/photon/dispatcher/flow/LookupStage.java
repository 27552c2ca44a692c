package photon.dispatcher.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.Failures;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.dispatcher.rules.LocalLookupRule;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryUnavailableException;

/**
 * Asks the local replica which events are joined already, hundreds a question, a few questions at
 * one time. When it does not answer the events go on without: a wasted attempt, never a wrong one.
 * Main loop.
 */
final class LookupStage {
    private static final Logger log = LoggerFactory.getLogger(LookupStage.class);
    private static final int BATCH_MAX = 512;
    private static final int QUESTIONS_MAX = 4;

    private final RegistryClient registry;
    private final Ways ways;
    private final EventLoop loop;
    private final ArrayDeque<PendingEvent> waiting = new ArrayDeque<>();
    private int questions;
    private boolean unavailable;

    LookupStage(RegistryClient registry, EventLoop loop, Ways ways) {
        this.registry = registry;
        this.loop = loop;
        this.ways = ways;
    }

    /** Where an event goes from here. */
    interface Ways {
        void send(PendingEvent pending);

        void alreadyJoined(PendingEvent pending);

        void tooOld(PendingEvent pending);

        /** A batch has gone on. */
        void answered();
    }

    /** The caller bounds how many are on their way. */
    void add(PendingEvent pending) {
        if (!pending.isWatched()
                && LocalLookupRule.mayAsk(pending.isRepair(), pending.attemptOpen)) {
            waiting.add(pending);
        } else {
            ways.send(pending);
        }
    }

    void flush() {
        while (questions < QUESTIONS_MAX && !waiting.isEmpty()) {
            int count = Math.min(BATCH_MAX, waiting.size());
            List<PendingEvent> batch = new ArrayList<>(count);
            List<EventId> ids = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                PendingEvent pending = waiting.remove();
                batch.add(pending);
                ids.add(pending.event.id());
            }
            questions++;
            registry.lookupLocal(ids)
                    .<@Nullable Void>handle(
                            (found, failure) -> {
                                answered(batch, found, failure);
                                return null;
                            })
                    .exceptionally(this::stop);
        }
    }

    private void answered(
            List<PendingEvent> batch, @Nullable List<Found> found, @Nullable Throwable failure) {
        questions--;
        if (found == null) {
            withoutAnswer(batch, failure);
        } else {
            unavailable = false;
            for (int i = 0; i < batch.size(); i++) {
                settle(batch.get(i), found.get(i));
            }
        }
        ways.answered();
    }

    /** A future keeps to itself what its listeners throw; a bug must reach the loop. */
    private @Nullable Void stop(Throwable bug) {
        loop.execute(
                () -> {
                    throw new IllegalStateException("Expected to deal with a lookup's answer", bug);
                });
        return null;
    }

    private void settle(PendingEvent pending, Found found) {
        switch (LocalLookupRule.judge(found.state())) {
            case SEND -> ways.send(pending);
            case ALREADY_JOINED -> {
                pending.joinedWithout = found.isUnmatched();
                ways.alreadyJoined(pending);
            }
            case TOO_OLD -> ways.tooOld(pending);
        }
    }

    private void withoutAnswer(List<PendingEvent> batch, @Nullable Throwable failure) {
        Throwable cause = failure == null ? null : Failures.cause(failure);
        if (!(cause instanceof RegistryUnavailableException)) {
            throw new IllegalStateException(
                    "A lookup failed in a way that it does not name", cause);
        }
        if (!unavailable) {
            unavailable = true;
            log.info("No registry replica answers lookups; going on without: {}", cause.toString());
        }
        batch.forEach(ways::send);
    }
}
