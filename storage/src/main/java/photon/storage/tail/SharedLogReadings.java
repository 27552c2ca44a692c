package photon.storage.tail;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;

/**
 * Asks how far logs are read for one question at a time, however many people ask, since a reading
 * takes the time of the thread that reads the logs. Those who ask the same meanwhile share the next
 * answer. Used in one loop, in which answers arrive.
 */
public final class SharedLogReadings implements Handler<LogsRequest, LogsResponse> {
    /** A partition that is handed over meanwhile never answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final Handler<LogsRequest, LogsResponse> reader;
    private final Map<LogsRequest, List<Consumer<LogsResponse>>> waiting = new LinkedHashMap<>();
    private int readings;
    private boolean underWay;

    /**
     * @param reader answers each question, or is ended before: then another is asked after a while
     */
    public SharedLogReadings(EventLoop loop, Handler<LogsRequest, LogsResponse> reader) {
        this.loop = loop;
        this.reader = reader;
    }

    @Override
    public void handle(LogsRequest request, Consumer<LogsResponse> respond) {
        waiting.computeIfAbsent(request, each -> new ArrayList<>()).add(respond);
        askNext();
    }

    private void askNext() {
        if (underWay || waiting.isEmpty()) {
            return;
        }
        LogsRequest next = waiting.keySet().iterator().next();
        List<Consumer<LogsResponse>> callers = requireNonNull(waiting.remove(next));
        underWay = true;
        int reading = ++readings;
        loop.schedule(PATIENCE, () -> over(reading));
        reader.handle(next, answer -> answered(reading, callers, answer));
    }

    private void answered(int reading, List<Consumer<LogsResponse>> callers, LogsResponse answer) {
        // Not from here: an answer that comes at once would call this again, and so on.
        loop.execute(() -> over(reading));
        callers.forEach(caller -> caller.accept(answer));
    }

    private void over(int reading) {
        if (underWay && reading == readings) {
            underWay = false;
            askNext();
        }
    }
}
