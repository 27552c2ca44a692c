package photon.demo.generate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import photon.demo.generate.model.EventModel;
import photon.demo.generate.model.LogRecord;
import photon.demo.generate.model.LogStream;

/**
 * Which pairs readers can see whole, and since when. Knows only of what is not seen yet, so a long
 * run needs no more memory. Not thread-safe.
 */
final class Sightings {
    private final EventModel model;
    private final IdText text;
    private final JoinableListener listener;
    private final Set<Long> hiddenPrimaries = new HashSet<>();
    private final Map<Long, List<LogRecord>> waitingByPrimary = new HashMap<>();
    private long joinable;

    Sightings(EventModel model, IdText text, JoinableListener listener) {
        this.model = model;
        this.text = text;
        this.listener = listener;
    }

    /** It stands in a file that nobody can see. */
    void hidden(LogRecord record) {
        if (record.stream() == LogStream.PRIMARY) {
            hiddenPrimaries.add(keyOf(record));
        }
    }

    /** It stands in a file that readers can see. */
    void seen(LogRecord record, long micros) {
        if (record.repeat() || record.orphan()) {
            return;
        }
        if (record.stream() == LogStream.PRIMARY) {
            long key = keyOf(record);
            hiddenPrimaries.remove(key);
            List<LogRecord> waiting = waitingByPrimary.remove(key);
            if (waiting != null) {
                waiting.forEach(click -> tell(click, micros));
            }
            return;
        }
        long primary = text.key(LogStream.PRIMARY, record.primaryProcess(), record.primaryMicros());
        if (hiddenPrimaries.contains(primary)
                || model.isHeldBack(record.primaryProcess(), record.primaryMicros())) {
            waitingByPrimary.computeIfAbsent(primary, key -> new ArrayList<>()).add(record);
        } else {
            tell(record, micros);
        }
    }

    /** Pairs that were told of. */
    long joinable() {
        return joinable;
    }

    private void tell(LogRecord click, long micros) {
        joinable++;
        long key = keyOf(click);
        listener.joinable(
                model.process(LogStream.FOREIGN, click.process()).id(click.micros()),
                text.text(LogStream.FOREIGN, key),
                micros);
    }

    private long keyOf(LogRecord record) {
        return text.key(record.stream(), record.process(), record.micros());
    }
}
