package photon.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong histories that a person can see to be wrong, and right ones that look odd. */
class HistoryCheckerTest {
    private static List<LinearizabilityViolation> check(String text) {
        WrittenHistory history = WrittenHistory.parse(text);
        return HistoryChecker.check(history.operations(), history.fences());
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(
                        "two tokens are accepted",
                        """
                        x commit a1.1 0..10  accepted
                        x commit b1.1 20..30 accepted
                        """),
                Arguments.of(
                        "accepted after its own boundary",
                        """
                        x@5 commit a1.1 0..10  too_old
                        x@5 commit b1.1 20..30 accepted
                        """),
                Arguments.of(
                        "accepted below a boundary that a younger id shows",
                        """
                        y@9 commit a1.1 0..10  too_old
                        x@5 commit b1.1 20..30 accepted
                        """),
                Arguments.of(
                        "accepted below a boundary that a stale lookup shows",
                        """
                        y@9 stale       0..10  too_old
                        x@5 commit b1.1 20..30 accepted
                        """),
                Arguments.of(
                        "too old, though an older id is not",
                        """
                        y@9 commit a1.1 0..10  too_old
                        x@5 lookup      20..30 absent
                        """),
                Arguments.of(
                        "held again when it was gone",
                        """
                        x@5 commit a1.1 0..10  accepted
                        x@5 lookup      20..30 too_old
                        x@5 commit b1.1 40..50 taken a1.1
                        """),
                Arguments.of(
                        "removed below the boundary",
                        """
                        x@5 commit a1.1 0..10  accepted
                        fence a2        11..15
                        y@5 lookup      20..30 too_old
                        x@5 remove a1.1 40..50 removed
                        """),
                Arguments.of(
                        "two tokens are accepted at the same time",
                        """
                        x commit a1.1 0..10 accepted
                        x commit b1.1 0..10 accepted
                        """),
                Arguments.of(
                        "two attempts of one incarnation are accepted",
                        """
                        x commit a1.1 0..10 accepted
                        x commit a1.2 0..10 accepted
                        """),
                Arguments.of(
                        "a commit is accepted after its fence has ended",
                        """
                        fence a2 0..10
                        x commit a1.1 11..20 accepted
                        """),
                Arguments.of(
                        "an accepted token's repetition is accepted after its fence has ended",
                        """
                        x commit a1.1 0..5 accepted
                        fence a2 6..10
                        x commit a1.1 11..20 accepted
                        """),
                Arguments.of(
                        "the holder is told to a fenced token",
                        """
                        x commit b1.1 0..5 accepted
                        fence a2 6..10
                        x commit a1.1 11..20 taken b1.1
                        """),
                Arguments.of(
                        "a commit is refused as fenced before any fence was called",
                        """
                        x commit a1.1 0..10 fenced
                        fence a2 11..20
                        """),
                Arguments.of(
                        "a fence of a lower generation fences",
                        """
                        fence a2 0..10
                        x commit a2.1 20..30 fenced
                        """),
                Arguments.of(
                        "a fence of another slot fences",
                        """
                        fence b2 0..10
                        x commit a1.1 20..30 fenced
                        """),
                Arguments.of(
                        "fenced, and live again",
                        """
                        fence a2 0..100
                        x commit a1.1 10..20 fenced
                        x commit a1.2 30..40 accepted
                        """),
                Arguments.of(
                        "fenced for one id, and later live for another, while the fence is open",
                        """
                        fence a2 0..100
                        x commit a1.1 10..20 fenced
                        y commit a1.2 30..40 accepted
                        """),
                Arguments.of(
                        "accepted is lost without a remove, and another is accepted",
                        """
                        x commit a1.1 0..10  accepted
                        x lookup      20..30 absent
                        x commit b1.1 40..50 accepted
                        """),
                Arguments.of(
                        "accepted is lost without a remove, as only the repetition shows",
                        """
                        x commit a1.1 0..10  accepted
                        x commit b1.1 20..30 taken a1.1
                        x commit b1.2 40..50 taken b1.1
                        """),
                Arguments.of(
                        "the holder never asked for the id",
                        """
                        x commit a1.1 0..10  taken b1.7
                        """),
                Arguments.of(
                        "the holder asked for another id only",
                        """
                        y commit b1.7 0..10  accepted
                        x commit a1.1 20..30 taken b1.7
                        """),
                Arguments.of(
                        "the holder asked only later",
                        """
                        x commit a1.1 0..10  taken b1.1
                        x commit b1.1 20..30 accepted
                        """),
                Arguments.of(
                        "the holder was refused before",
                        """
                        x commit a1.1 0..10  accepted
                        x commit b1.1 20..30 taken a1.1
                        x commit c1.1 40..50 taken b1.1
                        """),
                Arguments.of(
                        "a token is told that it is taken by itself",
                        """
                        x commit a1.1 0..10  accepted
                        x commit a1.1 20..30 taken a1.1
                        """),
                Arguments.of(
                        "a linearizable lookup is stale",
                        """
                        x commit a1.1 0..10  accepted
                        x lookup      20..30 absent
                        """),
                Arguments.of(
                        "two linearizable lookups go back in time",
                        """
                        x commit a1.1 0..100
                        x commit b1.1 0..100 accepted
                        x lookup      10..20 held a1.1
                        x lookup      30..40 absent
                        """
                                .replace("0..100\n", "0..?\n")),
                Arguments.of(
                        "a linearizable lookup finds what is only committed later",
                        """
                        x lookup      0..10  held a1.1
                        x commit a1.1 20..30 accepted
                        """),
                Arguments.of(
                        "a lookup finds what was removed",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.1 20..30 removed
                        x lookup      40..50 held a1.1
                        """),
                Arguments.of(
                        "a remove with a wrong token removed",
                        """
                        x commit a1.1 0..10  accepted
                        fence b2      11..15
                        x remove b1.1 20..30 removed
                        x commit c1.1 40..50 accepted
                        """),
                Arguments.of(
                        "a remove with another attempt's token removed",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.2 20..30 removed
                        x commit c1.1 40..50 accepted
                        """),
                Arguments.of(
                        "a remove that was answered did not happen",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.1 20..30 removed
                        x commit c1.1 40..50 taken a1.1
                        """),
                Arguments.of(
                        "a remove of a live incarnation removed",
                        """
                        x commit a1.1 0..10  accepted
                        x remove a1.1 20..30 removed
                        """),
                Arguments.of(
                        "a remove is refused after the fence has ended",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.1 20..30 not_fenced
                        """),
                Arguments.of(
                        "an attempt without an answer happens twice, with a remove between",
                        """
                        x commit a1.1 0..?
                        x lookup      10..20 held a1.1
                        fence a2      30..40
                        x remove a1.1 50..60 removed
                        x lookup      70..80 held a1.1
                        """),
                Arguments.of(
                        "a stale lookup finds what nobody ever held",
                        """
                        x commit a1.1 0..10  accepted
                        x commit b1.1 20..30 taken a1.1
                        x stale       40..50 held b1.1
                        """),
                Arguments.of(
                        "a stale lookup finds what is only committed later",
                        """
                        x stale       0..10  held a1.1
                        x commit a1.1 20..30 accepted
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void wrong(String name, String history) {
        assertThat(check(history)).as(name).isNotEmpty();
    }

    static Stream<Arguments> right() {
        return Stream.of(
                Arguments.of(
                        "a retry with the same token is accepted again",
                        """
                        x commit a1.1 0..10  accepted
                        x commit a1.1 20..30 accepted
                        x commit b1.1 40..50 taken a1.1
                        """),
                Arguments.of(
                        "an attempt without an answer is carried out long after",
                        """
                        x commit a1.1 0..?
                        x commit b1.1 20..30 accepted
                        fence b2      31..35
                        x remove b1.1 40..50 removed
                        x commit c1.1 60..70 taken a1.1
                        """),
                Arguments.of(
                        "an attempt without an answer is never carried out",
                        """
                        x commit a1.1 0..?
                        x commit b1.1 20..30 accepted
                        x lookup      40..50 held b1.1
                        """),
                Arguments.of(
                        "of two at one time the one that ends last comes first",
                        """
                        x commit a1.1 0..100 accepted
                        x commit b1.1 10..20 taken a1.1
                        """),
                Arguments.of(
                        "accepted while the fence is open",
                        """
                        fence a2      0..100
                        x commit a1.1 10..20 accepted
                        x commit a1.1 30..40 fenced
                        y commit a1.2 15..35 accepted
                        """),
                Arguments.of(
                        "a fence without an answer may fence later",
                        """
                        fence a2      0..?
                        x commit a1.1 10..20 accepted
                        x commit a1.1 30..40 fenced
                        x remove a1.1 50..60 removed
                        x commit b1.1 70..80 accepted
                        """),
                Arguments.of(
                        "a removal of what another token holds says removed",
                        """
                        x commit a1.1 0..10  accepted
                        fence b2      11..15
                        x remove b1.1 20..30 removed
                        x lookup      40..50 held a1.1
                        """),
                Arguments.of(
                        "a remove without an answer happens behind a lookup",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.1 20..?
                        x lookup      30..40 held a1.1
                        x lookup      50..60 absent
                        """),
                Arguments.of(
                        "the boundary passes while callers ask",
                        """
                        x@5 commit a1.1 0..10  accepted
                        x@5 commit b1.1 20..80 taken a1.1
                        x@5 commit c1.1 20..40 too_old
                        x@5 commit a1.1 50..60 too_old
                        y@9 commit a1.2 50..60 accepted
                        """),
                Arguments.of(
                        "accepted before the boundary, and never heard of since",
                        """
                        x@5 commit a1.1 0..?
                        x@5 lookup      20..30 held a1.1
                        x@5 lookup      40..50 too_old
                        x@5 stale       60..70 held a1.1
                        """),
                Arguments.of(
                        "the fence speaks before the boundary, but not in a dropped epoch",
                        """
                        fence a2        0..5
                        x@5 lookup      10..20 too_old
                        x@5 commit a1.1 30..40 fenced
                        x@5 commit a1.1 50..60 too_old
                        x@5 commit a1.1 70..80 fenced
                        """),
                Arguments.of(
                        "a stale lookup tells of long ago",
                        """
                        x commit a1.1 0..10  accepted
                        fence a2      11..15
                        x remove a1.1 20..30 removed
                        x stale       40..50 held a1.1
                        x stale       60..70 absent
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void right(String name, String history) {
        assertThat(check(history)).as(name).isEmpty();
    }
}
