package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a JVM of its own, since in this one everything was loaded long ago. */
@Timeout(300)
class ClassPreloadingTest {
    private static final String MOMENT = "the moment without members";

    @Test
    void nothingIsLoadedInTheMomentWithoutMembers() throws Exception {
        Process jvm =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xlog:class+load:stdout",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Moment.class.getName())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(said).isZero();

        List<String> lines = said.lines().toList();
        assertThat(lines).containsOnlyOnce(MOMENT);
        assertThat(lines.subList(0, lines.indexOf(MOMENT)))
                .anyMatch(line -> line.contains("protobuf.TextFormat"));
        assertThat(lines.subList(lines.indexOf(MOMENT), lines.size()))
                .noneMatch(line -> line.contains("protobuf") || line.contains("ratis"));
    }

    /** What Ratis does between forgetting the members and knowing them. */
    static final class Moment {
        private Moment() {}

        public static void main(String[] arguments) throws Exception {
            RaftPeer.Builder peer = RaftPeer.newBuilder().setId("r1").setAddress("r1:1");
            ClassPreloading.preload(List.of(peer.build()));
            LogEntryProto entry =
                    LogEntryProto.parseFrom(
                            LogEntryProto.newBuilder()
                                    .setTerm(7)
                                    .setIndex(9)
                                    .setConfigurationEntry(
                                            org.apache.ratis.proto.RaftProtos.RaftConfigurationProto
                                                    .newBuilder()
                                                    .addPeers(
                                                            peer.setPriority(1)
                                                                    .build()
                                                                    .getRaftPeerProto())
                                                    .addPeers(
                                                            peer.setId("r2")
                                                                    .build()
                                                                    .getRaftPeerProto()))
                                    .build()
                                    .toByteArray());
            System.out.println(MOMENT);
            if (LogProtoUtils.toRaftConfiguration(entry).getCurrentPeers().size() != 2
                    || !ProtoUtils.shortDebugString(entry).contains("r2")) {
                throw new AssertionError("Expected two members in " + entry);
            }
        }
    }
}
