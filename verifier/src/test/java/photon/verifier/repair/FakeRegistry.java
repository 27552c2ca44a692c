package photon.verifier.repair;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.verifier.source.IdHolders;

/** A registry of two groups. */
final class FakeRegistry {
    static final int GROUPS = 2;
    static final long FENCE_INDEX = 40;

    final TreeMap<Incarnation, ControlClient.IncarnationInfo> incarnations = new TreeMap<>();
    final TreeMap<EventId, CommitToken> held = new TreeMap<>();
    private final TreeMap<Incarnation, Boolean> fencedInGroups = new TreeMap<>();

    /** The dispatcher's. */
    static final UUID STATE = new UUID(7, 7);

    private final Witness witness;
    long boundaryMicros = Long.MIN_VALUE;
    int listsFail;
    boolean fencesHang;
    boolean marksHang;
    int fences;
    int scans;

    /** The most ids of one question. */
    int askedAtOnce;

    /** Changes when it is restored from a backup. */
    int life;

    /** What it changes to by the next scan; 0: nothing. */
    int lifeAfterScan;

    /** As whoever marked an incarnation repaired has said. */
    int repairedIn;

    int refusedMarks;

    /** Those that were fenced for silence, in order. */
    final List<Incarnation> silentFences = new ArrayList<>();

    Runnable beforeSilentFence = () -> {};

    /** Of the dispatcher. */
    Optional<UUID> registered = Optional.of(STATE);

    /** As whoever marked an incarnation repaired has said. */
    Optional<UUID> rowsIn = Optional.empty();

    /** The dispatcher's answer to rows. */
    static AddRepairRowsResponse durableIn(UUID state) {
        return AddRepairRowsResponse.newBuilder().setState(RegistryProtos.bytes(state)).build();
    }

    FakeRegistry(Witness witness) {
        this.witness = witness;
    }

    /** Sees what is done to the registry. */
    interface Witness {
        /** Before and after anything: may throw. */
        void effect();

        boolean isSealed(Incarnation incarnation);

        /** Before it becomes repaired. */
        void checkNothingIsLeftBehind(Incarnation incarnation);
    }

    void add(Incarnation incarnation, String slot, boolean fenced, String outputId) {
        put(incarnation, slot, ControlClient.IncarnationState.OPEN, fenced, outputId);
    }

    void put(
            Incarnation incarnation,
            String slot,
            ControlClient.IncarnationState state,
            boolean fenced,
            String outputId) {
        incarnations.put(
                incarnation,
                new ControlClient.IncarnationInfo(
                        incarnation, slot, state, fenced, "host:1", 1, 1, outputId));
    }

    /** As when the state with its rows is declared lost; null: by a person. */
    void reopen(Incarnation incarnation, @Nullable UUID lostWith, long stateLostMicros) {
        ControlClient.IncarnationInfo before = requireNonNull(incarnations.get(incarnation));
        incarnations.put(
                incarnation,
                new ControlClient.IncarnationInfo(
                        incarnation,
                        before.slotName(),
                        ControlClient.IncarnationState.OPEN,
                        true,
                        before.address(),
                        before.processId(),
                        before.startedMicros(),
                        before.outputId(),
                        boundaryMicros,
                        0,
                        0,
                        Duration.ZERO,
                        new ControlClient.Rows(
                                before.rows().timesReopened() + 1,
                                Optional.empty(),
                                Optional.ofNullable(lostWith),
                                stateLostMicros),
                        incarnation.generation()));
    }

    void hold(EventId id, CommitToken token) {
        held.put(id, token);
    }

    /** Answers as the scans do. */
    IdHolders holders(EventLoop loop) {
        return ids -> {
            witness.effect();
            askedAtOnce = Math.max(askedAtOnce, ids.size());
            CompletableFuture<List<Found>> answer = new CompletableFuture<>();
            loop.execute(() -> answer.complete(ids.stream().map(this::find).toList()));
            return answer;
        };
    }

    private Found find(EventId id) {
        if (id.micros() < boundaryMicros) {
            return new Found(Found.State.TOO_OLD, null);
        }
        CommitToken holder = held.get(id);
        return new Found(holder == null ? Found.State.ABSENT : Found.State.HELD, holder);
    }

    ControlClient client(EventLoop loop) {
        return new Client(loop);
    }

    /** It has renewed, by that entry. */
    void renewed(Incarnation incarnation, long index) {
        ControlClient.IncarnationInfo info = requireNonNull(incarnations.get(incarnation));
        incarnations.put(
                incarnation,
                new ControlClient.IncarnationInfo(
                        incarnation,
                        info.slotName(),
                        info.state(),
                        info.fenced(),
                        info.address(),
                        info.processId(),
                        info.startedMicros(),
                        info.outputId(),
                        info.holdMicros(),
                        info.heardMicros(),
                        index,
                        Duration.ofSeconds(5),
                        info.rows(),
                        incarnation.generation()));
    }

    private final class Client implements ControlClient {
        private final EventLoop loop;

        Client(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public CompletableFuture<List<IncarnationInfo>> incarnations(
                UUID pipeline, String slotPrefix) {
            witness.effect();
            if (listsFail > 0) {
                listsFail--;
                return later(null, new RegistryUnavailableException("no leader"));
            }
            List<IncarnationInfo> found = new ArrayList<>(incarnations.values());
            found.removeIf(info -> !info.slotName().startsWith(slotPrefix));
            return later(found, null);
        }

        @Override
        public CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation) {
            witness.effect();
            fences++;
            if (fencesHang) {
                return new CompletableFuture<>();
            }
            fencedInGroups.put(incarnation, true);
            witness.effect();
            List<Fenced> groups = new ArrayList<>();
            for (int i = 0; i < GROUPS; i++) {
                groups.add(new Fenced(new Shard(0, i), FENCE_INDEX, life));
            }
            return later(groups, null);
        }

        @Override
        public CompletableFuture<SilentFence> fenceSilent(
                UUID pipeline, Incarnation incarnation, Silence seen) {
            beforeSilentFence.run();
            IncarnationInfo info = requireNonNull(incarnations.get(incarnation));
            boolean renewed = info.renewedIndex() != seen.renewedIndex();
            SilentFence result =
                    info.fenced()
                            ? SilentFence.FENCED_BEFORE
                            : renewed ? SilentFence.HAS_RENEWED : SilentFence.FENCED;
            if (result == SilentFence.FENCED) {
                silentFences.add(incarnation);
                put(
                        incarnation,
                        info.slotName(),
                        ControlClient.IncarnationState.OPEN,
                        true,
                        info.outputId());
            }
            return later(result, null);
        }

        @Override
        public CompletableFuture<ScanPage> scan(
                UUID pipeline,
                Fenced group,
                Incarnation incarnation,
                @Nullable EventId after,
                int limit) {
            witness.effect();
            scans++;
            life = lifeAfterScan == 0 ? life : lifeAfterScan;
            assertThat(fencedInGroups).as("fenced before scanned").containsKey(incarnation);
            assertThat(witness.isSealed(incarnation)).as("sealed before scanned").isTrue();
            assertThat(group.index()).isEqualTo(FENCE_INDEX);
            List<Commit> page = new ArrayList<>();
            boolean more = false;
            for (EventId id : after == null ? held.keySet() : held.tailMap(after, false).keySet()) {
                CommitToken token = requireNonNull(held.get(id));
                // A shard forgets what its boundary has passed.
                if (id.micros() < boundaryMicros
                        || !token.isOf(incarnation)
                        || Math.floorMod(id.stableHash(), GROUPS) != group.shard().number()) {
                    continue;
                }
                if (page.size() == limit) {
                    more = true;
                    break;
                }
                page.add(new Commit(id, token));
            }
            return later(new ScanPage(page, more, boundaryMicros), null);
        }

        @Override
        public CompletableFuture<IncarnationState> markRepaired(
                UUID pipeline, Incarnation incarnation, Repair repair) {
            witness.effect();
            if (marksHang) {
                return new CompletableFuture<>();
            }
            IncarnationInfo marked = requireNonNull(incarnations.get(incarnation));
            if (repair.life() != life
                    || repair.timesReopened() != marked.rows().timesReopened()
                    || (repair.rowsIn().isPresent() && !repair.rowsIn().equals(registered))) {
                refusedMarks++;
                return later(IncarnationState.OPEN, null);
            }
            witness.checkNothingIsLeftBehind(incarnation);
            repairedIn = repair.life();
            rowsIn = repair.rowsIn();
            put(incarnation, marked.slotName(), IncarnationState.REPAIRED, true, marked.outputId());
            witness.effect();
            return later(IncarnationState.REPAIRED, null);
        }

        private <T> CompletableFuture<T> later(@Nullable T value, @Nullable Throwable trouble) {
            CompletableFuture<T> future = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        if (trouble != null) {
                            future.completeExceptionally(trouble);
                        } else {
                            future.complete(value);
                        }
                    });
            return future;
        }

        @Override
        public CompletableFuture<Pipeline> openPipeline(
                String name,
                UUID uuid,
                String identityFingerprint,
                int shards,
                Duration retention) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Incarnation> register(Registration registration) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Renewed> renew(
                UUID pipeline, Incarnation incarnation, long holdMicros, Duration within) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<IncarnationState> closeClean(
                UUID pipeline, Incarnation incarnation) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
