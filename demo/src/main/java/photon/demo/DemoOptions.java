package photon.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import photon.demo.generate.GeneratorSettings;
import photon.demo.generate.model.LoadShape;

/**
 * What a user asked of a demo.
 *
 * @param seconds how long the load goes on
 * @param clicksPerSecond foreign events; there are as many primary ones
 * @param seed of the load
 * @param killDatacenter the whole east, for the second third of the time
 * @param killJoiners one every 5 s; two a datacenter then
 * @param hdfs each datacenter has an HDFS, and two machines with a dispatcher, an event store and a
 *     joiner each
 * @param killWorkers with {@code hdfs}: one every 5 s
 * @param killDataNode with {@code hdfs}: one of east's two, for a fifth of the time
 * @param singleProcess all parts in this one
 * @param json the result as JSON on stdout
 * @param plot where a picture of the run is written
 * @param html where the run is written as a page
 * @param open the page is shown
 */
public record DemoOptions(
        int seconds,
        double clicksPerSecond,
        long seed,
        boolean killDatacenter,
        boolean killJoiners,
        boolean hdfs,
        boolean killWorkers,
        boolean killDataNode,
        boolean singleProcess,
        boolean json,
        Optional<Path> plot,
        Optional<Path> html,
        boolean open) {

    private static final int LOGGING_PROCESSES = 3;

    /** Enough logs that dispatchers which divide them get much the same. */
    private static final int LOGGING_PROCESSES_DIVIDED = 8;

    /** Half of the clicks within it, one in a hundred after eight seconds. */
    private static final Duration CLICK_DELAY_MEDIAN = Duration.ofMillis(100);

    private static final double CLICK_DELAY_SPREAD = 1.9;
    private static final double ODD_SHARE = 0.02;
    private static final Duration PRIMARY_CLOCKS_OFF = Duration.ofMillis(50);
    private static final long ROTATE_BYTES = 16 << 20;
    private static final Duration NEVER = Duration.ofDays(36_500);

    Timetable timetable() {
        return hdfs
                ? Timetable.onHdfs(seconds, killWorkers, killDataNode)
                : Timetable.of(seconds, killDatacenter, killJoiners);
    }

    /**
     * Clocks of the click logs are right, so that an event's timestamp tells when it was logged:
     * its delay until it is durable is measured against that.
     */
    GeneratorSettings load() {
        LoadShape shape =
                new LoadShape(
                        seed,
                        hdfs ? LOGGING_PROCESSES_DIVIDED : LOGGING_PROCESSES,
                        2 * clicksPerSecond,
                        0,
                        1,
                        CLICK_DELAY_MEDIAN,
                        CLICK_DELAY_SPREAD,
                        ODD_SHARE,
                        ODD_SHARE,
                        ODD_SHARE,
                        PRIMARY_CLOCKS_OFF,
                        Duration.ZERO);
        return new GeneratorSettings(
                shape,
                GeneratorSettings.Format.JSON_LINES,
                GeneratorSettings.EVENTS_MAX,
                0,
                Duration.ZERO,
                ROTATE_BYTES,
                NEVER,
                false);
    }
}
