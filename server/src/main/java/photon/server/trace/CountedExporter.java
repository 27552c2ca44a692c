package photon.server.trace;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what the collector takes, and says when it takes nothing more. Thread-safe. */
final class CountedExporter implements SpanExporter {
    private static final Logger log = LoggerFactory.getLogger(CountedExporter.class);

    private final SpanExporter collector;
    private final URI endpoint;
    private final AtomicLong handed = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong noRoom = new AtomicLong();
    private final AtomicBoolean away = new AtomicBoolean();
    private volatile boolean ended;

    CountedExporter(SpanExporter collector, URI endpoint) {
        this.collector = collector;
        this.endpoint = endpoint;
    }

    /**
     * Takes room for spans that are ended at once; false: too many wait already, and these are
     * lost.
     */
    boolean hasRoom(int spans) {
        long waiting = handed.get() - sent.get() - refused.get();
        if (waiting + spans > OtlpTraces.QUEUE_MAX) {
            noRoom.addAndGet(spans);
            return false;
        }
        handed.addAndGet(spans);
        return true;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = collector.export(spans);
        result.whenComplete(
                () -> {
                    if (result.isSuccess()) {
                        sent.addAndGet(count);
                        if (away.compareAndSet(true, false)) {
                            log.info("The collector at {} takes traces again", endpoint);
                        }
                    } else {
                        refused.addAndGet(count);
                        if (away.compareAndSet(false, true)) {
                            log.warn(
                                    "The collector at {} does not take traces, which are lost until it does: {}",
                                    endpoint,
                                    String.valueOf(result.getFailureThrowable()));
                        }
                    }
                });
        return result;
    }

    @Override
    public CompletableResultCode flush() {
        return collector.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return collector.shutdown();
    }

    long sent() {
        return sent.get();
    }

    /** Nobody waits for it any more. */
    void ended() {
        ended = true;
    }

    long lost() {
        return noRoom.get() + (ended ? handed.get() - sent.get() : refused.get());
    }
}
