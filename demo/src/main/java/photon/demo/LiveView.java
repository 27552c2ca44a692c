package photon.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import photon.server.terminal.Terminal;

/**
 * Shows people how the demo goes, on stderr: on a terminal a page that is drawn over and over in
 * its place and stays at the end, elsewhere a line for each event. Thread-safe.
 */
public final class LiveView implements AutoCloseable {
    private static final String HIDE_CURSOR = "\033[?25l";
    private static final String SHOW_CURSOR = "\033[?25h";
    private static final String UP = "\033[%dA";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";
    private static final long START_TOLD_EVERY_MILLIS = 10_000;

    /** More names than these tell nothing. */
    private static final int NAMED_MAX = 4;

    private final PrintStream out;
    private final boolean drawn;
    private final ViewPage page;
    private final int columns;
    private int linesOnScreen;
    private int eventsPrinted;
    private long startToldMillis = -START_TOLD_EVERY_MILLIS;

    /**
     * @param drawn whether there is a terminal to draw on
     */
    LiveView(PrintStream out, boolean drawn, Terminal.Size size) {
        this.out = out;
        this.drawn = drawn;
        this.page = new ViewPage(size, true);
        this.columns = size.columns();
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

    /**
     * Before there is anything to show.
     *
     * @param left labels of those that do not serve yet
     * @param processes how many there are
     */
    synchronized void starting(long elapsedMillis, List<String> left, int processes) {
        String text =
                "starting, %d s: %d of %d processes serve%s"
                        .formatted(
                                elapsedMillis / 1_000,
                                processes - left.size(),
                                processes,
                                left.size() > NAMED_MAX
                                        ? ""
                                        : ", not yet " + String.join(", ", left));
        if (drawn) {
            draw(List.of(text.substring(0, Math.min(columns - 1, text.length()))));
        } else if (elapsedMillis - startToldMillis >= START_TOLD_EVERY_MILLIS) {
            out.println(text);
            startToldMillis = elapsedMillis;
        }
    }

    public synchronized void show(ViewState state) {
        if (drawn) {
            draw(page.lines(state));
        } else {
            tell(state.events());
        }
    }

    /** Something to tell when nothing is shown any more: below the page, which stays. */
    synchronized void note(long atMillis, String text) {
        close();
        out.println(ViewPage.time(atMillis) + "  " + text);
        out.flush();
    }

    /** The page stays: what is printed next stands below it. */
    @Override
    public synchronized void close() {
        if (linesOnScreen > 0) {
            out.print(SHOW_CURSOR);
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
        out.flush();
    }
}
