package photon.joiner.adapters;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.adapter.Adapter;
import photon.proto.v1.Event;

/**
 * Calls a user's adapter. Whatever that throws is a passing trouble of this one event, unless the
 * virtual machine itself is broken.
 */
final class UserAdapter implements PairAdapter {
    private static final Logger log = LoggerFactory.getLogger(UserAdapter.class);

    private final Adapter adapter;

    UserAdapter(Adapter adapter) {
        this.adapter = adapter;
    }

    @Override
    public AdapterDecision join(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        RecordedResult result = new RecordedResult();
        try {
            adapter.join(
                    new JsonSourceEvent(foreign, foreignMicros),
                    new JsonSourceEvent(primary, primaryMicros),
                    result);
            return result.decision();
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError broken && !(e instanceof StackOverflowError)) {
                throw broken;
            }
            log.debug("Adapter failed at {}", foreign.getIdText(), e);
            return new AdapterDecision.Retry("adapter threw " + e);
        }
    }

    @Override
    public boolean runsInline() {
        return false;
    }
}
