package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What data may do to the terminal of the one who looks at it: nothing. */
class PlainOutputTest {
    @Test
    void aPathOfALogIsOnOneLineAndMovesNothing() {
        StringBuilder text = new StringBuilder();
        LogsCommand.line(text, "%-10s %s, at offset %,d", "reading", "/logs/a\n\u001b[2Jb.log", 7);
        assertThat(text).hasToString("  reading    /logs/a??[2Jb.log, at offset 7\n");
    }

    @Test
    void aTableHasNoControlSequences() {
        Captured run =
                Captured.of(
                        () -> {
                            new OutputOption().print(() -> "a\u001b[2J\tb\n", () -> "");
                            new OutputOption().say("c\u009b2J");
                            return 0;
                        });
        assertThat(run.stdout()).isEqualTo("a?[2J\tb\nc?2J\n");
    }

    @Test
    void aReasonHasNone() {
        Captured run = Captured.run("config", "show", "--config", "none\u001b[2J.yaml");
        assertThat(run.stderr()).contains("none").doesNotContain("\u001b");
    }
}
