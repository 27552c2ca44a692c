package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageOpenerTest {
    private static final Path PAGE = Path.of("/tmp/run.html");

    @Test
    void aDesktopOpensItWithItsOwnProgram() {
        assertThat(PageOpener.command("Linux", Map.of("DISPLAY", ":0"), name -> true, PAGE))
                .contains(List.of("xdg-open", "/tmp/run.html"));
        assertThat(PageOpener.command("Linux", Map.of("WAYLAND_DISPLAY", "w"), n -> true, PAGE))
                .contains(List.of("xdg-open", "/tmp/run.html"));
        assertThat(PageOpener.command("Mac OS X", Map.of(), name -> true, PAGE))
                .contains(List.of("open", "/tmp/run.html"));
    }

    @Test
    void withoutADesktopOrItsProgramNothingIsStarted() {
        assertThat(PageOpener.command("Linux", Map.of(), name -> true, PAGE)).isEmpty();
        assertThat(PageOpener.command("Linux", Map.of("DISPLAY", ""), n -> true, PAGE)).isEmpty();
        assertThat(PageOpener.command("Linux", Map.of("DISPLAY", ":0"), n -> false, PAGE))
                .isEmpty();
    }
}
