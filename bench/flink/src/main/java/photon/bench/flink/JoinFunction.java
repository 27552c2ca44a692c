package photon.bench.flink;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Joins the foreign events of one primary event with it, each once: records that are logged twice
 * are in the load, so that it keeps which foreign events it has joined. Keeps state without limit,
 * as Photon does with {@code retention: unlimited}.
 */
final class JoinFunction
        extends KeyedCoProcessFunction<
                String, Tuple3<String, String, String>, Tuple3<String, String, String>, String> {
    private static final long serialVersionUID = 1;

    /** In place of the line of a foreign event that is joined. */
    private static final String JOINED = "";

    /** Told of each joined event; of this process, since the job runs in it. */
    private static volatile LongAdder joinedEvents = new LongAdder();

    private transient ValueState<String> primary;
    private transient MapState<String, String> foreign; // line by id; JOINED

    static void countInto(LongAdder joined) {
        joinedEvents = joined;
    }

    @Override
    public void open(OpenContext context) {
        primary = getRuntimeContext().getState(new ValueStateDescriptor<>("primary", Types.STRING));
        foreign =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>("foreign", Types.STRING, Types.STRING));
    }

    @Override
    public void processElement1(
            Tuple3<String, String, String> record, Context context, Collector<String> out)
            throws Exception {
        if (primary.value() != null) {
            return;
        }
        primary.update(record.f2);
        for (Map.Entry<String, String> waiting : foreign.entries()) {
            emit(waiting.getKey(), record.f0, waiting.getValue(), record.f2, out);
            waiting.setValue(JOINED);
        }
    }

    @Override
    public void processElement2(
            Tuple3<String, String, String> record, Context context, Collector<String> out)
            throws Exception {
        if (foreign.contains(record.f1)) {
            return;
        }
        String line = primary.value();
        if (line == null) {
            foreign.put(record.f1, record.f2);
            return;
        }
        foreign.put(record.f1, JOINED);
        emit(record.f1, record.f0, record.f2, line, out);
    }

    /** The same line as Photon's {@code merge} adapter makes. */
    private static void emit(
            String id,
            String primaryId,
            String foreignLine,
            String primaryLine,
            Collector<String> out) {
        String micros = id.substring(id.lastIndexOf(':') + 1);
        out.collect(
                "{\"id\": \""
                        + id
                        + "\", \"primaryId\": \""
                        + primaryId
                        + "\", \"timestampMicros\": "
                        + micros
                        + ", \"foreign\": "
                        + foreignLine
                        + ", \"primary\": "
                        + primaryLine
                        + "}");
        joinedEvents.increment();
    }
}
