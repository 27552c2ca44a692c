package photon.joiner.service;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionHandler;
import photon.joiner.incarnation.Incarnations;
import photon.joiner.rules.AdmissionControl;
import photon.joiner.rules.Attempt;
import photon.joiner.task.CoalescedTask;
import photon.joiner.task.JoinTask;
import photon.joiner.task.JoinTraces;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;
import photon.proto.v1.JoinResult.Status;

/**
 * Takes events from dispatchers, or refuses them at once, and gathers the answers: one message a
 * session and turn of the loop.
 */
public final class JoinService implements SessionHandler<JoinRequest, JoinResponse> {
    private final Incarnations incarnations;
    private final AdmissionControl admission;
    private final JoinTraces traces;
    private final CrashPoints crashPoints;
    private final Runnable beforeAnswers;
    private final CoalescedTask turn;
    private Set<JoinSession> withAnswers = new LinkedHashSet<>();

    /**
     * @param beforeAnswers run before answers go out: what they tell must be in the status by then
     */
    public JoinService(
            EventLoop loop,
            Incarnations incarnations,
            AdmissionControl admission,
            JoinTraces traces,
            CrashPoints crashPoints,
            Runnable beforeAnswers) {
        this.incarnations = incarnations;
        this.admission = admission;
        this.traces = traces;
        this.crashPoints = crashPoints;
        this.beforeAnswers = beforeAnswers;
        this.turn = new CoalescedTask(loop, this::sendAnswers);
    }

    @Override
    public Session<JoinRequest> opened(Consumer<JoinResponse> out) {
        return new JoinSession(out);
    }

    private void sendAnswers() {
        beforeAnswers.run();
        Set<JoinSession> sessions = withAnswers;
        withAnswers = new LinkedHashSet<>();
        boolean anyJoined = false;
        for (JoinSession session : sessions) {
            anyJoined |= session.send();
        }
        if (anyJoined) {
            crashPoints.passed(CrashPoint.ANSWERED);
        }
    }

    private final class JoinSession implements Session<JoinRequest>, Attempt.Asker {
        private final Consumer<JoinResponse> out;
        private JoinResponse.Builder answers = JoinResponse.newBuilder();
        private boolean joined;
        private boolean closed;

        JoinSession(Consumer<JoinResponse> out) {
            this.out = out;
        }

        @Override
        public void received(JoinRequest request) {
            for (JoinItem item : request.getItemsList()) {
                receive(item);
            }
        }

        private void receive(JoinItem item) {
            JoinTask line = incarnations.admitting();
            if (line == null) {
                answer(
                        item.getNumber(),
                        Status.RETRY_ALL,
                        "joiner does not serve: " + incarnations.state());
                return;
            }
            Attempt attempt = attempt(item);
            if (attempt == null) {
                answer(
                        item.getNumber(),
                        Status.REJECTED,
                        "malformed item; expected an event id of 28 bytes with a timestamp from"
                                + " 1970 on, and no lost token or one of 16 bytes");
            } else if (!admission.admit(attempt.weight())) {
                answer(item.getNumber(), Status.RESOURCE_EXHAUSTED, "too much is in flight");
            } else {
                traces.began(attempt, item.getTraceSpan(), item.getRetried());
                line.join(attempt);
            }
        }

        /** Null: it came malformed over the wire, which is the sender's bug, not ours. */
        private @Nullable Attempt attempt(JoinItem item) {
            ByteString id = item.getEvent().getId();
            ByteString lost = item.getLostToken();
            if (id.size() != EventId.BYTES || id.byteAt(0) < 0) {
                return null;
            }
            if (!lost.isEmpty() && !isToken(lost)) {
                return null;
            }
            if (item.getJoinedWithout()) {
                return Attempt.watching(this, item.getNumber(), item.getEvent(), EventId.read(id));
            }
            return new Attempt(
                    this,
                    item.getNumber(),
                    item.getEvent(),
                    EventId.read(id),
                    lost.isEmpty() ? null : CommitToken.read(lost.asReadOnlyByteBuffer()),
                    item.getAttemptOpen());
        }

        private boolean isToken(ByteString packed) {
            if (packed.size() != CommitToken.BYTES) {
                return false;
            }
            ByteBuffer bytes = packed.asReadOnlyByteBuffer();
            int slot = bytes.getInt();
            int generation = bytes.getInt();
            return slot > 0 && generation > 0;
        }

        @Override
        public void answer(long number, Status status, String reason) {
            if (closed) {
                return;
            }
            answers.addResults(
                    JoinResult.newBuilder().setNumber(number).setStatus(status).setReason(reason));
            joined |= status == Status.JOINED;
            withAnswers.add(this);
            turn.ask();
        }

        /** True if there was a joined event among the answers. */
        boolean send() {
            boolean anyJoined = joined;
            if (!closed) {
                out.accept(answers.build());
            }
            answers = JoinResponse.newBuilder();
            joined = false;
            return anyJoined;
        }

        @Override
        public void closed() {
            // Its attempts go on: their commits may be accepted already.
            closed = true;
        }
    }
}
