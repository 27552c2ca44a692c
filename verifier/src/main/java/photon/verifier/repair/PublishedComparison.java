package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.Commit;
import photon.verifier.runs.SortedIds;

/**
 * Decides which of the ids that an incarnation's tokens hold were lost: goes through what it holds
 * and what it has published side by side, both in id order. Not thread-safe.
 */
final class PublishedComparison {
    private final Incarnation incarnation;
    private final SortedIds published;
    private boolean begun;
    private boolean ended;
    private @Nullable EventId heldBefore;
    private @Nullable String twice;

    PublishedComparison(Incarnation incarnation, SortedIds published) {
        this.incarnation = incarnation;
        this.published = published;
    }

    /** What became of an id that is held. */
    enum Verdict {
        /** It stands in a published file, with the holder's token. */
        PUBLISHED,
        /** It stands in none: it is to be joined again. */
        LOST,
        /**
         * It stands there with another token than the holder's. No rule of ours makes this, and to
         * join it again would double it: a person decides.
         */
        OTHER_TOKEN
    }

    /**
     * What to make of an id that the registry says one of the incarnation's tokens holds.
     *
     * @param held in id order: at or behind the one before
     */
    Verdict judge(Commit held) throws IOException {
        EventId id = held.id();
        check(
                heldBefore == null || id.compareTo(heldBefore) >= 0,
                "Expected ids in order, but got %s behind %s",
                id,
                heldBefore);
        heldBefore = id;
        if (!begun) {
            begun = true;
            ended = !published.next();
        }
        while (!ended && published.compareTo(id) < 0) {
            moveOn();
        }
        if (ended || published.compareTo(id) > 0) {
            return Verdict.LOST;
        }
        return published.sequence() == held.token().sequence()
                ? Verdict.PUBLISHED
                : Verdict.OTHER_TOKEN;
    }

    /** The token with which the identity is published that was judged last. */
    CommitToken publishedToken() {
        return CommitToken.of(incarnation, published.sequence());
    }

    /**
     * Goes on behind the last that is held: an id that is published twice is told also if it is
     * held no more, and the ids that were written down must all be there.
     *
     * @return true: all is read
     */
    boolean drain(int idsMax) throws IOException {
        if (!begun) {
            begun = true;
            ended = !published.next();
        }
        for (int i = 0; i < idsMax && !ended; i++) {
            moveOn();
        }
        return ended;
    }

    /** What no rule of ours makes: an id that manifests name more than once. */
    Optional<String> publishedTwice() {
        return Optional.ofNullable(twice);
    }

    private void moveOn() throws IOException {
        long sequence = published.sequence();
        EventId id = published.id();
        ended = !published.next();
        if (!ended && twice == null && published.compareTo(id) == 0) {
            twice =
                    "%s is published twice, with tokens %s and %s"
                            .formatted(
                                    id,
                                    CommitToken.of(incarnation, sequence),
                                    CommitToken.of(incarnation, published.sequence()));
        }
    }
}
