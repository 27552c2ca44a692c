package photon.dispatcher.flow;

import java.util.ArrayDeque;
import java.util.List;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.dispatcher.rules.JoinerChoice;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;

/**
 * Shares events out among the datacenter's joiners, a message at a time. What one did not answer
 * before its session broke goes to whichever can take it, ahead of all others. An attempt that is
 * open at one joiner and made again at another is as safe as one made twice at the same: one token
 * holds the id, the other attempt is told so, and what the holder does not write its repair finds
 * (docs/protocol.md sections 3 and 6). Main loop.
 */
final class JoinerLinks {
    private final List<JoinerLink> links;
    private final EventLoop loop;
    private final Counters counters;
    private final JoinerChoice choice = new JoinerChoice();
    private final ArrayDeque<PendingEvent> waiting = new ArrayDeque<>();

    /**
     * @param joiners at least one
     * @param settings of which each joiner has a pace of its own
     */
    JoinerLinks(
            List<SessionCaller<JoinRequest, JoinResponse>> joiners,
            EventLoop loop,
            FlowSettings settings,
            Counters counters,
            JoinerLink.Answers answers) {
        this.loop = loop;
        this.counters = counters;
        this.links =
                joiners.stream()
                        .map(
                                joiner ->
                                        new JoinerLink(
                                                joiner,
                                                loop,
                                                settings.pace(),
                                                settings.tracer(),
                                                waiting,
                                                answers))
                        .toList();
    }

    /**
     * To be sent as soon as a joiner may be sent to. The caller bounds how many are on their way.
     */
    void add(PendingEvent pending) {
        waiting.add(pending);
    }

    void flush() {
        while (!waiting.isEmpty()) {
            JoinerChoice.Choice next = choice.next(states());
            if (next.index() < 0) {
                return;
            }
            counters.sent += links.get(next.index()).send(next.eventsMax());
        }
    }

    private List<JoinerChoice.State> states() {
        long nanoTime = loop.nanoTime();
        return links.stream().map(link -> link.state(nanoTime)).toList();
    }

    /** Whether what is added now is sent without waiting for the end of a pause. */
    boolean anyReady() {
        return pauseLeftNanos() == 0;
    }

    /** How long nothing can be sent; -1 if there is nothing to send. */
    long pauseNanos() {
        return waiting.isEmpty() ? -1 : pauseLeftNanos();
    }

    private long pauseLeftNanos() {
        long nanoTime = loop.nanoTime();
        return links.stream().mapToLong(link -> link.pauseNanos(nanoTime)).min().orElse(0);
    }

    /** Ends the sessions; what was not answered stays unsettled. */
    void close() {
        links.forEach(JoinerLink::close);
    }
}
