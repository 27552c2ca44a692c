package photon.joiner.adapters;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.adapter.Adapter;
import photon.adapter.AdapterApi;
import photon.core.error.IoText;
import photon.proto.v1.Event;

/**
 * Calls a user's adapter. Whatever that throws is a passing trouble of this one event, unless the
 * virtual machine itself is broken.
 */
final class UserAdapter implements PairAdapter {
    private static final Logger log = LoggerFactory.getLogger(UserAdapter.class);

    private final Adapter adapter;
    private final HostContext context;
    private final AdapterFingerprint fingerprint;
    private final AdapterClasses classes;

    UserAdapter(
            Adapter adapter,
            HostContext context,
            AdapterFingerprint fingerprint,
            AdapterClasses classes) {
        this.adapter = adapter;
        this.context = context;
        this.fingerprint = fingerprint;
        this.classes = classes;
    }

    @Override
    public AdapterDecision join(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return decision(
                foreign,
                result ->
                        adapter.join(
                                new JsonSourceEvent(foreign, foreignMicros),
                                new JsonSourceEvent(primary, primaryMicros),
                                result));
    }

    @Override
    public AdapterDecision unmatched(Event foreign, long foreignMicros) {
        return decision(
                foreign,
                result -> adapter.unmatched(new JsonSourceEvent(foreign, foreignMicros), result));
    }

    @Override
    public AdapterDecision upgrade(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return decision(
                foreign,
                result ->
                        adapter.upgrade(
                                new JsonSourceEvent(foreign, foreignMicros),
                                new JsonSourceEvent(primary, primaryMicros),
                                result));
    }

    @Override
    public boolean takesUnmatched() {
        return AdapterApi.takesUnmatched(adapter);
    }

    private AdapterDecision decision(Event foreign, Consumer<Adapter.Result> call) {
        RecordedResult result = new RecordedResult();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Libraries that find their parts by the thread's loader must find the adapter's.
        thread.setContextClassLoader(classes.loader());
        try {
            call.accept(result);
            return result.decision();
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError broken && !(e instanceof StackOverflowError)) {
                throw broken;
            }
            log.debug("Adapter failed at {}", foreign.getIdText(), e);
            return new AdapterDecision.Retry("adapter threw " + e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public boolean runsInline() {
        return false;
    }

    @Override
    public AdapterFingerprint fingerprint() {
        return fingerprint;
    }

    @Override
    public List<AdapterFigure> figures() {
        return context.figures();
    }

    @Override
    public void close() {
        try {
            classes.within(
                    () -> {
                        adapter.close();
                        return true;
                    });
        } catch (RuntimeException | LinkageError e) {
            log.warn("The adapter {} failed to close", fingerprint.adapterClass(), e);
        }
        try {
            classes.close();
        } catch (IOException e) {
            log.warn(
                    "The jars of {} cannot be closed: {}",
                    fingerprint.adapterClass(),
                    IoText.of(e));
        }
    }
}
