package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.Backoff;
import photon.dispatcher.rules.LocalLookupRule.Verdict;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.RegistryClient.Found;
import photon.storage.ledger.LedgerEntry.Kind;

class RulesTest {
    private static final EventId ID = new EventId(1_000, 1, 2, 3);
    private static final CommitToken LOST = CommitToken.of(new Incarnation(1, 1), 7);
    private static final int RETRIES_MAX = 3;

    private static Backoff backoff() {
        return new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), new SplittableRandom(1));
    }

    private long latestMillis = 10_000;
    private final RetryPolicy policy = new RetryPolicy(backoff(), RETRIES_MAX, () -> latestMillis);

    private static RetryPolicy.State state(
            boolean repair, boolean attemptOpen, int attempts, int resends) {
        return new RetryPolicy.State(
                ID, repair ? LOST : null, attemptOpen, false, attempts, resends, 0);
    }

    private RetryPolicy.Next answer(RetryPolicy.State state, Status status) {
        return policy.answered(state, status, "", 10_000, Long.MIN_VALUE);
    }

    @Test
    void everyEventPrefersExactlyOneDatacenterAndTheyShareEvenly() {
        List<String> all = List.of("east", "west", "north");
        int[] preferred = new int[3];
        for (int i = 0; i < 9_000; i++) {
            EventId id = new EventId(i, 0, i * 31L, 7);
            int turns = 0;
            for (int d = 0; d < 3; d++) {
                Stagger stagger = new Stagger(all.get(d), all, Duration.ofSeconds(2));
                if (stagger.delayOf(id).isZero()) {
                    preferred[d]++;
                    turns++;
                } else {
                    assertThat(stagger.delayOf(id)).isEqualTo(Duration.ofSeconds(2));
                }
            }
            assertThat(turns).isEqualTo(1);
        }
        assertThat(Arrays.stream(preferred).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(2_700, 3_300));
    }

    @Test
    void aLookupSettlesWhatSomebodyHoldsButIsNotAskedWhereTheHolderMayBeUs() {
        assertThat(LocalLookupRule.judge(Found.State.HELD)).isEqualTo(Verdict.ALREADY_JOINED);
        assertThat(LocalLookupRule.judge(Found.State.ABSENT)).isEqualTo(Verdict.SEND);
        assertThat(LocalLookupRule.judge(Found.State.TOO_OLD)).isEqualTo(Verdict.TOO_OLD);
        assertThat(LocalLookupRule.mayAsk(false, false)).isTrue();
        assertThat(LocalLookupRule.mayAsk(true, false)).isFalse();
        assertThat(LocalLookupRule.mayAsk(false, true)).isFalse();
    }

    @Test
    void anOffsetAdvancesOverAPrefixOfFinishedRangesOnly() {
        OffsetTracker file = new OffsetTracker();
        file.skipped(0, 10);
        assertThat(file.finishedTo()).isEqualTo(10);
        OffsetTracker.ReadRange first = file.read(10, 20);
        OffsetTracker.ReadRange second = file.read(20, 30);
        file.skipped(30, 40);
        OffsetTracker.ReadRange third = file.read(40, 50);
        second.finish();
        assertThat(file.finishedTo()).isEqualTo(10);
        first.finish();
        assertThat(file.finishedTo()).as("with what was filtered behind it").isEqualTo(40);
        third.finish();
        assertThat(file.finishedTo()).isEqualTo(50);
        assertThatThrownBy(third::finish).isInstanceOf(BugException.class);
    }

    @Test
    void aTrackerAgreesWithAModelWhateverTheOrderOfFinishing() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            OffsetTracker file = new OffsetTracker();
            List<OffsetTracker.ReadRange> open = new ArrayList<>();
            List<Long> openStarts = new ArrayList<>();
            long at = 0;
            for (int step = 0; step < 100; step++) {
                int kind = random.nextInt(3);
                if (kind == 0) {
                    file.skipped(at, at + 5);
                    at += 5;
                } else if (kind == 1 || open.isEmpty()) {
                    open.add(file.read(at, at + 5));
                    openStarts.add(at);
                    at += 5;
                } else {
                    int index = random.nextInt(open.size());
                    open.remove(index).finish();
                    openStarts.remove(index);
                }
                long limit = openStarts.isEmpty() ? at : openStarts.get(0);
                assertThat(file.finishedTo()).as("seed %d", seed).isLessThanOrEqualTo(limit);
                if (openStarts.isEmpty()) {
                    assertThat(file.finishedTo()).as("seed %d", seed).isEqualTo(at);
                }
            }
        }
    }

    @Test
    void whatIsHeldWaitsLongerInABacklogWhileThereIsRoom() {
        Stagger east = new Stagger("east", List.of("east", "west"), Duration.ofSeconds(2));
        assertThat(east.longerInABacklog(Stagger.BACKLOG_BYTES, 49, 100))
                .isEqualTo(Duration.ofSeconds(4));
        assertThat(east.longerInABacklog(Stagger.BACKLOG_BYTES - 1, 49, 100)).isZero();
        assertThat(east.longerInABacklog(Stagger.BACKLOG_BYTES, 50, 100)).isZero();
    }

    private RetryPolicy.Next watched(Status status, int resends, long boundaryMicros) {
        return policy.answered(
                new RetryPolicy.State(ID, null, true, true, 0, resends, 0),
                status,
                "why",
                10_000,
                boundaryMicros);
    }

    @Test
    void whatIsJoinedWithoutItsPrimaryEventIsWatched() {
        assertThat(policy.answered(state(false, false, 0, 0), Status.JOINED, "so", 10_000, 0))
                .isInstanceOf(RetryPolicy.Watch.class);
        assertThat(policy.answered(state(true, true, 2, 0), Status.JOINED, "so", 10_000, 0))
                .isInstanceOf(RetryPolicy.Watch.class);
        assertThat(answer(state(false, false, 0, 0), Status.JOINED))
                .isEqualTo(new RetryPolicy.Finish(true));
        assertThat(watched(Status.PRIMARY_CAME, 0, ID.micros()))
                .isEqualTo(new RetryPolicy.EndWatch(true));
    }

    @Test
    void whatIsWatchedIsJoinedAlreadySoNothingOfItEntersALedger() {
        for (Status status : Status.values()) {
            assertThat(watched(status, 0, ID.micros()))
                    .as("%s", status)
                    .isNotInstanceOf(RetryPolicy.Enter.class)
                    .isNotInstanceOf(RetryPolicy.Finish.class);
            assertThat(watched(status, 0, ID.micros() + 1))
                    .as("%s, too old", status)
                    .isEqualTo(new RetryPolicy.EndWatch(false));
        }
        for (Status status : List.of(Status.WAITING_FOR_PRIMARY, Status.RETRY_EVENT)) {
            assertThat(watched(status, 0, 0))
                    .isInstanceOfSatisfying(
                            RetryPolicy.Retry.class,
                            retry -> {
                                assertThat(retry.reason()).isEqualTo(RetryPolicy.WATCHED);
                                assertThat(retry.forPrimary())
                                        .isEqualTo(status == Status.WAITING_FOR_PRIMARY);
                                assertThat(retry.attempts()).isZero();
                            });
        }
        assertThat(watched(Status.RETRY_ALL, RetryPolicy.RESENDS_MAX - 1, 0))
                .isInstanceOf(RetryPolicy.Resend.class);
        assertThat(watched(Status.RETRY_ALL, RetryPolicy.RESENDS_MAX, 0))
                .isInstanceOf(RetryPolicy.Retry.class);
    }

    /** However many are watched, each is looked for some 55 times. */
    @Test
    void theLongerItIsWatchedTheRarerItIsLookedFor() {
        RetryPolicy.State since = new RetryPolicy.State(ID, null, true, true, 0, 0, 0);
        long now = 0;
        int looks = 0;
        while (policy.answered(since, Status.WAITING_FOR_PRIMARY, "", now, 0)
                instanceof RetryPolicy.Retry retry) {
            assertThat(retry.delayMillis()).isGreaterThanOrEqualTo(now / RetryPolicy.WATCH_LOOKS);
            assertThat(retry.delayMillis())
                    .isLessThanOrEqualTo(now / RetryPolicy.WATCH_LOOKS + policy.delayMaxMillis());
            now += retry.delayMillis();
            looks++;
        }
        assertThat(now).isGreaterThanOrEqualTo(RetryPolicy.WATCH_MAX.toMillis());
        assertThat(looks).isBetween(40, 120);
    }

    /** Its primary event may be there: then nothing but the failure keeps its upgrade away. */
    @Test
    void whatIsWatchedAndFailsIsTriedAgainSoon() {
        RetryPolicy.State since =
                new RetryPolicy.State(ID, null, true, true, 0, RetryPolicy.RESENDS_MAX, 0);
        long now = RetryPolicy.WATCH_MAX.toMillis() / 2;
        for (Status status : List.of(Status.RETRY_EVENT, Status.RETRY_ALL, Status.ABANDONED)) {
            assertThat(policy.answered(since, status, "", now, 0))
                    .isInstanceOfSatisfying(
                            RetryPolicy.Retry.class,
                            retry ->
                                    assertThat(retry.delayMillis())
                                            .isLessThanOrEqualTo(policy.delayMaxMillis()));
        }
    }

    /** With an unlimited retention nothing else ends it. */
    @Test
    void afterADayNothingIsWatchedAnyMore() {
        long dayMillis = RetryPolicy.WATCH_MAX.toMillis();
        RetryPolicy.State since = new RetryPolicy.State(ID, null, true, true, 0, 0, 500);
        for (Status status : List.of(Status.WAITING_FOR_PRIMARY, Status.RETRY_ALL)) {
            assertThat(policy.answered(since, status, "", dayMillis + 499, 0))
                    .isNotInstanceOf(RetryPolicy.EndWatch.class);
            assertThat(policy.answered(since, status, "", dayMillis + 500, 0))
                    .isEqualTo(new RetryPolicy.EndWatch(false));
        }
        assertThat(policy.answered(since, Status.PRIMARY_CAME, "", dayMillis + 500, 0))
                .isEqualTo(new RetryPolicy.EndWatch(true));
    }

    /** A million of them, of a producer with a wrong unit, are no load. */
    @Test
    void theFurtherAnEventIsDatedAheadTheMoreSeldomItIsTried() {
        assertThat(delayOfAhead(Status.ID_IN_FUTURE, Duration.ofMinutes(80)))
                .isEqualTo(Duration.ofMinutes(10));
        assertThat(delayOfAhead(Status.ID_IN_FUTURE, Duration.ofDays(50_000)))
                .isEqualTo(Duration.ofHours(6));
        assertThat(delayOfAhead(Status.ID_IN_FUTURE, Duration.ofSeconds(5)))
                .isLessThanOrEqualTo(Duration.ofMillis(policy.delayMaxMillis()));
        assertThat(delayOfAhead(Status.WAITING_FOR_PRIMARY, Duration.ofDays(50_000)))
                .isEqualTo(Duration.ofHours(6));
        assertThat(delayOfAhead(Status.WAITING_FOR_PRIMARY, Duration.ofHours(5)))
                .as("this process's clock may be wrong by that")
                .isLessThanOrEqualTo(Duration.ofMillis(policy.delayMaxMillis()));
    }

    /** The dispatcher may have started with a clock that was days behind, and is kept now. */
    @Test
    void anEventIsNotAheadByAClockThatIsRightedOrThatNobodyKeeps() {
        long now = Duration.ofDays(20_000).toMillis();
        EventId id = new EventId(now * 1_000, 0, 1, 1);
        long rows = now - Duration.ofDays(2).toMillis();
        RetryPolicy.State state = new RetryPolicy.State(id, null, false, false, 0, 0, rows);
        for (long latest : new long[] {now, Long.MAX_VALUE}) {
            latestMillis = latest;
            assertThat(policy.answered(state, Status.WAITING_FOR_PRIMARY, "", rows, 0))
                    .isInstanceOfSatisfying(
                            RetryPolicy.Retry.class,
                            retry ->
                                    assertThat(retry.delayMillis())
                                            .isLessThanOrEqualTo(policy.delayMaxMillis()));
        }
    }

    private Duration delayOfAhead(Status status, Duration ahead) {
        long now = Duration.ofDays(20_000).toMillis();
        latestMillis = now;
        EventId id = new EventId((now + ahead.toMillis()) * 1_000, 0, 1, 1);
        RetryPolicy.State state = new RetryPolicy.State(id, null, false, false, 0, 0, now);
        RetryPolicy.Next next = policy.answered(state, status, "", now, 0);
        assertThat(next).isInstanceOf(RetryPolicy.Retry.class);
        return Duration.ofMillis(((RetryPolicy.Retry) next).delayMillis());
    }

    @Test
    void waitingForThePrimaryHasNoCountButTheAgeLimit() {
        for (int attempts : new int[] {0, 5, 1_000}) {
            assertThat(answer(state(false, false, attempts, 0), Status.WAITING_FOR_PRIMARY))
                    .isInstanceOfSatisfying(
                            RetryPolicy.Retry.class,
                            retry -> assertThat(retry.attempts()).isEqualTo(attempts));
        }
        RetryPolicy.Next tooOld =
                policy.answered(
                        state(false, false, 0, 0),
                        Status.WAITING_FOR_PRIMARY,
                        "",
                        10_000,
                        ID.micros() + 1);
        assertThat(tooOld)
                .isEqualTo(new RetryPolicy.Enter(Kind.SKIPPED, RetryPolicy.TOO_OLD, true));
    }

    /** Its primary event may be gone for good: nothing else would ever end it. */
    @Test
    void aRepairRowEndsBelowTheBoundaryAndNotBefore() {
        for (Status status : List.of(Status.WAITING_FOR_PRIMARY, Status.RETRY_EVENT)) {
            RetryPolicy.State repair = state(true, false, 1_000, 0);
            assertThat(policy.answered(repair, status, "", 10_000, ID.micros()))
                    .isInstanceOf(RetryPolicy.Retry.class);
            assertThat(policy.answered(repair, status, "", 10_000, ID.micros() + 1))
                    .isEqualTo(new RetryPolicy.Enter(Kind.OUTCOME_LOST, "too old to find out"));
            RetryPolicy.State upgrade =
                    new RetryPolicy.State(ID, LOST.asUpgrade(), false, false, 0, 0, 0);
            assertThat(policy.answered(upgrade, status, "", 10_000, ID.micros() + 1))
                    .as("its event is joined, so no ledger has it")
                    .isEqualTo(new RetryPolicy.Finish(false));
        }
    }

    @Test
    void whatTheEventStoreHasNotReadYetIsTriedAgainSoonHoweverLongItWaited() {
        assertThat(
                        policy.answered(
                                state(false, false, 0, 0),
                                Status.WAITING_FOR_PRIMARY,
                                RetryPolicy.EVENT_STORE_BEHIND,
                                1_000_000_000,
                                Long.MIN_VALUE))
                .isInstanceOfSatisfying(
                        RetryPolicy.Retry.class,
                        retry -> {
                            assertThat(retry.reason()).isEqualTo(RetryPolicy.EVENT_STORE_BEHIND);
                            assertThat(retry.delayMillis()).isBetween(1_500L, 2_000L);
                        });
    }

    @Test
    void anEventsOwnTroubleIsCountedAndGivenUp() {
        assertThat(answer(state(false, false, RETRIES_MAX - 1, 0), Status.RETRY_EVENT))
                .isInstanceOfSatisfying(
                        RetryPolicy.Retry.class,
                        retry -> assertThat(retry.attempts()).isEqualTo(RETRIES_MAX));
        assertThat(answer(state(false, false, RETRIES_MAX, 0), Status.RETRY_EVENT))
                .isInstanceOfSatisfying(
                        RetryPolicy.Enter.class,
                        enter -> assertThat(enter.kind()).isEqualTo(Kind.DEAD_LETTER));
        assertThat(answer(state(true, true, 1_000, 0), Status.RETRY_EVENT))
                .as("a repair row is never given up for having failed often")
                .isInstanceOf(RetryPolicy.Retry.class);
    }

    @Test
    void everybodysTroubleIsNotCountedAndAnAbandonedAttemptStaysOpen() {
        for (Status status : List.of(Status.RETRY_ALL, Status.RESOURCE_EXHAUSTED)) {
            assertThat(answer(state(false, false, 2, 0), status))
                    .isEqualTo(new RetryPolicy.Resend(false));
        }
        assertThat(answer(state(false, false, 2, 0), Status.ABANDONED))
                .isEqualTo(new RetryPolicy.Resend(true));
        assertThat(answer(state(false, false, 2, RetryPolicy.RESENDS_MAX), Status.ABANDONED))
                .isInstanceOfSatisfying(
                        RetryPolicy.Retry.class,
                        retry -> {
                            assertThat(retry.attempts()).isEqualTo(2);
                            assertThat(retry.attemptOpen()).isTrue();
                        });
    }

    @Test
    void whatIsTooOldIsSkippedUnlessItMayHaveBeenJoined() {
        assertThat(answer(state(false, false, 0, 0), Status.ID_TOO_OLD))
                .isEqualTo(new RetryPolicy.Enter(Kind.SKIPPED, RetryPolicy.TOO_OLD, true));
        assertThat(answer(state(false, true, 0, 0), Status.ID_TOO_OLD))
                .isInstanceOfSatisfying(
                        RetryPolicy.Enter.class,
                        enter -> assertThat(enter.kind()).isEqualTo(Kind.OUTCOME_LOST));
        assertThat(answer(state(true, true, 0, 0), Status.ID_TOO_OLD))
                .isInstanceOfSatisfying(
                        RetryPolicy.Enter.class,
                        enter -> assertThat(enter.kind()).isEqualTo(Kind.OUTCOME_LOST));
    }

    @Test
    void endsGoWhereTheBooksLookForThem() {
        RetryPolicy.State state = state(false, false, 0, 0);
        assertThat(answer(state, Status.JOINED)).isEqualTo(new RetryPolicy.Finish(true));
        assertThat(answer(state, Status.JOINED_ELSEWHERE)).isEqualTo(new RetryPolicy.Finish(false));
        assertThat(policy.answered(state, Status.SKIPPED, "bot", 0, Long.MIN_VALUE))
                .isEqualTo(new RetryPolicy.Enter(Kind.SKIPPED, "bot"));
        assertThat(policy.answered(state, Status.SKIPPED, RetryPolicy.TOO_OLD, 0, Long.MIN_VALUE))
                .as("says the adapter")
                .isEqualTo(new RetryPolicy.Enter(Kind.SKIPPED, RetryPolicy.TOO_OLD, false));
        assertThat(policy.answered(state, Status.REJECTED, "bad", 0, Long.MIN_VALUE))
                .isEqualTo(new RetryPolicy.Enter(Kind.DEAD_LETTER, "bad"));
        assertThat(policy.answered(state, Status.OUTCOME_LOST, "gone", 0, Long.MIN_VALUE))
                .isEqualTo(new RetryPolicy.Enter(Kind.OUTCOME_LOST, "gone"));
        assertThat(answer(state, Status.ID_IN_FUTURE)).isInstanceOf(RetryPolicy.Retry.class);
    }

    @Test
    void aSenderPausesLongerEachTimeAndNotAtAllAfterAGoodAnswer() {
        SenderPace pace = new SenderPace(backoff());
        assertThat(pace.pauseNanos(0)).isZero();
        pace.trouble(0);
        long first = pace.pauseNanos(0);
        assertThat(first).isBetween(250_000_000L, 500_000_000L);
        pace.trouble(1);
        assertThat(pace.pauseNanos(0)).as("one pause, however many events say so").isEqualTo(first);
        assertThat(pace.pauseNanos(first)).isZero();
        pace.trouble(first);
        assertThat(pace.pauseNanos(first)).isBetween(500_000_000L, 1_000_000_000L);
        long over = first + 1_000_000_000L;
        assertThat(pace.pauseNanos(over)).isZero();
        pace.good();
        pace.trouble(over);
        assertThat(pace.pauseNanos(over)).isLessThanOrEqualTo(500_000_000L);
    }
}
