package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.control.ControlState;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;

final class BackupComparisonTest {
    private static final EventId ID = new EventId(5, 1, 2, 3);
    private static final CommitToken TOKEN = new CommitToken(1, 1, 1);

    @TempDir Path root;

    private Backup backup(String name, EventId id, CommitToken token) throws IOException {
        return WrittenBackup.write(BackupPlace.local(root.resolve(name)), id, token);
    }

    @Test
    void theSameIdsWithTheSameHoldersAreNoDifference() throws Exception {
        BackupComparison.Outcome outcome =
                BackupComparison.of(backup("a", ID, TOKEN), backup("b", ID, TOKEN));
        assertThat(outcome.differences()).isEmpty();
        assertThat(outcome.shards()).containsExactly(new BackupComparison.ShardCount("ads/1/0", 1));
    }

    @Test
    void anotherIdOrAnotherHolderIsOne() throws Exception {
        Backup backup = backup("a", ID, TOKEN);
        for (Backup other :
                new Backup[] {
                    backup("b", new EventId(6, 1, 2, 3), TOKEN),
                    backup("c", ID, new CommitToken(1, 1, 2))
                }) {
            assertThat(BackupComparison.of(backup, other).differences())
                    .containsExactly(
                            "shard ads/1/0: as many ids, but other ones or with other holders");
        }
    }

    /** The limit was read after the shard, and a restored registry goes up to it. */
    @Test
    void aBoundaryThatHasMovedUpToTheLimitIsNoDifference() {
        BackupComparison.Rows backup = new BackupComparison.Rows(10, "hash", 20, 5, 30);
        for (long boundary : new long[] {5, 12, 20}) {
            assertThat(
                            backup.differenceFrom(
                                    new BackupComparison.Rows(10, "hash", 20, boundary, 30)))
                    .isEmpty();
        }
        for (long boundary : new long[] {4, 21}) {
            assertThat(
                            backup.differenceFrom(
                                    new BackupComparison.Rows(10, "hash", 20, boundary, 30)))
                    .hasValueSatisfying(text -> assertThat(text).contains("a boundary of 5 to 20"));
        }
    }

    @Test
    void whatTheControlGroupLacksIsNamed() throws Exception {
        ControlState full = new RestoredRegistry().control();
        assertThat(BackupComparison.differences(full, full)).isEmpty();
        assertThat(BackupComparison.differences(full, new ControlState()))
                .anySatisfy(
                        text ->
                                assertThat(text)
                                        .startsWith("pipeline ads: the backup has")
                                        .endsWith("the restored registry none"))
                .anySatisfy(text -> assertThat(text).startsWith("pipeline ads, incarnation 1/1"));
        assertThat(BackupComparison.differences(new ControlState(), full))
                .anySatisfy(text -> assertThat(text).contains("the backup has none"));
    }
}
