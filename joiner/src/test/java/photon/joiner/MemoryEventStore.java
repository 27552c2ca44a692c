package photon.joiner;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.task.EventStores;
import photon.proto.v1.Event;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;
import photon.proto.v1.PrimaryLookupResponse.Status;

/** An event store that has every page, but for those that are missing. */
public final class MemoryEventStore implements Caller<PrimaryLookupRequest, PrimaryLookupResponse> {
    /** How a request ends. */
    public enum Mode {
        ANSWER,
        BREAK,
        REFUSE,
        SHORT,
        /** Keeps it until {@link #answerHeld}. */
        HOLD
    }

    private final EventLoop loop;
    public final Set<ByteString> missing = new HashSet<>();
    public boolean allRead = true;
    public boolean behind;

    /** Of each primary event; 0: the usual one. */
    public int jsonBytes;

    public StoreShare share = StoreShare.WHOLE;
    public Supplier<Mode> mode = () -> Mode.ANSWER;
    public final ArrayDeque<Runnable> held = new ArrayDeque<>();
    public int requests;

    /** That came with the last request; empty: none did. */
    public OptionalLong boundaryMicros = OptionalLong.empty();

    public MemoryEventStore(EventLoop loop) {
        this.loop = loop;
    }

    /** The stores of a datacenter that has no other. */
    EventStores alone() {
        return new EventStores(
                new StoreRoutes(EventStoreShares.ofOne("eventstore-0")), List.of(this));
    }

    @Override
    public void call(PrimaryLookupRequest request, Reply<PrimaryLookupResponse> reply) {
        requests++;
        boundaryMicros =
                request.hasBoundaryMicros()
                        ? OptionalLong.of(request.getBoundaryMicros())
                        : OptionalLong.empty();
        PrimaryLookupResponse.Builder answer = PrimaryLookupResponse.newBuilder();
        switch (mode.get()) {
            case ANSWER -> loop.execute(() -> reply.answered(lookUp(request)));
            case HOLD -> held.add(() -> reply.answered(lookUp(request)));
            case BREAK -> loop.execute(() -> reply.broken("connection lost"));
            case REFUSE ->
                    loop.execute(() -> reply.answered(answer.setResourceExhausted(true).build()));
            case SHORT -> loop.execute(() -> reply.answered(answer.build()));
        }
    }

    private PrimaryLookupResponse lookUp(PrimaryLookupRequest request) {
        PrimaryLookupResponse.Builder answer = PrimaryLookupResponse.newBuilder();
        answer.setAllRead(allRead).setBehind(behind);
        for (ByteString key : request.getKeysList()) {
            PrimaryLookupResponse.Result.Builder result = answer.addResultsBuilder();
            if (!share.holds(key)) {
                result.setStatus(Status.NOT_YET).setElsewhere(true);
            } else if (missing.contains(key)) {
                result.setStatus(Status.NOT_YET);
            } else {
                result.setStatus(Status.FOUND).setPrimary(primary(key));
            }
        }
        return answer.build();
    }

    private Event primary(ByteString key) {
        Event usual = Events.primary(key);
        return jsonBytes == 0
                ? usual
                : usual.toBuilder()
                        .setJson(
                                ByteString.copyFromUtf8(
                                        "{\"page\":\"" + "x".repeat(jsonBytes) + "\"}"))
                        .build();
    }

    public void answerHeld() {
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    @Override
    public void close() {}
}
