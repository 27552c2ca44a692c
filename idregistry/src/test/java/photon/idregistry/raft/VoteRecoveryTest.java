package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Replicas that have lost term and vote, as a full disk leaves them. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class VoteRecoveryTest {
    @TempDir Path root;

    private Path meta(Path storage) throws IOException {
        Path current = storage.resolve(GROUP.toString()).resolve("current");
        Files.createDirectories(current);
        return current.resolve("raft-meta");
    }

    private static long term(Path meta) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(meta)));
        assertThat(properties).containsKey("votedFor");
        return Long.parseLong(properties.getProperty("term"));
    }

    @Test
    @Tag("slow")
    void allReplicasOfAGroupThatHaveLostTheirVotesGoOnWithWhatTheyHold() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stopAll();
            for (int n = 0; n < 3; n++) {
                Path meta = meta(RaftSettings.storage(nodes.data(n)));
                assertThat(term(meta)).isBetween(1L, 1_000L);
                Files.write(meta, new byte[0]);
            }
            nodes.startAll();
            assertThat(nodes.add(GROUP, 2)).isEqualTo(7);
            for (int n = 0; n < 3; n++) {
                assertThat(term(meta(RaftSettings.storage(nodes.data(n)))))
                        .isGreaterThan(VoteRecovery.JUMP);
            }
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void oneReplicaThatHasLostItsVoteJoinsTheOthersAgain() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            Files.write(meta(RaftSettings.storage(nodes.data(0))), new byte[0]);
            nodes.start(0);
            nodes.add(GROUP, 2);
            TestNodes.await(() -> nodes.sumAt(0, GROUP) == 7);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void isAboveTheLastLeadersTermAndAboveWhatItWasMendedToBefore() throws Exception {
        Path meta = meta(root);
        Files.createDirectories(root.resolve(GROUP.toString()).resolve("sm/snapshot-41-900"));
        Files.write(meta, new byte[0]);
        VoteRecovery.recoverAll(root);
        assertThat(term(meta)).isEqualTo(41 + VoteRecovery.JUMP);
        // Elections that nobody won leave nothing but the vote, which is lost again.
        Files.writeString(meta, "#\n#Sun Nov 22 08:00:00 UTC 2026\n");
        VoteRecovery.recoverAll(root);
        assertThat(term(meta)).isEqualTo(41 + 2 * VoteRecovery.JUMP);
    }

    @Test
    @Tag("slow")
    void isMendedAlsoWhereTheFileIsGoneAndTheLogIsNot() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            Path meta = meta(RaftSettings.storage(nodes.data(0)));
            long before = term(meta);
            Files.delete(meta);
            VoteRecovery.recoverAll(RaftSettings.storage(nodes.data(0)));
            assertThat(term(meta)).isEqualTo(before + VoteRecovery.JUMP);
        }
    }

    @Test
    void whatHoldsATermIsLeftAsItIsAndSoIsWhatWasNeverMade() throws Exception {
        Path meta = meta(root);
        VoteRecovery.recoverAll(root);
        assertThat(meta).doesNotExist();
        Files.writeString(meta, "term=7\nvotedFor=n1\n");
        VoteRecovery.recoverAll(root);
        assertThat(meta).hasContent("term=7\nvotedFor=n1\n");
    }

    @Test
    @Tag("slow")
    void aTermBelowItsEntriesIsTheirsAndHasNoVoteLeft() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            TestNodes.await(() -> nodes.sumAt(0, GROUP) == 5);
            nodes.stop(0);
            Path meta = meta(RaftSettings.storage(nodes.data(0)));
            long ofEntries = term(meta);
            assertThat(ofEntries).isPositive();
            Files.writeString(meta, "term=0\nvotedFor=n2\n");
            VoteRecovery.recoverAll(RaftSettings.storage(nodes.data(0)));
            assertThat(meta).hasContent("term=" + ofEntries + "\nvotedFor=\n");

            nodes.start(0);
            nodes.add(GROUP, 2);
            TestNodes.await(() -> nodes.sumAt(0, GROUP) == 7);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** As a crash leaves it between the making of a file and its first entry. */
    @Test
    @Tag("slow")
    void aFileWithoutEntriesHidesNotTheTermOfTheOneBefore() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            Path meta = meta(RaftSettings.storage(nodes.data(0)));
            long ofEntries = term(meta);
            Files.writeString(meta, "term=0\nvotedFor=n0\n");
            Path log = java.util.Objects.requireNonNull(meta.getParent());
            Files.writeString(log.resolve("log_inprogress_100"), "RaftLog1");
            Files.createFile(log.resolve("log_inprogress_200"));
            VoteRecovery.recoverAll(RaftSettings.storage(nodes.data(0)));
            assertThat(term(meta)).isEqualTo(ofEntries);
            assertThat(log.resolve("log_inprogress_200")).exists();
        }
    }

    @Test
    void aTermBelowThatOfASnapshotIsRaisedToIt() throws Exception {
        Path meta = meta(root);
        Files.createDirectories(root.resolve(GROUP.toString()).resolve("sm/snapshot-41-900"));
        Files.writeString(meta, "term=40\nvotedFor=n1\n");
        VoteRecovery.recoverAll(root);
        assertThat(meta).hasContent("term=41\nvotedFor=\n");
        Files.writeString(meta, "term=41\nvotedFor=n1\n");
        VoteRecovery.recoverAll(root);
        assertThat(meta).as("its own vote stays").hasContent("term=41\nvotedFor=n1\n");
    }

    @Test
    void aFloorThatCannotBeReadIsNotGuessed() throws Exception {
        Files.write(meta(root), new byte[0]);
        Path floor = root.resolve(GROUP.toString()).resolve("term-floor");
        Files.writeString(floor, "photon term floor");
        assertThatThrownBy(() -> VoteRecovery.recoverAll(root))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(floor.toString());
    }
}
