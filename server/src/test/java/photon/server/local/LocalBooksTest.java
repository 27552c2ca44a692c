package photon.server.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.verifier.books.Books;

class LocalBooksTest {
    private static final Books BALANCED =
            new Books(
                    1,
                    1,
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
    private static final LocalBooks.Costs COSTS = new LocalBooks.Costs(0, 100, 1, 1, 1);

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

    private static RunReport report(LocalBooks books) {
        return new RunReport(
                books,
                new RunReport.ThisRun(0, 0),
                new RunReport.Primary(1, 0),
                new RunReport.Input(1, 1),
                Optional.empty());
    }
}
