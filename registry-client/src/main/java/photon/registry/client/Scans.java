package photon.registry.client;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.error.Failures;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.registry.api.CommitBatch;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.IdRegistry.PageReader;
import photon.registry.api.IdRegistry.Scan;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ShardMap;

/**
 * Scans: page after page, shard after shard. A page that the reader has not taken is the only one
 * that is held or asked for. Used in the loop.
 */
final class Scans {
    static final int PAGE_MAX = 8_192;

    private final Asking asking;
    private final UUID pipeline;
    private final Nearest nearest;
    private final MapRenewal renewal;
    private final Supplier<ShardMap> map;

    /** In the order in which they began. */
    private final Set<Running> running = new LinkedHashSet<>();

    Scans(
            Asking asking,
            UUID pipeline,
            Nearest nearest,
            MapRenewal renewal,
            Supplier<ShardMap> map) {
        this.asking = asking;
        this.pipeline = pipeline;
        this.renewal = renewal;
        this.map = map;
        this.nearest = nearest;
    }

    /**
     * @param result completed in the loop
     */
    void begin(Scan what, PageReader reader, Duration pageTimeout, CompletableFuture<Long> result) {
        Running scan = new Running(what, reader, pageTimeout, result);
        running.add(scan);
        scan.begin();
    }

    /** All that run fail. */
    void close() {
        Set.copyOf(running)
                .forEach(
                        scan ->
                                scan.fail(
                                        new RegistryUnavailableException("The client is closed")));
    }

    private final class Running {
        private final Scan what;
        private final PageReader reader;
        private final Duration pageTimeout;
        private final CompletableFuture<Long> result;
        private List<Shard> shards = List.of();
        private int nextShard;
        private long count;

        /** Of the shard that is read: no replica that is behind it gives the next page. */
        private long minIndex;

        Running(
                Scan what,
                PageReader reader,
                Duration pageTimeout,
                CompletableFuture<Long> result) {
            this.what = what;
            this.reader = reader;
            this.pageTimeout = pageTimeout;
            this.result = result;
        }

        /** Ids of an epoch that this client has not heard of are wanted too. */
        void begin() {
            EventLoop.Cancellable giveUp = giveUpLater("told the shard map");
            renewal.now(
                    result::isDone,
                    () -> {
                        giveUp.cancel();
                        if (!result.isDone()) {
                            shards = map.get().shardsWithin(what.fromMicros(), what.toMicros());
                            nextShard();
                        }
                    });
        }

        private EventLoop.Cancellable giveUpLater(String undone) {
            return asking.loop.schedule(
                    pageTimeout,
                    () ->
                            fail(
                                    new RegistryUnavailableException(
                                            "No registry server %s within %s"
                                                    .formatted(undone, pageTimeout))));
        }

        private void nextShard() {
            if (nextShard == shards.size()) {
                end();
                return;
            }
            Shard shard = shards.get(nextShard++);
            minIndex = 0;
            ask(shard, ByteString.EMPTY, page -> took(shard, page));
        }

        private void end() {
            running.remove(this);
            result.complete(count);
        }

        void fail(Throwable why) {
            running.remove(this);
            result.completeExceptionally(why);
        }

        private void ask(Shard shard, ByteString after, Consumer<ScanResponse> then) {
            EventLoop.Cancellable giveUp = giveUpLater("gave a page of " + shard);
            nearest.ask(
                    new Nearest.Question<>(
                            RegistryTransport.Server::scan,
                            request(shard, after),
                            result::isDone,
                            answer -> answer.getProgress() == Progress.DECIDED,
                            answer -> {
                                giveUp.cancel();
                                then.accept(answer);
                            }));
        }

        private ScanRequest request(Shard shard, ByteString after) {
            ScanRequest.Builder request =
                    ScanRequest.newBuilder()
                            .setShard(RegistryProtos.shardRef(pipeline, shard))
                            .setMinIndex(minIndex)
                            .setAfter(after)
                            .setLimit(PAGE_MAX)
                            .setMayBePartial(true)
                            .setFromMicros(what.fromMicros())
                            .setToMicros(what.toMicros())
                            .setLinearizable(
                                    what.freshness() == Freshness.LINEARIZABLE && after.isEmpty());
            if (what.incarnation() != null) {
                // What is held now, of whatever registry it was restored from.
                request.setLife(Integer.MAX_VALUE);
                request.setIncarnation(RegistryProtos.incarnation(what.incarnation()));
            }
            return request.build();
        }

        private void took(Shard shard, ScanResponse page) {
            minIndex = Math.max(minIndex, page.getIndex());
            if (!page.getResumeAfter().isEmpty()) {
                // Nothing was found as far as that, and no server looks on without end.
                ask(shard, page.getResumeAfter(), further -> took(shard, further));
                return;
            }
            if (page.getIds().isEmpty()) {
                nextShard();
                return;
            }
            IdBatch ids = IdBatch.ofPacked(page.getIds().toByteArray());
            CommitBatch held = CommitBatch.of(ids, page.getTokens().toByteArray());
            count += held.size();
            Runnable goOn = next(shard, page);
            CompletableFuture<Boolean> read;
            try {
                read = reader.read(held).toCompletableFuture();
            } catch (RuntimeException | Error e) {
                read = CompletableFuture.failedFuture(e);
            }
            read.whenComplete((more, failure) -> asking.soon(() -> readOn(more, failure, goOn)));
        }

        /**
         * Asks for what comes behind a page, at once if it is of the same shard.
         *
         * @return goes on with it, when it is there
         */
        private Runnable next(Shard shard, ScanResponse page) {
            if (!page.getMore()) {
                return this::nextShard;
            }
            ByteString ids = page.getIds();
            CompletableFuture<ScanResponse> ahead = new CompletableFuture<>();
            ask(shard, ids.substring(ids.size() - EventId.BYTES), ahead::complete);
            return () -> ahead.thenAccept(behind -> took(shard, behind));
        }

        private void readOn(@Nullable Boolean more, @Nullable Throwable failure, Runnable goOn) {
            if (failure != null) {
                fail(Failures.cause(failure));
            } else if (result.isDone() || !Boolean.TRUE.equals(more)) {
                end();
            } else {
                goOn.run();
            }
        }
    }
}
