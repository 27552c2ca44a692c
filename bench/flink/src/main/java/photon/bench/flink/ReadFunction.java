package photon.bench.flink;

import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.tuple.Tuple3;

/** Makes records of lines, and counts them. */
final class ReadFunction implements MapFunction<String, Tuple3<String, String, String>> {
    private static final long serialVersionUID = 1;

    /** Told of each record; of this process, since the job runs in it. */
    private static volatile LongAdder readEvents = new LongAdder();

    private final boolean foreign;

    ReadFunction(boolean foreign) {
        this.foreign = foreign;
    }

    static void countInto(LongAdder read) {
        readEvents = read;
    }

    @Override
    public Tuple3<String, String, String> map(String line) throws Exception {
        readEvents.increment();
        return ClickRecord.of(line, foreign);
    }
}
