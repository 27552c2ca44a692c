package photon.cli.disk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcCounter;
import photon.idregistry.api.RegistryClient;
import photon.idregistry.api.RegistryClient.Commit;
import photon.idregistry.api.RegistryClient.CommitResult;
import photon.idregistry.client.GrpcRegistry;
import photon.idregistry.client.RegistryConnection;
import photon.idregistry.raft.GroupIds;

/** A client that remembers what was accepted, and can ask whether the registry does, too. */
final class AcceptedIds implements AutoCloseable {
    private static final String PIPELINE = "disks";
    private static final int BATCH = 500;
    private static final long ANSWER_SECONDS_MAX = 120;
    private static final int OWNER_SLOT = 11;
    private static final int OTHER_SLOT = 12;

    private final ConcurrentLinkedQueue<String> bugs = new ConcurrentLinkedQueue<>();
    private final ThreadLoop loop =
            new ThreadLoop("accepted ids", 1_000, (where, bug) -> bugs.add(where + ": " + bug));
    private final long nowMicros =
            TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) - 60_000_000L;
    private final Map<EventId, CommitToken> accepted = new LinkedHashMap<>();
    private final RegistryConnection connection;
    private final RegistryClient registry;
    private final UUID pipeline;
    private long lastNumber;

    AcceptedIds(List<HostPort> servers) {
        connection =
                ask(
                        () ->
                                CompletableFuture.completedFuture(
                                        GrpcRegistry.connect(
                                                loop,
                                                servers,
                                                PIPELINE,
                                                new RpcCounter(),
                                                new Random(1))));
        pipeline =
                ask(() ->
                                connection
                                        .control()
                                        .openPipeline(
                                                PIPELINE,
                                                UUID.nameUUIDFromBytes(new byte[] {2}),
                                                "f",
                                                1))
                        .uuid();
        registry = ask(connection::registry);
    }

    private <T> T ask(Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> question.get().thenAccept(answer::complete));
        try {
            return answer.orTimeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS).join();
        } catch (java.util.concurrent.CompletionException e) {
            throw new AssertionError("Expected an answer, but got none. " + bugs, e);
        }
    }

    /** The Raft group of the one shard. */
    UUID group() {
        return GroupIds.shard(pipeline, 1, 0);
    }

    int count() {
        return accepted.size();
    }

    /** Commits so many new ids, which must all be accepted. */
    void accept(int count) {
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long number = ++lastNumber;
            commits.add(
                    new Commit(
                            EventId.ofUser(nowMicros + number, UserKey.of(List.of("id" + number))),
                            new CommitToken(OWNER_SLOT, 1, number)));
        }
        ask(
                commits,
                (commit, result, holder, again) -> {
                    if (result != CommitResult.ACCEPTED) {
                        bugs.add("Expected " + commit + " to be accepted, but got " + result);
                    }
                });
        commits.forEach(commit -> accepted.put(commit.id(), commit.token()));
    }

    /** Each id that was ever accepted is refused to another token, which is told the holder. */
    void checkNothingIsForgotten() {
        List<Commit> others = new ArrayList<>();
        accepted.forEach(
                (id, token) ->
                        others.add(
                                new Commit(id, new CommitToken(OTHER_SLOT, 1, token.sequence()))));
        ask(
                others,
                (commit, result, holder, again) -> {
                    CommitToken owner = java.util.Objects.requireNonNull(accepted.get(commit.id()));
                    if (result != CommitResult.TAKEN || !owner.equals(holder)) {
                        bugs.add(
                                "Expected %s to be held by %s, but got %s %s"
                                        .formatted(commit.id(), owner, result, holder));
                    }
                });
    }

    private void ask(List<Commit> commits, RegistryClient.CommitListener each) {
        for (int from = 0; from < commits.size(); from += BATCH) {
            List<Commit> batch = commits.subList(from, Math.min(commits.size(), from + BATCH));
            ask(
                    () -> {
                        CompletableFuture<Boolean> all = new CompletableFuture<>();
                        int[] left = {batch.size()};
                        registry.commit(
                                batch,
                                (commit, result, holder, again) -> {
                                    each.answered(commit, result, holder, again);
                                    if (--left[0] == 0) {
                                        all.complete(true);
                                    }
                                });
                        return all;
                    });
        }
        if (!bugs.isEmpty()) {
            throw new AssertionError(
                    bugs.size() + " wrong answers: " + bugs.stream().limit(5).toList());
        }
    }

    @Override
    public void close() {
        ask(
                () -> {
                    registry.close();
                    connection.close();
                    return CompletableFuture.completedFuture(true);
                });
        loop.close();
    }
}
