package photon.idregistry.server.groups;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;

/** A log of one replica: applies at once, or leaves the outcome unknown on demand. */
public final class FakeLog implements ReplicatedLog {
    public final List<byte[]> entries = new ArrayList<>();
    public final ReplicatedState state;
    public boolean leads = true;
    public boolean caughtUp = true;

    /** With it the replica is no member any more. */
    public boolean retired;

    /** How often its state was read. */
    public int reads;

    /** With it every submit is applied, and its answer lost. */
    public boolean losesAnswers;

    /** With it a submit is never answered. */
    public boolean silent;

    private long index;

    public FakeLog(ReplicatedState state) {
        this.state = state;
    }

    @Override
    public boolean leads() {
        return leads;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] entry) {
        if (!leads) {
            return CompletableFuture.failedFuture(new NotSubmittedException("does not lead"));
        }
        entries.add(entry);
        byte[] result = state.apply(++index, ByteBuffer.wrap(entry));
        if (silent) {
            return new CompletableFuture<>();
        }
        return losesAnswers
                ? CompletableFuture.failedFuture(new IllegalStateException("stepped down"))
                : CompletableFuture.completedFuture(result);
    }

    /** As a group whose leader serves at {@code hint}. */
    public static <S extends ReplicatedState> Group<S> group(
            FakeLog log, Class<S> type, String hint, @Nullable Throwable barrierFails) {
        return new Group<>() {
            @Override
            public ReplicatedLog log() {
                return log;
            }

            @Override
            public String leader() {
                return hint;
            }

            @Override
            public boolean caughtUp() {
                return log.caughtUp && !log.retired;
            }

            @Override
            public boolean replayed() {
                return log.caughtUp;
            }

            @Override
            public <T extends @Nullable Object> T read(java.util.function.Function<S, T> reader) {
                log.reads++;
                return reader.apply(type.cast(log.state));
            }

            @Override
            public CompletableFuture<Void> readBarrier() {
                return barrierFails == null
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(barrierFails);
            }
        };
    }
}
