package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;

class TokenBookTest {
    private static final Incarnation OWN = new Incarnation(3, 4);

    @Test
    void tokensBeginAtOneAndAreNeverMadeTwice() {
        TokenBook book = new TokenBook(OWN);
        assertThat(book.next()).isEqualTo(new CommitToken(3, 4, 1));
        assertThat(book.next()).isEqualTo(new CommitToken(3, 4, 2));
        assertThat(book.stateOf(new CommitToken(3, 4, 3))).isEqualTo(TokenState.UNKNOWN);
        assertThat(book.stateOf(new CommitToken(3, 3, 1))).isEqualTo(TokenState.UNKNOWN);
        assertThat(book.stateOf(new CommitToken(3, 4, 0))).isEqualTo(TokenState.UNKNOWN);
    }

    @Test
    void aTokenIsFlushedOnlyAfterItWasAccepted() {
        TokenBook book = new TokenBook(OWN);
        CommitToken token = book.next();
        assertThatThrownBy(() -> book.flushed(token)).isInstanceOf(BugException.class);
        book.accepted(token);
        assertThatThrownBy(() -> book.accepted(token)).isInstanceOf(BugException.class);
        book.flushed(token);
        assertThatThrownBy(() -> book.settled(token)).isInstanceOf(BugException.class);
    }

    /** What the bound of {@code JoinerSettings} goes by. */
    @Test
    void aMillionTokensTakeAQuarterOfAMegabyteAtMost() {
        assertThat(bytesOfAMillion(1)).isLessThan(20_000);
        assertThat(bytesOfAMillion(100)).isLessThan(40_000);
        assertThat(bytesOfAMillion(Integer.MAX_VALUE)).isLessThan(300_000);
        assertThat(bytesOfAMillion(2)).isLessThan(300_000);
        assertThat(bytesOfAMillion(8)).isBetween(250_000L, 300_000L);
    }

    /**
     * @param everyNth is settled; 1: none; the highest: all
     */
    private static long bytesOfAMillion(int everyNth) {
        TokenBook book = new TokenBook(OWN);
        for (int i = 1; i <= 1_000_000; i++) {
            CommitToken token = book.next();
            boolean settled = everyNth == Integer.MAX_VALUE || (everyNth > 1 && i % everyNth == 0);
            if (settled) {
                book.settled(token);
            } else {
                book.accepted(token);
                book.flushed(token);
            }
        }
        return book.bytes();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void itAgreesWithAPlainMapAlsoOfChunksThatHaveShrunk(long seed) {
        Random random = new Random(seed);
        // Chunks that are nearly all flushed, half of each, nearly all settled.
        int flushedOf100 = List.of(100, 99, 50, 1).get((int) seed - 1);
        TokenBook book = new TokenBook(OWN);
        Map<CommitToken, TokenState> expected = new HashMap<>();
        List<CommitToken> open = new ArrayList<>();
        for (int i = 0; i < 3 * TokenBook.CHUNK_TOKENS; i++) {
            CommitToken token = book.next();
            open.add(token);
            expected.put(token, TokenState.IN_FLIGHT);
            while (open.size() > 1_000) {
                CommitToken ended = open.remove(random.nextInt(open.size()));
                if (random.nextInt(100) < flushedOf100) {
                    book.accepted(ended);
                    book.flushed(ended);
                    expected.put(ended, TokenState.FLUSHED);
                } else {
                    book.settled(ended);
                    expected.put(ended, TokenState.SETTLED);
                }
            }
        }
        assertThat(book.open()).isEqualTo(open.size());
        expected.forEach((token, state) -> assertThat(book.stateOf(token)).isEqualTo(state));
    }
}
