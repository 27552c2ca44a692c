package photon.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * A run that has ended: what came of it, and what it looked like.
 *
 * @param title of the picture
 * @param picture as SVG; empty: nothing was watched
 * @param events in order of time
 * @param files the directory with the run's logs, state and output
 */
record DemoReport(
        DemoResult result, String title, String picture, List<DemoEvent> events, Path files) {
    DemoReport {
        events = List.copyOf(events);
    }
}
