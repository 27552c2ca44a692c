package photon.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {
    /** ESC, the same in one character (C1), NUL, DEL, and what moves the cursor. */
    private static final String DATA = "a\u001b[2Jb\u009b2Jc\u0000d\u007fe\rf\b\u00fc\ud83d\ude00";

    private static final String PLAIN = "a?[2Jb?2Jc?d?e?f?\u00fc\ud83d\ude00";

    @Test
    void noControlCharacterIsLeft() {
        assertThat(PlainText.line(DATA + "\n\tx")).isEqualTo(PLAIN + "??x");
        assertThat(PlainText.lines(DATA + "\n\tx")).isEqualTo(PLAIN + "\n\tx");
    }

    @Test
    void dataMakesNoRowOfATable() {
        List<List<String>> rows =
                List.of(List.of("NAME", "N"), List.of("a\nNAME", "1"), List.of("b\u001b[A", "2"));
        assertThat(Columns.of("", rows)).isEqualTo("NAME    N\na?NAME  1\nb?[A    2\n");
    }
}
