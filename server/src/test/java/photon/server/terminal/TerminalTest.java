package photon.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void aSizeIsReadAsSttyPrintsIt() {
        assertThat(Terminal.Size.parse("24 132\n")).contains(new Terminal.Size(132, 24));
    }

    @Test
    void whatIsNoSizeIsNotTaken() {
        for (String text : new String[] {"", "0 0", "24", "24 80 1", "x y", "24 -1"}) {
            assertThat(Terminal.Size.parse(text)).as(text).isEmpty();
        }
    }
}
