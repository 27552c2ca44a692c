package photon.simulation.checks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.RetryJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.CheckpointFiles;

/** What is checked of a dispatcher whose state is divided: each partition of it. */
final class DividedStateTest {
    private FinishedWorld world;
    private MemoryFileStore files;
    private StateDirectory last;

    @BeforeEach
    void makeWorld() throws IOException {
        world = FinishedWorld.divided(2);
        files = world.east().files();
        last = world.partitions(world.east()).get(1);
    }

    private List<String> found() {
        return world.checkers.everyMinute().stream().map(InvariantViolation::toString).toList();
    }

    private void delete(String directory) throws IOException {
        files.delete(directory);
        files.syncDirectory(last.path());
    }

    @Test
    void aWorldInWhichAllWentWellViolatesNothing() {
        assertThat(found()).isEmpty();
        assertThat(world.checkers.mayBeDone()).isTrue();
        assertThat(world.checkers.quiet()).isEmpty();
    }

    @Test
    void rowsEntriesAndPositionsOfAllPartitionsAreRead() throws IOException {
        StoredState state = new StoredState(world.east(), files);
        List<EventId> rows = new ArrayList<>();
        RetryJournal.forEachRow(files, last.journal(), row -> rows.add(row.key().id()));
        assertThat(rows).isNotEmpty();
        assertThat(state.rows).containsKeys(rows.toArray(EventId[]::new));
        assertThat(state.rows).hasSizeGreaterThan(rows.size());

        List<LedgerEntry> skipped = new ArrayList<>();
        Ledger.forEach(
                files,
                last.ledger(),
                entry -> {
                    if (entry.kind() == LedgerEntry.Kind.SKIPPED) {
                        skipped.add(entry);
                    }
                });
        assertThat(skipped)
                .isNotEmpty()
                .allMatch(
                        entry ->
                                state.inLedger(
                                        LedgerEntry.Kind.SKIPPED, requireNonNull(entry.id())));

        for (StateDirectory partition : world.partitions(world.east())) {
            assertThat(
                            CheckpointFiles.read(files, partition.checkpoint())
                                    .orElseThrow()
                                    .positions())
                    .isNotEmpty()
                    .allMatch(state.checkpoint::contains);
        }
    }

    @Test
    void whatTheLastPartitionHasPassedAndNotKeptIsFound() throws IOException {
        delete(last.journal());
        assertThat(found()).singleElement().asString().contains("I3", "stand nowhere");
    }

    @Test
    void anEntryThatIsGoneFromTheLastPartitionsLedgerIsFound() throws IOException {
        assertThat(found()).isEmpty();
        delete(last.ledger());
        assertThat(found()).anyMatch(violation -> violation.contains("no process has taken it"));
    }

    @Test
    void theBooksCountTheLastPartition() throws IOException {
        delete(last.journal());
        assertThat(world.checkers.quiet())
                .extracting(InvariantViolation::toString)
                .anyMatch(violation -> violation.contains("the books do not balance"));
    }
}
