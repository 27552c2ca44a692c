package photon.idregistry.server.groups;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.error.Failures;
import photon.core.loop.EventLoop;
import photon.idregistry.replicated.ReplicatedLog;
import photon.proto.v1.Progress;

/**
 * Requests to one group that are an entry, or a read barrier, each: few, and never merged. Used in
 * the server's loop, where it answers too. What Ratis has not answered definitely is UNKNOWN
 * (docs/protocol.md section 3).
 */
public final class DirectEntries {
    /** Far below what the log itself takes, which it shares with the commits. */
    static final int IN_FLIGHT_MAX = 256;

    private final EventLoop loop;
    private final ReplicatedLog log;
    private int inFlight;

    DirectEntries(EventLoop loop, ReplicatedLog log) {
        this.loop = loop;
        this.log = log;
    }

    /** What was begun and has not ended. */
    public int inFlight() {
        return inFlight;
    }

    /**
     * Submits an entry once. One of the two is told, once.
     *
     * @param refused hears NOT_LEADER or RESOURCE_EXHAUSTED if nothing happened, else UNKNOWN
     */
    public void submit(byte[] entry, Consumer<byte[]> applied, Consumer<Progress> refused) {
        if (!log.leads()) {
            refused.accept(Progress.NOT_LEADER);
            return;
        }
        await(() -> log.submit(entry), applied, refused);
    }

    /**
     * Waits for something of the group that ends by itself.
     *
     * @param refused as in {@link #submit}
     */
    public <T extends @Nullable Object> void await(
            Supplier<CompletableFuture<T>> begin, Consumer<T> done, Consumer<Progress> refused) {
        loop.checkInLoop();
        if (inFlight >= IN_FLIGHT_MAX) {
            refused.accept(Progress.RESOURCE_EXHAUSTED);
            return;
        }
        inFlight++;
        begin.get()
                .whenComplete(
                        (result, failure) ->
                                loop.execute(
                                        () -> {
                                            inFlight--;
                                            if (failure == null) {
                                                done.accept(result);
                                            } else {
                                                refused.accept(progressOf(failure));
                                            }
                                        }));
    }

    private static Progress progressOf(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        return cause instanceof ReplicatedLog.NotSubmittedException
                ? Progress.NOT_LEADER
                : Progress.UNKNOWN;
    }
}
