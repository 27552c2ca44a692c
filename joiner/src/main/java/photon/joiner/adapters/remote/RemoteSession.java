package photon.joiner.adapters.remote;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.joiner.adapters.AdapterDecision;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.ToAdapter;
import photon.proto.adapter.v1.Welcome;
import photon.storage.output.WorkRecord.JoinedEvent;

/**
 * One stream to an adapter, from the greeting to the first trouble, which ends it: every pair gets
 * one decision at most, whatever the adapter says. Thread-safe.
 */
final class RemoteSession {
    private static final Logger log = LoggerFactory.getLogger(RemoteSession.class);
    private static final int LATE_MAX = 10_000;

    /** Of a message from the adapter. */
    static final int MESSAGE_BYTES_MAX = 32 << 20;

    /**
     * More than one pair is sent in a message up to this size only: a gRPC server with its usual
     * settings takes no message above 4 MiB.
     */
    private static final int BATCH_BYTES_MAX = 3 << 20;

    private final String name;
    private final ManagedChannel channel;
    private final StreamObserver<ToAdapter> out;
    private final CompletableFuture<Welcome> welcome = new CompletableFuture<>();
    private final Map<Long, Waiting> waiting = new HashMap<>();

    /** Asked for, and given up: an answer may still come. */
    private final Set<Long> late = new HashSet<>();

    private long lastId;

    /** Answers of this session, those that came late included. */
    private long answers;

    private @Nullable String ended;
    private boolean lied;

    /**
     * @param channel of its own, which ends with it
     * @param name of the adapter, for messages
     */
    RemoteSession(ManagedChannel channel, String name, Hello hello) {
        this.name = name;
        this.channel = channel;
        this.out = AdapterGrpc.newStub(channel).join(new Incoming());
        send(ToAdapter.newBuilder().setHello(hello).build());
    }

    private record Waiting(RemoteBatch batch, int index) {}

    private final class Incoming implements StreamObserver<FromAdapter> {
        @Override
        public void onNext(FromAdapter message) {
            received(message);
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            end(
                    "the session broke: %s%s"
                            .formatted(
                                    status.getCode(),
                                    status.getDescription() == null
                                            ? ""
                                            : ": " + status.getDescription()));
        }

        @Override
        public void onCompleted() {
            end("it ended the session");
        }
    }

    /**
     * Completed by the adapter's greeting, or exceptionally: by {@link ConfigException} if it
     * refuses, otherwise because the session has ended.
     */
    CompletableFuture<Welcome> welcome() {
        return welcome;
    }

    /** Why it has; empty: it has not. */
    synchronized Optional<String> ended() {
        return Optional.ofNullable(ended);
    }

    /** True if it ended because the adapter broke the protocol. */
    synchronized boolean lied() {
        return lied;
    }

    private synchronized void send(ToAdapter message) {
        if (ended == null) {
            out.onNext(message);
        }
    }

    /** Every pair gets its decision, or the batch fails. */
    void ask(List<Pair.Builder> pairs, RemoteBatch batch, Duration timeout) {
        synchronized (this) {
            if (ended != null) {
                batch.fail(name + ": " + ended);
                return;
            }
            batch.asked(answers);
            Batch.Builder message = Batch.newBuilder().setTimeoutMillis((int) timeout.toMillis());
            long bytes = 0;
            for (int i = 0; i < pairs.size(); i++) {
                long id = ++lastId;
                waiting.put(id, new Waiting(batch, i));
                Pair pair = pairs.get(i).setId(id).build();
                bytes += pair.getSerializedSize();
                if (bytes > BATCH_BYTES_MAX && message.getPairsCount() > 0) {
                    out.onNext(ToAdapter.newBuilder().setBatch(message).build());
                    message.clearPairs();
                    bytes = pair.getSerializedSize();
                }
                message.addPairs(pair);
            }
            out.onNext(ToAdapter.newBuilder().setBatch(message).build());
        }
    }

    /**
     * Whether an adapter that is slow is at this batch, or comes to it by and by: it has answered a
     * pair of it since the last look, or, while it has answered none, any pair. To be asked once a
     * timeout.
     */
    synchronized boolean goesOn(RemoteBatch batch) {
        return batch.look(answers);
    }

    /**
     * Nobody waits for the rest of the batch any more. The adapter is taken to hang if it has
     * answered none of it, and nothing else since the last look.
     *
     * @return true: it is taken to hang, and the session has ended
     */
    boolean giveUp(RemoteBatch batch, String why) {
        boolean hangs;
        synchronized (this) {
            waiting.entrySet()
                    .removeIf(
                            entry -> {
                                boolean of = entry.getValue().batch() == batch;
                                if (of) {
                                    late.add(entry.getKey());
                                }
                                return of;
                            });
            hangs = batch.isSilent() || late.size() > LATE_MAX;
        }
        batch.fail(name + ": " + why);
        return hangs && end(why);
    }

    private void received(FromAdapter message) {
        String lie = null;
        synchronized (this) {
            if (ended == null) {
                lie = take(message);
            }
        }
        if (lie != null) {
            log.error(
                    "The adapter {} breaks the protocol: {}. The session ends, and every pair in it is asked for again",
                    name,
                    lie);
            synchronized (this) {
                lied = true;
            }
            end("it broke the protocol: " + lie);
        }
    }

    /** What is wrong with it; null: nothing. */
    private @Nullable String take(FromAdapter message) {
        switch (message.getMessageCase()) {
            case WELCOME:
                return welcome.complete(message.getWelcome()) ? null : "it greets twice";
            case REFUSAL:
                List<String> problems = message.getRefusal().getProblemsList();
                welcome.completeExceptionally(
                        new ConfigException(
                                problems.isEmpty()
                                        ? List.of("adapter.options: " + name + " refused them")
                                        : problems.stream()
                                                .map(one -> "adapter.options: " + name + ": " + one)
                                                .toList()));
                return null;
            case ANSWERS:
                for (Answer answer : message.getAnswers().getAnswersList()) {
                    String lie = take(answer);
                    if (lie != null) {
                        return lie;
                    }
                }
                return null;
            default:
                return "it sent a message of no known kind";
        }
    }

    private @Nullable String take(Answer answer) {
        if (late.remove(answer.getId())) {
            answers++;
            return null;
        }
        Waiting pair = waiting.get(answer.getId());
        if (pair == null) {
            return "it answered the id %s, which was not asked for or has its answer"
                    .formatted(Long.toUnsignedString(answer.getId()));
        }
        AdapterDecision decision = decision(answer);
        if (decision == null) {
            return "its answer to the id %s has no decision, or emits no event"
                    .formatted(answer.getId());
        }
        waiting.remove(answer.getId());
        answers++;
        pair.batch().decide(pair.index(), decision);
        return null;
    }

    private static @Nullable AdapterDecision decision(Answer answer) {
        return switch (answer.getDecisionCase()) {
            case EMIT ->
                    answer.getEmit().getEventsCount() == 0
                            ? null
                            : new AdapterDecision.Emit(
                                    answer.getEmit().getEventsList().stream()
                                            .map(e -> new JoinedEvent(e.getOutput(), e.getJson()))
                                            .toList());
            case SKIP -> new AdapterDecision.Skip(answer.getSkip());
            case RETRY -> new AdapterDecision.Retry(answer.getRetry());
            case REJECT -> new AdapterDecision.Reject(answer.getReject());
            case DECISION_NOT_SET -> null;
        };
    }

    /**
     * Nothing that comes counts any more.
     *
     * @return false: it had ended already
     */
    @CanIgnoreReturnValue
    boolean end(String why) {
        Set<RemoteBatch> left = new HashSet<>();
        synchronized (this) {
            if (ended != null) {
                return false;
            }
            ended = why;
            waiting.values().forEach(pair -> left.add(pair.batch()));
            waiting.clear();
        }
        left.forEach(batch -> batch.fail(name + ": " + why));
        welcome.completeExceptionally(new SessionEndedException(why));
        channel.shutdownNow();
        return true;
    }

    /** It ended before the greeting. */
    static final class SessionEndedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SessionEndedException(String why) {
            super(why);
        }
    }
}
