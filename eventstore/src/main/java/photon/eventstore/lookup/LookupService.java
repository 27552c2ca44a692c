package photon.eventstore.lookup;

import static photon.core.error.Checks.check;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

/**
 * Serves lookups: admits or refuses at once, and hands what it admits to the loops that may wait
 * for the disk. One loop owns it.
 */
public final class LookupService implements Handler<PrimaryLookupRequest, PrimaryLookupResponse> {
    private final EventLoop loop;
    private final List<EventLoop> readers;
    private final PrimaryLookup lookup;
    private final LookupCounts counts;
    private final int keysInFlightMax;
    private final BooleanSupplier behind;
    private final BooleanSupplier allRead;
    private final LongConsumer boundaryMicros;
    private int keysInFlight;
    private int nextReader;

    /**
     * @param loop owns the counts here; answers are given in it
     * @param readers where lookups run; may be the same loop
     * @param keysInFlightMax keys admitted and not yet answered; a request that is larger by itself
     *     is admitted when nothing else is in flight
     * @param behind whether the tail is far from the logs' end; thread-safe
     * @param allRead whether what was logged until shortly before is read; thread-safe
     * @param boundaryMicros told what joiners have heard of the boundary, in the loop
     */
    public LookupService(
            EventLoop loop,
            List<EventLoop> readers,
            PrimaryLookup lookup,
            LookupCounts counts,
            int keysInFlightMax,
            BooleanSupplier behind,
            BooleanSupplier allRead,
            LongConsumer boundaryMicros) {
        check(!readers.isEmpty(), "Expected at least one reading loop, but got none");
        this.loop = loop;
        this.readers = List.copyOf(readers);
        this.lookup = lookup;
        this.counts = counts;
        this.keysInFlightMax = keysInFlightMax;
        this.behind = behind;
        this.allRead = allRead;
        this.boundaryMicros = boundaryMicros;
    }

    @Override
    public void handle(PrimaryLookupRequest request, Consumer<PrimaryLookupResponse> respond) {
        loop.checkInLoop();
        if (request.hasBoundaryMicros()) {
            boundaryMicros.accept(request.getBoundaryMicros());
        }
        // A request without keys costs something too.
        int keys = Math.max(1, request.getKeysCount());
        if (keysInFlight > 0 && keysInFlight + keys > keysInFlightMax) {
            counts.refused.add(request.getKeysCount());
            respond.accept(
                    PrimaryLookupResponse.newBuilder()
                            .setRequest(request.getRequest())
                            .setResourceExhausted(true)
                            .build());
            return;
        }
        keysInFlight += keys;
        EventLoop reader = readers.get(nextReader);
        nextReader = (nextReader + 1) % readers.size();
        reader.execute(
                () -> {
                    PrimaryLookupResponse answer = answer(request);
                    loop.execute(
                            () -> {
                                keysInFlight -= keys;
                                respond.accept(answer);
                            });
                });
    }

    private PrimaryLookupResponse answer(PrimaryLookupRequest request) {
        // Before the index is asked: it may have got more since, never less.
        boolean read = allRead.getAsBoolean();
        PrimaryLookup.Answer found = lookup.find(request.getKeysList());
        return PrimaryLookupResponse.newBuilder()
                .setRequest(request.getRequest())
                .setBehind(behind.getAsBoolean())
                .setAllRead(read && found.whole())
                .addAllResults(found.results())
                .build();
    }
}
