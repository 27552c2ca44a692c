package photon.core.rpc;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;

/**
 * Requests that have one answer each over one session, opened anew by the next request after it
 * broke. Used in the loop.
 *
 * @param <Q> request
 * @param <R> answer
 */
public final class StreamCaller<Q, R> implements Caller<Q, R>, SessionCaller.Listener<R> {
    private final EventLoop loop;
    private final SessionCaller<Q, R> sessions;
    private final Duration deadline;
    private final GrpcChannels.Numbering<Q, R> numbering;
    private final Map<Long, Waiting<R>> waiting = new HashMap<>();
    private SessionCaller.@Nullable Session<Q> session;
    private long lastNumber;

    /** Messages that ever came back. */
    private long heard;

    public StreamCaller(
            EventLoop loop,
            SessionCaller<Q, R> sessions,
            Duration deadline,
            GrpcChannels.Numbering<Q, R> numbering) {
        this.loop = loop;
        this.sessions = sessions;
        this.deadline = deadline;
        this.numbering = numbering;
    }

    @Override
    public void call(Q request, Reply<R> reply) {
        loop.checkInLoop();
        if (session == null) {
            session = sessions.open(this);
        }
        long number = ++lastNumber;
        EventLoop.Cancellable timer = loop.schedule(deadline, () -> timedOut(number));
        waiting.put(number, new Waiting<>(reply, timer, heard));
        session.send(numbering.numbered().with(request, number));
    }

    /**
     * A peer that said nothing since is given up with its stream: what more was sent to it would
     * pile up here, and be carried out long after its sender has gone elsewhere.
     */
    private void timedOut(long number) {
        Waiting<R> late = waiting.get(number);
        if (late == null) {
            return;
        }
        String why = "no answer within " + deadline;
        if (late.heardBefore() == heard && session != null) {
            session.close();
            broken(why);
        } else {
            waiting.remove(number);
            late.reply().broken(why);
        }
    }

    @Override
    public void received(R message) {
        heard++;
        Waiting<R> answered = waiting.remove(numbering.numberOf().applyAsLong(message));
        if (answered != null) {
            answered.timer().cancel();
            answered.reply().answered(message);
        }
    }

    @Override
    public void broken(String why) {
        session = null;
        Map<Long, Waiting<R>> lost = new TreeMap<>(waiting);
        waiting.clear();
        lost.values()
                .forEach(
                        w -> {
                            w.timer().cancel();
                            w.reply().broken(why);
                        });
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
            broken("closed by the caller");
        }
    }

    /**
     * @param heardBefore messages that had come back when it was sent
     */
    private record Waiting<R>(Reply<R> reply, EventLoop.Cancellable timer, long heardBefore) {}
}
