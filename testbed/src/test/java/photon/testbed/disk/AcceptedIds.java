package photon.testbed.disk;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.idregistry.raft.GroupIds;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.GrpcRegistryTransport;
import photon.registry.client.RegistryConnection;

/** A client that remembers what was accepted, and can ask whether the registry does, too. */
final class AcceptedIds implements AutoCloseable {
    private static final String PIPELINE = "disks";
    private static final int BATCH = 500;
    private static final long ANSWER_SECONDS_MAX = 120;
    private static final int OWNER_SLOT = 11;
    private static final int OTHER_SLOT = 12;

    /** Ids of many minutes: old ones go into files. */
    private static final long MICROS_APART = 25_000;

    private static final byte HELD = 1;

    private final ConcurrentLinkedQueue<String> bugs = new ConcurrentLinkedQueue<>();
    private final ThreadLoop loop =
            new ThreadLoop("accepted ids", 1_000, (where, bug) -> bugs.add(where + ": " + bug));
    private final long firstMicros =
            TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())
                    - TimeUnit.MINUTES.toMicros(20);
    private final Map<EventId, CommitToken> accepted = new LinkedHashMap<>();
    private final RegistryConnection connection;
    private final RegistryClient registry;
    private final GrpcRegistryTransport transport =
            new GrpcRegistryTransport(loop, new ProcessRpcs());
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
                                                new ProcessRpcs(),
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
                            EventId.ofUser(
                                    firstMicros + number * MICROS_APART,
                                    UserKey.of(List.of("id" + number))),
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
                    CommitToken owner = Objects.requireNonNull(accepted.get(commit.id()));
                    if (result != CommitResult.TAKEN || !owner.equals(holder)) {
                        bugs.add(
                                "Expected %s to be held by %s, but got %s %s"
                                        .formatted(commit.id(), owner, result, holder));
                    }
                });
    }

    /**
     * Looks all of them up in the state of one server alone. What it answers must be right.
     *
     * @return false if it has not answered everything
     */
    boolean lookUpAt(HostPort server) {
        List<EventId> all = new ArrayList<>(accepted.keySet());
        boolean answered = true;
        for (int from = 0; answered && from < all.size(); from += BATCH) {
            List<EventId> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            answered = ask(() -> lookUp(server, batch));
        }
        checkNoBugs();
        return answered;
    }

    private CompletableFuture<Boolean> lookUp(HostPort server, List<EventId> batch) {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        LookupRequest request =
                LookupRequest.newBuilder()
                        .setShard(RegistryProtos.shardRef(pipeline, new RegistryClient.Shard(1, 0)))
                        .setIds(Packed.ids(batch))
                        .build();
        transport
                .at(server)
                .lookup()
                .call(
                        request,
                        new Caller.Reply<>() {
                            @Override
                            public void answered(LookupResponse answer) {
                                boolean decided = answer.getProgress() == Progress.DECIDED;
                                if (decided) {
                                    check(batch, answer);
                                }
                                answered.complete(decided);
                            }

                            @Override
                            public void broken(String why) {
                                answered.complete(false);
                            }
                        });
        return answered;
    }

    private void check(List<EventId> batch, LookupResponse answer) {
        Iterator<CommitToken> holders = Packed.tokens(answer.getHolders()).iterator();
        for (int i = 0; i < batch.size(); i++) {
            boolean held = answer.getFound().byteAt(i) == HELD;
            CommitToken holder = held ? holders.next() : null;
            if (!Objects.equals(accepted.get(batch.get(i)), holder)) {
                bugs.add("A lookup of " + batch.get(i) + " found " + holder);
            }
        }
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
        checkNoBugs();
    }

    private void checkNoBugs() {
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
                    transport.close();
                    return CompletableFuture.completedFuture(true);
                });
        loop.close();
    }
}
