package photon.bench.pipeline.process;

import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/** The same join as a Flink job, measured. */
public final class FlinkMain {
    /** In the module {@code bench/flink}, which this one must not need. */
    private static final String JOB = "photon.bench.flink.FlinkJoin";

    private FlinkMain() {}

    /**
     * @param args when the command began, the file for the figures, the directory of the logs, the
     *     directory for the output
     */
    public static void main(String[] args) {
        // By exit(), since Flink leaves threads behind.
        try {
            run(args);
            System.exit(0);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    @SuppressWarnings("try") // The meter measures until it is closed.
    private static void run(String[] args) throws Exception {
        LongAdder read = new LongAdder();
        LongAdder joined = new LongAdder();
        try (Meter meter =
                Meter.start(Path.of(args[1]), Long.parseLong(args[0]), read::sum, joined::sum)) {
            Constructor<?> job =
                    Class.forName(JOB)
                            .getConstructor(
                                    Path.class, Path.class, LongAdder.class, LongAdder.class);
            ((Callable<?>) job.newInstance(Path.of(args[2]), Path.of(args[3]), read, joined))
                    .call();
        }
    }
}
