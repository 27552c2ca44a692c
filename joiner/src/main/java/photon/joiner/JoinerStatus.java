package photon.joiner;

import java.util.Optional;
import photon.core.id.Incarnation;
import photon.joiner.incarnation.LifeState;

/**
 * A joiner at one moment. Before an event is answered JOINED, its record is counted here.
 *
 * @param admitted events that wait for their answer
 * @param admittedBytes their rough size in memory
 * @param inFlight ids from commit sent to output flushed
 * @param joined events whose joined events it has made durable; not again for a repeat
 * @param unmatched those of them that were joined without their primary event
 * @param upgraded events that were joined once more, with a primary event that came after all
 * @param joinedElsewhere events answered JOINED_ELSEWHERE
 * @param wastedAttempts commits that met another incarnation's token
 * @param lookupsMoved lookups that went on to another event store, since one had failed
 * @param unpublishedRecords accepted, not in a published file yet; what an incarnation that ended
 *     has left is not counted: it is its repair's
 * @param incarnation the one that serves
 * @param draining the one that took new events before, and has not finished what it has
 * @param rolls how often another incarnation has followed while one served
 * @param restarts how many incarnations that served have ended and were followed by another
 * @param lastTrouble why the last one ended, or what keeps the next from beginning; empty: nothing
 * @param tokenBytes what it takes of memory to know what became of its incarnations' tokens
 * @param adapterFailures events at which the adapter threw, took too long, which it rejected, or
 *     wants again
 * @param adapterBraked it fails for nearly all events: they wait, and none is dead-lettered
 */
public record JoinerStatus(
        LifeState state,
        int admitted,
        long admittedBytes,
        int inFlight,
        long joined,
        long unmatched,
        long upgraded,
        long joinedElsewhere,
        long wastedAttempts,
        long lookupsMoved,
        long unpublishedRecords,
        Optional<Incarnation> incarnation,
        Optional<Incarnation> draining,
        int rolls,
        int restarts,
        String lastTrouble,
        long tokenBytes,
        long adapterFailures,
        boolean adapterBraked) {}
