package photon.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import photon.server.terminal.Terminal;

/**
 * Shows people how the demo goes, on stderr: on a terminal a page that is drawn over and over in
 * its place, elsewhere a line for each event. Thread-safe.
 */
public final class LiveView implements AutoCloseable {
    private static final String HIDE_CURSOR = "\033[?25l";
    private static final String SHOW_CURSOR = "\033[?25h";
    private static final String UP = "\033[%dA";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    private final PrintStream out;
    private final boolean drawn;
    private final ViewPage page;
    private int linesOnScreen;
    private int eventsPrinted;

    /**
     * @param drawn whether there is a terminal to draw on
     */
    LiveView(PrintStream out, boolean drawn, Terminal.Size size) {
        this.out = out;
        this.drawn = drawn;
        this.page = new ViewPage(size, true);
    }

    /** On stderr, whatever that is. */
    public static LiveView onStderr() {
        boolean drawn = Terminal.canDraw();
        // Bars and boxes are UTF-8, which System.err may not be.
        PrintStream out =
                drawn
                        ? new PrintStream(
                                new FileOutputStream(FileDescriptor.err),
                                false,
                                StandardCharsets.UTF_8)
                        : System.err;
        return new LiveView(out, drawn, drawn ? Terminal.size() : Terminal.Size.USUAL);
    }

    /** Before there is anything to show. */
    public synchronized void starting(int serving, int processes) {
        if (drawn) {
            draw(List.of("starting: %d of %d processes serve".formatted(serving, processes)));
        }
    }

    public synchronized void show(ViewState state) {
        if (drawn) {
            draw(page.lines(state));
        } else {
            tell(state.events());
        }
    }

    /** Takes the page away: what is printed next stands where it began. */
    @Override
    public synchronized void close() {
        if (linesOnScreen > 0) {
            out.print(UP.formatted(linesOnScreen) + "\r" + REST_OF_SCREEN + SHOW_CURSOR);
            out.flush();
            linesOnScreen = 0;
        }
    }

    /** In one write, so that no half of a page is seen. */
    private void draw(List<String> lines) {
        StringBuilder text = new StringBuilder();
        text.append(linesOnScreen == 0 ? HIDE_CURSOR : UP.formatted(linesOnScreen));
        for (String line : lines) {
            text.append('\r').append(line).append(REST_OF_LINE).append('\n');
        }
        text.append(REST_OF_SCREEN);
        out.print(text);
        out.flush();
        linesOnScreen = lines.size();
    }

    private void tell(List<DemoEvent> events) {
        for (; eventsPrinted < events.size(); eventsPrinted++) {
            DemoEvent event = events.get(eventsPrinted);
            out.println(ViewPage.time(event.atMillis()) + "  " + event.text());
        }
    }
}
