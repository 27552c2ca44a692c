package photon.joiner.adapters.remote;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.ToAdapter;

/** A session in which a test says every message, and sees every one. For one thread. */
final class RawSession implements AutoCloseable {
    private final ManagedChannel channel;
    private final Duration patience;
    private final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final StreamObserver<ToAdapter> out;

    private RawSession(ManagedChannel channel, Duration patience) {
        this.channel = channel;
        this.patience = patience;
        this.out = AdapterGrpc.newStub(channel).join(new Incoming());
    }

    static RawSession open(Endpoint endpoint, Duration patience) throws BrokenException {
        try {
            endpoint.ready().get(RemoteInstance.GREETING_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return new RawSession(endpoint.channel(), patience);
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokenException("it is away: " + e.getMessage());
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static BrokenException interrupted() {
        Thread.currentThread().interrupt();
        return new BrokenException("the test was interrupted");
    }

    /**
     * A message, or the end of the session.
     *
     * @param broken why; empty: the adapter ended it well
     */
    private record Heard(@Nullable FromAdapter message, String broken) {}

    private final class Incoming implements StreamObserver<FromAdapter> {
        @Override
        public void onNext(FromAdapter message) {
            heard.add(new Heard(message, ""));
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            heard.add(
                    new Heard(
                            null,
                            "the session broke: %s %s"
                                    .formatted(
                                            status.getCode(),
                                            status.getDescription() == null
                                                    ? ""
                                                    : status.getDescription())));
        }

        @Override
        public void onCompleted() {
            heard.add(new Heard(null, ""));
        }
    }

    private Heard next() throws BrokenException {
        try {
            Heard next = heard.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new BrokenException("it gave no answer within " + DurationText.of(patience));
            }
            return next;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private FromAdapter message() throws BrokenException {
        Heard next = next();
        FromAdapter message = next.message();
        if (message == null) {
            throw new BrokenException(
                    next.broken().isEmpty() ? "it ended the session" : next.broken());
        }
        return message;
    }

    FromAdapter answerTo(Hello hello) throws BrokenException {
        out.onNext(ToAdapter.newBuilder().setHello(hello).build());
        return message();
    }

    void greet(Hello hello) throws BrokenException {
        FromAdapter answer = answerTo(hello);
        if (!answer.hasWelcome()) {
            throw new BrokenException(
                    "expected a Welcome for a Hello, but got "
                            + answer.getMessageCase().name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    void send(Batch batch) {
        out.onNext(ToAdapter.newBuilder().setBatch(batch).build());
    }

    /** This many pairs, with the ids from 1 on. */
    Map<Long, Answer> answers(int count) throws BrokenException {
        Map<Long, Answer> answers = new HashMap<>();
        while (answers.size() < count) {
            FromAdapter message = message();
            if (!message.hasAnswers()) {
                throw new BrokenException("expected answers, but got " + message.getMessageCase());
            }
            for (Answer answer : message.getAnswers().getAnswersList()) {
                boolean asked = answer.getId() >= 1 && answer.getId() <= count;
                if (!asked || answers.put(answer.getId(), answer) != null) {
                    throw new BrokenException(
                            "it answered the id %s, which was not asked for or has its answer"
                                    .formatted(Long.toUnsignedString(answer.getId())));
                }
            }
        }
        return answers;
    }

    /** Ends Photon's side; whether the adapter then ends its own. */
    boolean endsAfterEnd() throws BrokenException {
        out.onCompleted();
        try {
            @Nullable Heard next = heard.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            return next != null && next.message() == null;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Breaks it off. */
    @Override
    public void close() {
        channel.shutdownNow();
    }

    /** The adapter did not do what it must. */
    static final class BrokenException extends Exception {
        private static final long serialVersionUID = 1;

        BrokenException(String problem) {
            super(problem);
        }
    }
}
