package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a full disk, or one with errors, does to the members that a replica has written down. */
@Timeout(300)
class MembersFileTest {
    private static final UUID CONTROL = GroupIds.control();

    @TempDir Path root;

    private Path group(TestNodes nodes, UUID group) {
        return RaftSettings.storage(nodes.data(0)).resolve(group.toString());
    }

    private Path file(TestNodes nodes, UUID group) {
        return group(nodes, group).resolve("current").resolve("raft-meta.conf");
    }

    @Test
    void membersThatCannotBeWrittenAreReportedBeforeTheirEntryCanBePurged() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            assertThat(nodes.bugs).isEmpty();
            // Each new leader writes down the members anew.
            Path aside = file(nodes, GROUP).resolveSibling("raft-meta.conf.tmp");
            Files.createDirectory(aside);
            nodes.start(0);
            TestNodes.await(() -> !nodes.bugs.isEmpty());
            assertThat(nodes.bugs)
                    .allSatisfy(
                            bug ->
                                    assertThat(bug)
                                            .contains("Writing the members of n0@" + GROUP)
                                            .contains(file(nodes, GROUP).toString()));
            nodes.stop(0);

            nodes.bugs.clear();
            Files.delete(aside);
            nodes.start(0);
            assertThat(nodes.add(GROUP, 2)).isEqualTo(7);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void theControlGroupsMembersAreNotGuessedFromTheConfiguration() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.add(CONTROL, 5);
            TestNodes.await(() -> nodes.sumAt(0, CONTROL) == 5);
            nodes.node(0).takeSnapshot(CONTROL).get(60, TimeUnit.SECONDS);
            nodes.stopAll();
            Path group = group(nodes, CONTROL);
            long held;
            try (Stream<Path> all = Files.list(group.resolve("sm"))) {
                held =
                        all.map(f -> f.getFileName().toString())
                                .mapToLong(n -> Long.parseLong(n.substring(n.lastIndexOf('-') + 1)))
                                .max()
                                .orElseThrow();
            }
            // As if all that the snapshot holds had been purged.
            Files.delete(group.resolve(LogMark.NAME));
            new LogMark(group).raise(held);
            try (Stream<Path> all = Files.list(group.resolve("current"))) {
                List<Path> log =
                        all.filter(f -> f.getFileName().toString().startsWith("log_")).toList();
                for (Path file : log) {
                    Files.delete(file);
                }
            }
            byte[] written = Files.readAllBytes(file(nodes, CONTROL));
            Files.write(file(nodes, CONTROL), new byte[0]);
            nodes.start(0);
            assertThat(nodes.replica(0, CONTROL).members().names()).isEmpty();
            nodes.stop(0);

            Files.write(file(nodes, CONTROL), written);
            nodes.startAll();
            assertThat(nodes.add(CONTROL, 2)).isEqualTo(7);
            assertThat(nodes.bugs).isEmpty();
        }
    }
}
