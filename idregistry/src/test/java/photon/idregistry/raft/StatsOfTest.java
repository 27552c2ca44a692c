package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.Test;

class StatsOfTest {
    /** It has heard of a higher term, and has not stepped down yet. */
    @Test
    void aLeaderThatIsAskedWhileTheTermChangesKnowsOnlyItself() {
        RaftPeerId self = RaftPeerId.valueOf("r0");
        List<RaftPeer> peers =
                List.of(
                        RaftPeer.newBuilder().setId(self).setAddress("a:1").build(),
                        RaftPeer.newBuilder().setId("r1").setAddress("b:1").build());
        Map<String, Object> info =
                Map.of(
                        "isLeader",
                        true,
                        "getRoleInfoProto",
                        new IllegalStateException("currentTerm: expected == 11 but computed == 12"),
                        "getFollowerMatchIndices",
                        new long[] {7});
        RaftServer.Division division =
                fake(
                        RaftServer.Division.class,
                        Map.of(
                                "getInfo", fake(DivisionInfo.class, info),
                                "getId", self,
                                "getRaftLog", fake(RaftLog.class, Map.of("getNextIndex", 9L)),
                                "getRaftConf",
                                        fake(
                                                RaftConfiguration.class,
                                                Map.of("getAllPeers", peers))));
        assertThat(StatsOf.members(division))
                .containsExactly(
                        new ReplicaStats.Member("r0", "a:1", 0, 0),
                        new ReplicaStats.Member("r1", "b:1", -1, -1));
    }

    private static <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            Object answer = answers.get(method.getName());
                            if (answer instanceof RuntimeException failure) {
                                throw failure;
                            }
                            return answer;
                        }));
    }
}
