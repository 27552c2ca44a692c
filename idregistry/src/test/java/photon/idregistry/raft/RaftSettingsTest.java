package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;

/** Pins what a start passes to Ratis: a change here is a decision. */
class RaftSettingsTest {
    private static final RaftProperties PASSED = properties(RaftTuning.LAN);

    private static RaftProperties properties(RaftTuning tuning) {
        return RaftSettings.properties(tuning, Path.of("/data"), new HostPort("127.0.0.1", 7_500));
    }

    private static final Map<String, String> CORRECT =
            Map.ofEntries(
                    Map.entry("raft.rpc.type", "GRPC"),
                    Map.entry("raft.server.storage.dir", "/data/raft"),
                    Map.entry("raft.server.removed.groups.dir", "/data/removed"),
                    Map.entry("raft.server.log.use.memory", "false"),
                    Map.entry("raft.server.log.unsafe-flush.enabled", "false"),
                    Map.entry("raft.server.log.async-flush.enabled", "false"),
                    Map.entry("raft.server.log.corruption.policy", "EXCEPTION"),
                    Map.entry("raft.server.log.purge.upto.snapshot.index", "true"),
                    Map.entry("raft.server.log.purge.preservation.log.num", "2000"),
                    Map.entry("raft.server.snapshot.auto.trigger.enabled", "false"),
                    Map.entry("raft.server.snapshot.retention.file.num", "-1"),
                    Map.entry("raft.server.snapshot.trigger-when-stop.enabled", "false"),
                    Map.entry("raft.server.snapshot.trigger-when-remove.enabled", "false"),
                    Map.entry("raft.server.log.appender.install.snapshot.enabled", "true"),
                    Map.entry("raft.server.log.purge.gap", "1"),
                    Map.entry("raft.server.log.append-entries.compose.enabled", "false"),
                    Map.entry("raft.server.log.read.lock.enabled", "true"),
                    Map.entry("raft.server.log.log-metadata.enabled", "true"),
                    Map.entry("raft.server.log.force.sync.num", "128"),
                    Map.entry("raft.server.storage.free-space.min", "0"),
                    Map.entry("raft.server.read.read-index.type", "COMMIT_INDEX"),
                    Map.entry("raft.server.close.threshold", "60s"),
                    Map.entry("raft.server.sleep.deviation.threshold", "300ms"),
                    Map.entry("raft.server.leaderelection.member.majority-add", "false"),
                    Map.entry("raft.grpc.server.heartbeat.channel", "true"),
                    Map.entry("raft.server.read.option", "LINEARIZABLE"),
                    Map.entry("raft.server.read.leader.lease.enabled", "false"),
                    Map.entry("raft.server.read.leader.heartbeat-check.enabled", "true"),
                    Map.entry("raft.server.retrycache.expirytime", "2s"),
                    Map.entry("raft.server.write.element-limit", "1024"),
                    Map.entry(
                            "raft.server.log.appender.retry.policy",
                            "1ms,10, 100ms,600, 500ms,1000000000"),
                    Map.entry("raft.server.rpc.request.timeout", "3s"),
                    Map.entry("raft.server.leaderelection.leader.step-down.wait-time", "2s"),
                    Map.entry("raft.server.leaderelection.pre-vote", "true"));

    @Test
    void everySettingThatCorrectnessHangsOnIsPassed() {
        CORRECT.forEach((key, value) -> assertThat(PASSED.get(key)).as(key).isEqualTo(value));
    }

    @Test
    void nothingFromOutsideCanTurnDurabilityOff() {
        Map<String, String> wanted =
                Map.of(
                        "raft.server.log.unsafe-flush.enabled", "true",
                        "raft.server.log.async-flush.enabled", "true",
                        "raft.server.log.use.memory", "true",
                        "raft.server.log.corruption.policy", "WARN_AND_RETURN",
                        "raft.server.read.leader.lease.enabled", "true");
        wanted.forEach(System::setProperty);
        try {
            RaftProperties passed = properties(RaftTuning.WAN);
            wanted.forEach((key, value) -> assertThat(passed.get(key)).as(key).isNotEqualTo(value));
            assertThat(RaftServerConfigKeys.Log.unsafeFlushEnabled(passed)).isFalse();
            assertThat(RaftServerConfigKeys.Log.asyncFlushEnabled(passed)).isFalse();
            assertThat(RaftServerConfigKeys.Log.useMemory(passed)).isFalse();
            assertThat(RaftServerConfigKeys.Read.leaderLeaseEnabled(passed)).isFalse();
        } finally {
            wanted.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void aWideNetworkHasLongerTimeoutsAndWiderWindowsAndTheSameDurability() {
        Map<String, String> different =
                Map.of(
                        "raft.server.rpc.timeout.min", "1500ms",
                        "raft.server.rpc.timeout.max", "3000ms",
                        "raft.server.rpc.first-election.timeout.min", "500ms",
                        "raft.server.rpc.first-election.timeout.max", "1500ms",
                        "raft.grpc.flow.control.window", "" + (32 << 20),
                        "raft.grpc.server.leader.outstanding.appends.max", "128");
        RaftProperties wide = properties(RaftTuning.WAN);
        different.forEach((key, value) -> assertThat(wide.get(key)).as(key).isEqualTo(value));
        assertThat(PASSED.get("raft.grpc.flow.control.window")).isEqualTo("" + (4 << 20));
        assertThat(PASSED.get("raft.grpc.server.leader.outstanding.appends.max")).isEqualTo("32");
        CORRECT.forEach((key, value) -> assertThat(wide.get(key)).as(key).isEqualTo(value));
        assertThat(wide.size()).isEqualTo(PASSED.size());
    }

    @Test
    void theLogsBufferHoldsTheLargestEntryAndItsFrame() {
        assertThat(RaftSettings.WRITE_BUFFER_BYTES)
                .isGreaterThanOrEqualTo(2L * RaftSettings.ENTRY_BYTES_MAX);
    }

    @Test
    void aWindowThatHoldsNoEntryIsRefused() {
        RaftTuning lan = RaftTuning.LAN;
        for (long window : new long[] {RaftSettings.ENTRY_BYTES_MAX - 1, 1L << 31}) {
            assertThatThrownBy(
                            () ->
                                    new RaftTuning(
                                            lan.electionMin(),
                                            lan.electionMax(),
                                            lan.firstElectionMin(),
                                            lan.firstElectionMax(),
                                            lan.segmentBytes(),
                                            lan.entriesKept(),
                                            lan.snapshotLogBytes(),
                                            lan.snapshotEvery(),
                                            lan.snapshotBytesPerSecond(),
                                            window,
                                            lan.appendsInFlight()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("raft.flow-window-bytes");
        }
    }

    @Test
    void theLimitsFitIntoEachOther() {
        assertThat(bytes("raft.server.log.write.buffer.size"))
                .isGreaterThan(bytes("raft.server.log.appender.buffer.byte-limit") + 8);
        assertThat(bytes("raft.grpc.message.size.max"))
                .isGreaterThan(bytes("raft.server.log.write.buffer.size"));
        assertThat(bytes("raft.grpc.message.size.max"))
                .isGreaterThan(bytes("raft.server.log.appender.snapshot.chunk.size.max"));
        assertThat(bytes("raft.server.log.segment.size.max"))
                .isGreaterThan(bytes("raft.server.log.appender.buffer.byte-limit"));
    }

    @Test
    void theTimeoutsAreThoseOfTheTuning() {
        Map<String, String> expected =
                Map.of(
                        "raft.server.rpc.timeout.min", "500ms",
                        "raft.server.rpc.timeout.max", "1000ms",
                        "raft.server.rpc.first-election.timeout.min", "100ms",
                        "raft.server.rpc.first-election.timeout.max", "400ms");
        expected.forEach((key, value) -> assertThat(PASSED.get(key)).as(key).isEqualTo(value));
    }

    @Test
    void patienceForALeaderIsPatienceForVotesAndPauses() {
        RaftProperties patient =
                properties(
                        RaftTuning.LAN.withElection(Duration.ofMinutes(1), Duration.ofMinutes(2)));
        assertThat(patient.get("raft.server.rpc.request.timeout")).isEqualTo("120000ms");
        assertThat(patient.get("raft.server.leaderelection.leader.step-down.wait-time"))
                .isEqualTo("60000ms");
    }

    private static long bytes(String key) {
        String text = PASSED.get(key);
        assertThat(text).as(key).isNotNull();
        return org.apache.ratis.util.SizeInBytes.valueOf(text).getSize();
    }
}
