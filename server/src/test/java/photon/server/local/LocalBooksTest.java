package photon.server.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.verifier.books.Books;

class LocalBooksTest {
    private static final Books BALANCED =
            new Books(
                    1,
                    1,
                    0,
                    0,
                    0,
                    Map.of(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    Map.of(),
                    List.of(),
                    List.of(),
                    new Books.Samples(List.of(), List.of(), List.of(), List.of()));
    private static final LocalBooks.Costs COSTS = new LocalBooks.Costs(0, 100, 1, 1, 1);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRepairThatNeedsAPersonIsNoRightAnswerAndIsToldWithIt(boolean json) {
        assertThat(new LocalBooks(BALANCED, 0, COSTS, List.of()).balanced()).isTrue();
        LocalBooks alarmed = new LocalBooks(BALANCED, 0, COSTS, List.of("1-1 cannot be repaired"));
        assertThat(alarmed.balanced()).isFalse();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        alarmed.print(new PrintStream(printed, true, UTF_8), json);
        assertThat(printed.toString(UTF_8))
                .contains(json ? "\"alarms\":[\"1-1 cannot be repaired\"]" : "ALARM: 1-1 cannot");
    }
}
