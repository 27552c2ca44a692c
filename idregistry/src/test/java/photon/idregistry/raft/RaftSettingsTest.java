package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.ratis.conf.RaftProperties;
import org.junit.jupiter.api.Test;
import photon.core.rpc.HostPort;

/** Pins what a start passes to Ratis: a change here is a decision. */
class RaftSettingsTest {
    private static final RaftProperties PASSED =
            RaftSettings.properties(
                    RaftTuning.LAN, Path.of("/data"), new HostPort("127.0.0.1", 7_500));

    @Test
    void everySettingThatCorrectnessHangsOnIsPassed() {
        Map<String, String> expected =
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
                        Map.entry("raft.server.snapshot.retention.file.num", "2"),
                        Map.entry("raft.server.read.option", "LINEARIZABLE"),
                        Map.entry("raft.server.read.leader.lease.enabled", "false"),
                        Map.entry("raft.server.read.leader.heartbeat-check.enabled", "true"),
                        Map.entry("raft.server.retrycache.expirytime", "10s"),
                        Map.entry("raft.server.write.element-limit", "1024"),
                        Map.entry("raft.server.leaderelection.pre-vote", "true"));
        expected.forEach((key, value) -> assertThat(PASSED.get(key)).as(key).isEqualTo(value));
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
                        "raft.server.rpc.first-election.timeout.max", "400ms",
                        "raft.server.leaderelection.leader.step-down.wait-time", "2s");
        expected.forEach((key, value) -> assertThat(PASSED.get(key)).as(key).isEqualTo(value));
    }

    private static long bytes(String key) {
        String text = PASSED.get(key);
        assertThat(text).as(key).isNotNull();
        return org.apache.ratis.util.SizeInBytes.valueOf(text).getSize();
    }
}
