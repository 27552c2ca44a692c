package photon.joiner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.JoinResult.Status;

/** Events that were joined without their primary event, and once more when that has come. */
class UpgradeTest {
    private static final EventId EVENT = Events.id(1);
    private static final CommitToken ELSEWHERE = new CommitToken(5, 1, 77);
    private static final CommitToken UPGRADE = new CommitToken(5, 1, 78).asUpgrade();

    private JoinerBench bench = bench("merge", true).run();

    private static JoinerBench bench(String adapter, boolean upgrades) {
        return new JoinerBench(
                JoinerBench.settings(
                        adapter,
                        JoinerBench.limits(100, 50),
                        16L << 20,
                        UnmatchedRule.of(
                                UnmatchedTest.config(
                                        "{after: 1m, upgrade: %s}".formatted(upgrades)))),
                1,
                false);
    }

    private void missing() {
        bench.eventStore.missing.add(Events.primaryKey(1));
    }

    private void primaryComes() {
        bench.eventStore.missing.clear();
    }

    private void over() {
        long earliestMicros = EVENT.micros() + UnmatchedTest.OVER_MICROS;
        bench.now = new IntervalClock.Interval(earliestMicros, earliestMicros + 1);
    }

    private Status look() {
        long number = bench.look(1);
        bench.run();
        return requireNonNull(bench.statusOf(number), "an answer");
    }

    private CommitToken holder(EventId id) {
        return requireNonNull(bench.registry.held.get(id), "a holder");
    }

    private String written(int record) {
        return bench.files.synced.get(record).joined().get(0).bytes().toStringUtf8();
    }

    @Test
    void theTokenSaysThatAnEventIsJoinedWithoutItsPrimaryEvent() {
        missing();
        over();
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(holder(EVENT).isUnmatched()).isTrue();
        assertThat(bench.files.synced.get(0).token()).isEqualTo(holder(EVENT));
        assertThat(bench.known(holder(EVENT))).isEqualTo("[FLUSHED]");
        assertThat(bench.join(2)).isEqualTo(Status.JOINED);
        assertThat(holder(Events.id(2)).isUnmatched()).isFalse();
    }

    /** A registry of an older feature level must never see such a token. */
    @Test
    void withoutUpgradesNoTokenSaysSo() {
        bench = bench("merge", false).run();
        missing();
        over();
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(holder(EVENT).isUnmatched()).isFalse();
    }

    @Test
    void aPrimaryEventThatComesLateUpgradesItsEventOnce() {
        missing();
        over();
        bench.join(1);
        assertThat(look()).isEqualTo(Status.WAITING_FOR_PRIMARY);
        primaryComes();
        assertThat(look()).isEqualTo(Status.UPGRADED);
        assertThat(bench.files.synced).hasSize(2);
        assertThat(bench.files.synced.get(1).id()).isEqualTo(EVENT.upgrade());
        assertThat(bench.files.synced.get(1).token()).isEqualTo(holder(EVENT.upgrade()));
        assertThat(holder(EVENT.upgrade()).isUpgrade()).isTrue();
        assertThat(written(1))
                .isEqualTo(
                        "{\"id\": \"click-1\", \"primaryId\": \"page-1\", \"timestampMicros\":"
                                + " 1700000000000001, \"foreign\": {\"n\":1}, \"primary\":"
                                + " {\"page\":true}, \"upgrade\": true}");
        assertThat(look()).isEqualTo(Status.UPGRADED);
        assertThat(bench.files.synced).as("once").hasSize(2);
        assertThat(bench.joiner.status().joined()).isEqualTo(1);
        assertThat(bench.joiner.status().unmatched()).isEqualTo(1);
        assertThat(bench.joiner.status().upgraded()).isEqualTo(1);
        assertThat(bench.joiner.status().admitted()).isZero();
        assertThat(bench.joiner.status().inFlight()).isZero();
    }

    @Test
    void anEventThatAnotherDatacenterHasJoinedWithoutIsUpgradedToo() {
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        bench.eventStore.jsonBytes = 10_000;
        assertThat(bench.join(1)).isEqualTo(Status.UPGRADED);
        assertThat(bench.joiner.status().admittedBytes()).as("of both attempts").isZero();
        assertThat(holder(EVENT)).isEqualTo(ELSEWHERE.asUnmatched());
        assertThat(bench.files.synced.get(0).id()).isEqualTo(EVENT.upgrade());
        assertThat(bench.joiner.status().wastedAttempts()).isZero();
    }

    /** It is tried again, and is watched when the registry's replica says so. */
    @Test
    void anEventThatAnotherHasJoinedWithoutWaitsForItsPrimaryEvent() {
        missing();
        over();
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        assertThat(bench.join(1)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(holder(EVENT)).isEqualTo(ELSEWHERE.asUnmatched());
    }

    @Test
    void itRegistersAsOneThatTellsTheKind() {
        assertThat(bench.registry.usesUnmatchedKind).isTrue();
        assertThat(bench("merge", false).run().registry.usesUnmatchedKind).isFalse();
    }

    @Test
    void whatIsJoinedWithItsPrimaryEventIsNotUpgraded() {
        bench.registry.held.put(EVENT, ELSEWHERE);
        assertThat(look()).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.registry.held).hasSize(1);
        assertThat(bench.files.synced).isEmpty();
    }

    @Test
    void anUpgradeThatAnotherHasMadeIsNotMadeAgain() {
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        bench.registry.held.put(EVENT.upgrade(), ELSEWHERE);
        assertThat(look()).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.files.synced).isEmpty();
    }

    @Test
    void withoutUpgradesALatePrimaryEventChangesNothing() {
        bench = bench("merge", false).run();
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        assertThat(bench.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(look()).isEqualTo(Status.PRIMARY_CAME);
        assertThat(bench.registry.held).hasSize(1);
    }

    /** Its upgrade may stand already: with the primary event it would count twice. */
    @Test
    void aLostUnmatchedEventIsJoinedWithoutItsPrimaryEventOnceMoreThoughThatHasCome() {
        CommitToken lost = ELSEWHERE.asUnmatched();
        bench.registry.held.put(EVENT, lost);
        bench.registry.held.put(EVENT.upgrade(), UPGRADE);
        long number = bench.send(1, lost);
        bench.run();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
        assertThat(bench.reasonOf(number)).isNotEmpty();
        assertThat(written(0)).endsWith("\"primary\": null, \"unmatched\": true}");
        assertThat(holder(EVENT)).isNotEqualTo(lost);
        assertThat(holder(EVENT).isUnmatched()).isTrue();
        assertThat(bench.files.synced).hasSize(1);
    }

    @Test
    void soItIsWhereUpgradesAreNotWantedAnyMore() {
        bench = bench("merge", false).run();
        CommitToken lost = ELSEWHERE.asUnmatched();
        bench.registry.held.put(EVENT, lost);
        assertThat(bench.join(1, lost)).isEqualTo(Status.JOINED);
        assertThat(holder(EVENT).isUnmatched()).isTrue();
        assertThat(written(0)).endsWith("\"unmatched\": true}");
    }

    @Test
    void aLostUpgradeIsMadeAgain() {
        bench.registry.held.put(EVENT, new CommitToken(5, 1, 76).asUnmatched());
        bench.registry.held.put(EVENT.upgrade(), UPGRADE);
        assertThat(bench.join(1, UPGRADE)).isEqualTo(Status.UPGRADED);
        assertThat(holder(EVENT.upgrade())).isNotEqualTo(UPGRADE);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.files.synced.get(0).id()).isEqualTo(EVENT.upgrade());
    }

    /** A file that was declared lost may have held both: each is brought back by its own row. */
    @Test
    void anEventAndItsUpgradeThatAreBothLostAreBothMadeAgain() {
        CommitToken lost = new CommitToken(5, 1, 76).asUnmatched();
        for (boolean upgradeFirst : new boolean[] {true, false}) {
            bench = bench("merge", true).run();
            bench.registry.held.put(EVENT, lost);
            bench.registry.held.put(EVENT.upgrade(), UPGRADE);
            if (upgradeFirst) {
                assertThat(bench.join(1, UPGRADE)).isEqualTo(Status.UPGRADED);
                assertThat(bench.join(1, lost)).isEqualTo(Status.JOINED);
            } else {
                long event = bench.send(1, lost);
                long upgrade = bench.send(1, UPGRADE);
                bench.run();
                assertThat(bench.statusOf(event)).isEqualTo(Status.JOINED);
                assertThat(bench.statusOf(upgrade)).isEqualTo(Status.UPGRADED);
            }
            assertThat(bench.files.synced).hasSize(2);
            assertThat(holder(EVENT).isUnmatched()).isTrue();
            assertThat(holder(EVENT.upgrade())).isNotEqualTo(UPGRADE);
        }
    }

    @Test
    void aLostUpgradeIsMadeAgainThoughNoMoreAreWanted() {
        bench = bench("merge", false).run();
        bench.registry.held.put(EVENT, CommitToken.JOIN_UNMATCHED);
        bench.registry.held.put(EVENT.upgrade(), UPGRADE);
        assertThat(bench.join(1, UPGRADE)).isEqualTo(Status.UPGRADED);
        assertThat(holder(EVENT)).isEqualTo(CommitToken.JOIN_UNMATCHED);
    }

    /** Its event is another row's affair: nothing but the primary event brings the upgrade back. */
    @Test
    void aLostUpgradeWaitsForItsPrimaryEvent() {
        missing();
        over();
        bench.registry.held.put(EVENT, CommitToken.JOIN_UNMATCHED);
        bench.registry.held.put(EVENT.upgrade(), UPGRADE);
        assertThat(bench.join(1, UPGRADE)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.files.synced).isEmpty();
        assertThat(holder(EVENT)).isEqualTo(CommitToken.JOIN_UNMATCHED);
        assertThat(holder(EVENT.upgrade())).isEqualTo(UPGRADE);
    }

    /** What was lost says it: neither the primary event nor the time counts any more. */
    @Test
    void aLostUnmatchedEventWaitsForNothing() {
        missing();
        CommitToken lost = ELSEWHERE.asUnmatched();
        bench.registry.held.put(EVENT, lost);
        bench.eventStore.allRead = false;
        assertThat(bench.join(1, lost)).isEqualTo(Status.JOINED);
        assertThat(holder(EVENT).isUnmatched()).isTrue();
        assertThat(written(0)).endsWith("\"unmatched\": true}");
    }

    /** The event's own attempt is not flushed yet when the upgrade's row comes. */
    @Test
    void aLostUpgradeIsNotAnsweredAsItsEventIs() {
        CommitToken lost = new CommitToken(5, 1, 76).asUnmatched();
        bench.registry.held.put(EVENT, lost);
        bench.registry.held.put(EVENT.upgrade(), UPGRADE);
        bench.registry.decideAtOnce = false;
        long event = bench.send(1, lost);
        bench.run();
        long upgrade = bench.send(1, UPGRADE);
        bench.run();
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(event)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(upgrade)).isEqualTo(Status.UPGRADED);
        assertThat(holder(EVENT.upgrade())).isNotEqualTo(UPGRADE);
    }

    /** Public, as adapters of users are. */
    public static class Sparing implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            result.emit(foreign.json());
        }

        @Override
        public void unmatched(SourceEvent foreign, Result result) {
            result.emit("alone", foreign.json());
        }

        @Override
        public void upgrade(SourceEvent foreign, SourceEvent primary, Result result) {
            result.skip("no need");
        }
    }

    /** It is joined without its primary event, and watched for that. */
    @Test
    void anEventWhoseAnswerWasLostIsStillOneWithoutItsPrimaryEvent() {
        missing();
        over();
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        long again = open();
        assertThat(bench.statusOf(again)).isEqualTo(Status.JOINED);
        assertThat(bench.reasonOf(again)).isEqualTo("without its primary event");
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.reasonOf(joined(2))).isEmpty();
    }

    @Test
    void anUpgradeThatFailsOnceDoesNotEndTheWatch() {
        bench = bench(Failing.class.getName(), true).run();
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        long number = open();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
        assertThat(bench.reasonOf(number)).isEqualTo("without its primary event");
        assertThat(bench.files.synced).isEmpty();
        assertThat(look()).as("of one that is watched").isEqualTo(Status.RETRY_EVENT);
    }

    /** An earlier attempt at it was never answered. */
    private long open() {
        long number = bench.nextNumber();
        bench.send(List.of(Events.item(number, 1, null).toBuilder().setAttemptOpen(true).build()));
        bench.run();
        return number;
    }

    private long joined(long n) {
        long number = bench.send(n);
        bench.run();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
        return number;
    }

    /** Public, as adapters of users are. */
    public static final class Failing extends Sparing {
        @Override
        public void upgrade(SourceEvent foreign, SourceEvent primary, Result result) {
            result.retry("not now");
        }
    }

    /** It is joined, whatever becomes of its upgrade: no ledger may count it as skipped. */
    @Test
    void anUpgradeThatTheAdapterSkipsIsNoEventThatIsSkipped() {
        bench = bench(Sparing.class.getName(), true).run();
        bench.registry.held.put(EVENT, ELSEWHERE.asUnmatched());
        assertThat(bench.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.files.synced).isEmpty();
        assertThat(bench.registry.held).doesNotContainKey(EVENT.upgrade());
    }
}
