package photon.joiner;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.SlotPair;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient;
import photon.registry.api.RollRefusedException;

/**
 * A registry in memory, by the rules of docs/protocol.md section 3. Commits wait until the test
 * lets them be decided, or are decided in the next turn.
 */
public final class ModelRegistry implements RegistryClient, ControlClient {
    private static final int SLOT = 7;

    /** Of the pair of slots. */
    public static final int SECOND_SLOT = 17;

    private final EventLoop loop;
    public final Map<EventId, CommitToken> held = new HashMap<>();
    public final List<String> calls = new ArrayList<>();
    public final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    public final Map<Integer, IncarnationInfo> infos = new TreeMap<>();
    public final List<Incarnation> fencedByCall = new ArrayList<>();
    public final Set<CommitToken> cancelled = new HashSet<>();

    /** Tokens that it remembers as cancelled at most. */
    public int cancelledMax = Integer.MAX_VALUE;

    /** False: cancels wait in {@link #waitingCancels}. */
    public boolean cancelAtOnce = true;

    public final ArrayDeque<Runnable> waitingCancels = new ArrayDeque<>();
    public int lowestLive = 1;
    public final Map<Integer, IncarnationInfo> secondInfos = new TreeMap<>();
    public int secondLowestLive = 1;
    public boolean decideAtOnce = true;
    public long boundaryMicros = Long.MIN_VALUE;
    public long futureMicros = Long.MAX_VALUE;
    public @Nullable RuntimeException refuseRegister;
    public boolean closeCleanAnswers = true;

    /** What was promised, in order. */
    public final List<Long> renewals = new ArrayList<>();

    /** Of these, whose they were. */
    public final List<Incarnation> renewedBy = new ArrayList<>();

    /** As the last one has said. */
    public Duration renewsWithin = Duration.ZERO;

    /** The next renewals fail with it. */
    public @Nullable RuntimeException refuseRenewal;

    public long limitMicros = Long.MIN_VALUE;
    public long wantedMicros = Long.MIN_VALUE;
    public int commitBatches;

    /** As the last registration has said. */
    public boolean usesUnmatchedKind;

    public ModelRegistry(EventLoop loop) {
        this.loop = loop;
    }

    /** A commit that was sent. */
    public record Waiting(Commit commit, CommitListener listener) {}

    private boolean isFenced(int slot, int generation) {
        return generation < (slot == SECOND_SLOT ? secondLowestLive : lowestLive);
    }

    private void raise(int slot, int generation) {
        if (slot == SECOND_SLOT) {
            secondLowestLive = Math.max(secondLowestLive, generation);
        } else {
            lowestLive = Math.max(lowestLive, generation);
        }
    }

    private Map<Integer, IncarnationInfo> infosOf(int slot) {
        return slot == SECOND_SLOT ? secondInfos : infos;
    }

    /** Only reads. */
    private CommitResult judge(Commit commit) {
        if (isFenced(commit.token().slot(), commit.token().generation())) {
            return CommitResult.FENCED;
        }
        if (cancelled.contains(commit.token())) {
            return CommitResult.CANCELLED;
        }
        if (commit.id().micros() < boundaryMicros) {
            return CommitResult.ID_TOO_OLD;
        }
        CommitToken holder = held.get(commit.id());
        boolean free =
                holder == null
                        || (holder.equals(CommitToken.JOIN_UNMATCHED)
                                && commit.token().isUnmatched());
        return free || commit.token().equals(holder) ? CommitResult.ACCEPTED : CommitResult.TAKEN;
    }

    /** Applies a copy of a commit without answering it: a duplicate in the network. */
    public CommitResult apply(Commit commit) {
        CommitResult result = judge(commit);
        if (result == CommitResult.ACCEPTED) {
            held.put(commit.id(), commit.token());
        }
        return result;
    }

    public void decide(Waiting next, boolean askedAgain) {
        if (next.commit().id().micros() > futureMicros) {
            next.listener().answered(next.commit(), CommitResult.ID_IN_FUTURE, null, askedAgain);
            return;
        }
        CommitResult result = apply(next.commit());
        next.listener()
                .answered(
                        next.commit(),
                        result,
                        result == CommitResult.TAKEN ? held.get(next.commit().id()) : null,
                        askedAgain);
    }

    public void decideAll(boolean askedAgain) {
        while (!waiting.isEmpty()) {
            decide(waiting.remove(), askedAgain);
        }
    }

    @Override
    public void commit(List<Commit> batch, CommitListener asked) {
        commitBatches++;
        for (Commit commit : batch) {
            calls.add("commit " + commit.token());
            waiting.add(new Waiting(commit, asked));
        }
        if (decideAtOnce) {
            loop.execute(() -> decideAll(false));
        }
    }

    @Override
    public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
        CompletableFuture<List<RemoveResult>> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    List<RemoveResult> results = new ArrayList<>();
                    for (Commit commit : batch) {
                        calls.add("remove " + commit.token());
                        results.add(removeOne(commit));
                    }
                    answer.complete(results);
                });
        return answer;
    }

    @Override
    public CompletableFuture<List<CancelResult>> cancel(List<Commit> batch) {
        CompletableFuture<List<CancelResult>> answer = new CompletableFuture<>();
        batch.forEach(commit -> calls.add("cancel " + commit.token()));
        waitingCancels.add(() -> answer.complete(batch.stream().map(this::cancelOne).toList()));
        if (cancelAtOnce) {
            loop.execute(this::cancelAll);
        }
        return answer;
    }

    public void cancelAll() {
        while (!waitingCancels.isEmpty()) {
            waitingCancels.remove().run();
        }
    }

    private CancelResult cancelOne(Commit commit) {
        CommitToken token = commit.token();
        if (isFenced(token.slot(), token.generation())) {
            return CancelResult.FENCED;
        }
        if (commit.id().micros() >= boundaryMicros && token.equals(held.get(commit.id()))) {
            return CancelResult.HELD;
        }
        if (!cancelled.contains(token) && cancelled.size() >= cancelledMax) {
            return CancelResult.CANCEL_FULL;
        }
        cancelled.add(token);
        return CancelResult.CANCELLED;
    }

    private RemoveResult removeOne(Commit commit) {
        int slot = commit.token().slot();
        if ((slot == SLOT || slot == SECOND_SLOT) && !isFenced(slot, commit.token().generation())) {
            return RemoveResult.NOT_FENCED;
        }
        if (commit.id().micros() < boundaryMicros) {
            return RemoveResult.ID_TOO_OLD;
        }
        if (commit.token().isUnmatched()) {
            held.replace(commit.id(), commit.token(), CommitToken.JOIN_UNMATCHED);
        } else {
            held.remove(commit.id(), commit.token());
        }
        return RemoveResult.REMOVED;
    }

    @Override
    public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<Found>> lookupLinearizable(List<EventId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long boundaryMicros() {
        return boundaryMicros;
    }

    @Override
    public List<Shard> shards() {
        return List.of(new Shard(1, 0), new Shard(1, 1));
    }

    @Override
    public Shard shardOf(EventId id) {
        return shards().get(Math.floorMod(id.stableHash(), 2));
    }

    @Override
    public CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards, Duration retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Incarnation> register(Registration registration) {
        calls.add("register " + registration.slotName());
        usesUnmatchedKind = registration.usesUnmatchedKind();
        CompletableFuture<Incarnation> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    if (refuseRegister != null) {
                        answer.completeExceptionally(refuseRegister);
                    } else if (registration
                            .rollsFrom()
                            .filter(from -> isFenced(from.slot(), from.generation()))
                            .isPresent()) {
                        answer.completeExceptionally(new RollRefusedException("not live"));
                    } else {
                        answer.complete(registered(registration));
                    }
                });
        return answer;
    }

    /** As another process would; also fences. */
    public Incarnation registered(String slotName, String address, long pid, long started) {
        return registered(
                new Registration(new UUID(0, 0), slotName, "", address, pid, started, "", ""));
    }

    private Incarnation registered(Registration of) {
        SlotPair pair = SlotPair.of(of.slotName());
        int slot = of.slotName().equals(pair.second()) ? SECOND_SLOT : SLOT;
        Map<Integer, IncarnationInfo> generations = infosOf(slot);
        Incarnation made = new Incarnation(slot, generations.size() + 1);
        generations.put(
                made.generation(),
                new IncarnationInfo(
                        made,
                        of.slotName(),
                        IncarnationState.OPEN,
                        false,
                        of.address(),
                        of.processId(),
                        of.startedMicros(),
                        "output"));
        raise(slot, made.generation());
        if (of.rollsFrom().isEmpty()) {
            int other = slot == SLOT ? SECOND_SLOT : SLOT;
            raise(other, infosOf(other).size() + 1);
        }
        return made;
    }

    public IncarnationState stateOf(Incarnation incarnation) {
        IncarnationInfo info = infosOf(incarnation.slot()).get(incarnation.generation());
        return info == null ? IncarnationState.OPEN : info.state();
    }

    @Override
    public CompletableFuture<List<IncarnationInfo>> incarnations(UUID pipeline, String slotPrefix) {
        CompletableFuture<List<IncarnationInfo>> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    List<IncarnationInfo> all = new ArrayList<>(infos.values());
                    all.addAll(secondInfos.values());
                    answer.complete(all);
                });
        return answer;
    }

    @Override
    public CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation) {
        fencedByCall.add(incarnation);
        raise(incarnation.slot(), incarnation.generation() + 1);
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<SilentFence> fenceSilent(
            UUID pipeline, Incarnation incarnation, Silence seen) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<ScanPage> scan(
            UUID pipeline,
            Fenced group,
            Incarnation incarnation,
            @Nullable EventId after,
            int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<IncarnationState> closeClean(UUID pipeline, Incarnation incarnation) {
        CompletableFuture<IncarnationState> answer = new CompletableFuture<>();
        if (!closeCleanAnswers) {
            return answer;
        }
        loop.execute(
                () -> {
                    infosOf(incarnation.slot())
                            .computeIfPresent(
                                    incarnation.generation(),
                                    (generation, info) ->
                                            new IncarnationInfo(
                                                    info.incarnation(),
                                                    info.slotName(),
                                                    IncarnationState.CLEAN,
                                                    true,
                                                    info.address(),
                                                    info.processId(),
                                                    info.startedMicros(),
                                                    info.outputId()));
                    raise(incarnation.slot(), incarnation.generation() + 1);
                    answer.complete(IncarnationState.CLEAN);
                });
        return answer;
    }

    @Override
    public CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros, Duration within) {
        renewals.add(holdMicros);
        renewedBy.add(incarnation);
        renewsWithin = within;
        CompletableFuture<Renewed> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    if (refuseRenewal != null) {
                        answer.completeExceptionally(refuseRenewal);
                    } else {
                        answer.complete(
                                new Renewed(
                                        limitMicros,
                                        wantedMicros,
                                        isFenced(incarnation.slot(), incarnation.generation())));
                    }
                });
        return answer;
    }

    @Override
    public CompletableFuture<IncarnationState> markRepaired(
            UUID pipeline, Incarnation incarnation, Repair repair) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
