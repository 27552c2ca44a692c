package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.TestNodes.GROUP;
import static photon.idregistry.raft.TestNodes.await;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * While a follower installs a snapshot, Ratis forgets the members after each piece and learns them
 * again a moment later. Here that moment is made to last.
 */
@Timeout(300)
class MomentWithoutMembersTest {
    @TempDir Path root;

    @Test
    void aReplicaThatKnowsNoMembersForAMomentIsNotTakenAway() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 1);
            int away = (nodes.leader(GROUP) + 1) % 3;
            // A replica that was found on disk begins without members, and comes back to that.
            nodes.stop(away);
            nodes.start(away);
            nodes.add(GROUP, 1);
            await(() -> nodes.sumAt(away, GROUP) == 2);
            Replica replica = nodes.replica(away, GROUP);
            RaftConfiguration members = replica.division().getRaftConf();

            call(replica.division(), "truncate", long.class, 0L);
            assertThat(replica.division().getRaftConf().getCurrentPeers()).isEmpty();
            assertThat(nodes.node(away).has(GROUP)).isTrue();
            assertThat(nodes.node(away).addGroup(GROUP, nodes.members).get(20, TimeUnit.SECONDS))
                    .isSameAs(replica);
            call(replica.division(), "setRaftConf", RaftConfiguration.class, members);

            nodes.add(GROUP, 3);
            await(() -> nodes.sumAt(away, GROUP) == 5);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** Calls what Ratis itself calls of its state in the course of an installation. */
    private static void call(RaftServer.Division division, String name, Class<?> type, Object with)
            throws ReflectiveOperationException {
        Method state = division.getClass().getDeclaredMethod("getState");
        state.setAccessible(true);
        Object of = state.invoke(division);
        Method method = of.getClass().getDeclaredMethod(name, type);
        method.setAccessible(true);
        method.invoke(of, with);
    }
}
