package photon.server.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.time.IntervalClock;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.verifier.books.Books;
import photon.verifier.books.DatacenterRecords;

class LocalBooksTest {
    private static final Books BALANCED =
            new Books(
                    1,
                    1,
                    0,
                    0,
                    Map.of(),
                    0,
                    Map.of(),
                    0,
                    0,
                    0,
                    0,
                    Books.Bad.NONE,
                    0,
                    Map.of(),
                    List.of(),
                    List.of(),
                    new Books.Samples(List.of(), List.of(), List.of(), List.of()));
    private static final Path REPORT = Path.of("/state/report");
    private static final LocalBooks.Costs COSTS = new LocalBooks.Costs(0, 0, 0, 100, 1, 1, 1);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRepairThatNeedsAPersonIsNoRightAnswerAndIsToldWithIt(boolean json) {
        assertThat(new LocalBooks(BALANCED, 0, COSTS, List.of(), REPORT).balanced()).isTrue();
        LocalBooks alarmed =
                new LocalBooks(BALANCED, 0, COSTS, List.of("1-1 cannot be repaired"), REPORT);
        assertThat(alarmed.balanced()).isFalse();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        report(alarmed).print(new PrintStream(printed, true, UTF_8), System.err, json);
        assertThat(printed.toString(UTF_8))
                .contains(json ? "\"alarms\":[\"1-1 cannot be repaired\"]" : "ALARM: 1-1 cannot");
    }

    /** Its record is in no row. */
    @Test
    void aLogThatEndsInTheMiddleOfARecordIsTold() {
        Books open =
                new Books(
                        1,
                        1,
                        0,
                        0,
                        Map.of(),
                        0,
                        Map.of(),
                        0,
                        0,
                        0,
                        0,
                        Books.Bad.NONE,
                        0,
                        Map.of(),
                        List.of(),
                        List.of("/logs/clicks.csv: 23 bytes at 4711"),
                        new Books.Samples(List.of(), List.of(), List.of(), List.of()));
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        int status =
                report(new LocalBooks(open, 0, COSTS, List.of(), REPORT))
                        .print(
                                new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
                                new PrintStream(told, true, UTF_8),
                                false);
        assertThat(status).isZero();
        assertThat(told.toString(UTF_8))
                .contains(
                        "a primary log ends in the middle of a record, which is not read: /logs/a.csv, and 1 more.",
                        "a foreign log ends in the middle of a record, which is not read: /logs/clicks.csv: 23 bytes at 4711. If the record is whole, append a line feed");
    }

    @Test
    void filesOfAllPartitionsOfADispatchersStateAreRead() throws IOException {
        MemoryFileStore files = new MemoryFileStore();
        DatacenterPaths paths = new DatacenterPaths("east", Path.of("/state/east"), "/out/east");
        OutputDirectory output =
                OutputDirectory.open(
                        files,
                        "/out/east",
                        new OutputIdentity("pipeline", "fingerprint", "east", "output"),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        () -> new IntervalClock.Interval(0, 0));
        UUID state = new UUID(7, 7);
        new StateHome(files, paths.dispatcher())
                .create(
                        state,
                        new UUID(1, 2),
                        "east",
                        path -> new StatePartitions(path, 2).make(files));
        DatacenterRecords.Stored stored = LocalBooks.stored(paths, files, output);
        String first = "/state/east/dispatcher/" + state + "/partition-0/";
        String second = "/state/east/dispatcher/" + state + "/partition-1/";
        assertThat(stored.journalDirectories())
                .containsExactly(first + "journal", second + "journal");
        assertThat(stored.ledgerDirectories())
                .containsExactly(
                        first + "ledger",
                        second + "ledger",
                        paths.eventStoreLedger("eventstore-0"),
                        paths.verifierLedger());
        assertThat(stored.checkpointDirectories())
                .containsExactly(first + "checkpoint", second + "checkpoint");
    }

    private static RunReport report(LocalBooks books) {
        return new RunReport(
                books,
                new RunReport.ThisRun(0, 0),
                new RunReport.Primary(1, 0),
                new RunReport.Input(1, 1, List.of("/logs/a.csv", "/logs/b.csv")),
                Optional.empty());
    }
}
