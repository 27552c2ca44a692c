package photon.joiner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.id.CommitToken;
import photon.core.time.IntervalClock;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.JoinResult.Status;

/** Foreign events whose primary events do not come in time. */
class UnmatchedTest {
    private static final CommitToken LOST = new CommitToken(5, 1, 77);

    /** The primary event is waited for that long, and the event store has six seconds to read. */
    static final long OVER_MICROS = Duration.ofMinutes(1).plusSeconds(6).toNanos() / 1_000;

    private JoinerBench bench = bench("merge").run();

    static PipelineConfig config() {
        return config("{after: 1m}");
    }

    static PipelineConfig config(String unmatched) {
        return ConfigLoader.parse(
                        """
                                pipeline: ads
                                datacenters: [east]
                                primary:
                                  paths: [/logs/pages]
                                  format: {type: json-lines}
                                  id: {from: [page]}
                                  timestamp: {field: at, unit: micros}
                                foreign:
                                  paths: [/logs/clicks]
                                  format: {type: json-lines}
                                  id: {from: [click]}
                                  timestamp: {field: at, unit: micros}
                                  primaryId: {from: [page]}
                                unmatched: %s
                                """
                                .formatted(unmatched),
                        Path.of("/photon.yaml"))
                .pipeline();
    }

    private static JoinerBench bench(String adapter) {
        return new JoinerBench(
                JoinerBench.settings(
                        adapter,
                        JoinerBench.limits(100, 50),
                        16L << 20,
                        UnmatchedRule.of(config())),
                1,
                false);
    }

    private void at(long earliestMicros) {
        bench.now = new IntervalClock.Interval(earliestMicros, earliestMicros + 1);
    }

    private void missing(long n) {
        bench.eventStore.missing.add(Events.primaryKey(n));
    }

    private Status answer(long number) {
        return requireNonNull(bench.answers.get(number), "an answer").getStatus();
    }

    private String reason(long number) {
        return requireNonNull(bench.answers.get(number), "an answer").getReason();
    }

    private String written(int record) {
        return bench.files.synced.get(record).joined().get(0).bytes().toStringUtf8();
    }

    @Test
    void anEventIsJoinedWithAMarkWhenItsTimeIsOver() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS - 1);
        assertThat(bench.join(1)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.registry.held).isEmpty();
        at(Events.id(1).micros() + OVER_MICROS);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(written(0))
                .isEqualTo(
                        "{\"id\": \"click-1\", \"primaryId\": \"page-1\", \"timestampMicros\":"
                                + " 1700000000000001, \"foreign\": {\"n\":1}, \"primary\": null,"
                                + " \"unmatched\": true}");
        assertThat(bench.files.synced.get(0).token())
                .isEqualTo(bench.registry.held.get(Events.id(1)));
        assertThat(bench.joiner.status().unmatched()).isEqualTo(1);
        assertThat(bench.joiner.status().joined()).isEqualTo(1);
    }

    @Test
    void aPrimaryEventThatComesLateChangesNothing() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        bench.join(1);
        bench.eventStore.missing.clear();
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.joiner.status().unmatched()).isEqualTo(1);
    }

    @Test
    void anEventWithItsPrimaryEventIsJoinedWithItHoweverLate() {
        at(Events.id(1).micros() + 10 * OVER_MICROS);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(written(0)).endsWith("\"primary\": {\"page\":true}}");
        assertThat(bench.joiner.status().unmatched()).isZero();
    }

    @Test
    void whereTheEventStoreHasNotReadAllAMissSaysNothing() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        bench.eventStore.allRead = false;
        assertThat(bench.join(1)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.registry.held).isEmpty();
    }

    @Test
    void aClockThatIsNotSynchronisedEndsNoWait() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        bench.synchronised = false;
        assertThat(bench.join(1)).isEqualTo(Status.WAITING_FOR_PRIMARY);
    }

    /** What the answer was asked for before the time was over may have come since. */
    @Test
    void theTimeIsThatOfTheQuestion() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS - 1);
        bench.eventStore.mode = () -> MemoryEventStore.Mode.HOLD;
        long number = bench.send(1);
        bench.run();
        at(Events.id(1).micros() + 2 * OVER_MICROS);
        bench.eventStore.held.remove().run();
        bench.run();
        assertThat(answer(number)).isEqualTo(Status.WAITING_FOR_PRIMARY);
    }

    @Test
    void theAnswerSaysThatItIsJoinedWithoutItsPrimaryEvent() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        long without = bench.send(1);
        long with = bench.send(2);
        bench.run();
        assertThat(answer(without)).isEqualTo(Status.JOINED);
        assertThat(reason(without)).isNotEmpty();
        assertThat(answer(with)).isEqualTo(Status.JOINED);
        assertThat(reason(with)).isEmpty();
    }

    @Test
    void whatWasJoinedWithoutIsOnlyLookedFor() {
        missing(1);
        at(Events.id(1).micros() + 2 * OVER_MICROS);
        long early = bench.look(1);
        bench.run();
        assertThat(answer(early)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        bench.eventStore.missing.clear();
        long late = bench.look(1);
        bench.run();
        assertThat(answer(late)).isEqualTo(Status.PRIMARY_CAME);
        assertThat(bench.registry.held).isEmpty();
        assertThat(bench.files.synced).isEmpty();
        assertThat(bench.joiner.status().joined()).isZero();
        assertThat(bench.joiner.status().admitted()).isZero();
    }

    @Test
    void whatWasLostIsRemovedAndJoinedAnewWithoutAPrimaryEvent() {
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        bench.registry.held.put(Events.id(1), LOST);
        long number = bench.send(1, LOST);
        bench.run();
        assertThat(answer(number)).isEqualTo(Status.JOINED);
        assertThat(written(0)).endsWith("\"unmatched\": true}");
        assertThat(bench.registry.held.get(Events.id(1))).isNotEqualTo(LOST);
    }

    /** Public, as adapters of users are. */
    public static final class PairsOnly implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            result.emit(foreign.json());
        }
    }

    /** As above. */
    public static final class Both implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            result.emit(foreign.json());
        }

        @Override
        public void unmatched(SourceEvent foreign, Result result) {
            result.emit("alone", foreign.json());
        }
    }

    @Test
    void anAdapterThatJoinsPairsOnlyIsRefusedAtTheStart() {
        assertThatThrownBy(() -> bench(PairsOnly.class.getName()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(PairsOnly.class.getName(), "Adapter.unmatched");
    }

    @Test
    void aUsersAdapterDecidesWhatBecomesOfIt() {
        bench = bench(Both.class.getName()).run();
        missing(1);
        at(Events.id(1).micros() + OVER_MICROS);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced.get(0).joined().get(0).output()).isEqualTo("alone");
    }

    @Test
    void withoutTheSettingEveryEventWaits() {
        assertThat(UnmatchedRule.never().permits(Events.id(1), true, Long.MAX_VALUE)).isFalse();
        assertThat(UnmatchedRule.never().isOn()).isFalse();
    }
}
