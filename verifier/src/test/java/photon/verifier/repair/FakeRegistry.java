package photon.verifier.repair;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryUnavailableException;

/** A registry of two groups. */
final class FakeRegistry {
    static final int GROUPS = 2;
    static final long FENCE_INDEX = 40;

    final TreeMap<Incarnation, ControlClient.IncarnationInfo> incarnations = new TreeMap<>();
    final TreeMap<EventId, CommitToken> held = new TreeMap<>();
    private final TreeMap<Incarnation, Boolean> fencedInGroups = new TreeMap<>();
    private final Witness witness;
    long boundaryMicros = Long.MIN_VALUE;
    int listsFail;
    boolean fencesHang;
    int scans;

    /** Changes when it is restored from a backup. */
    int life;

    /** What it changes to by the next scan; 0: nothing. */
    int lifeAfterScan;

    /** As whoever marked an incarnation repaired has said. */
    int repairedIn;

    int refusedMarks;

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

    void hold(EventId id, CommitToken token) {
        held.put(id, token);
    }

    ControlClient client(EventLoop loop) {
        return new Client(loop);
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
                UUID pipeline, Incarnation incarnation, int markedIn) {
            witness.effect();
            if (markedIn != life) {
                refusedMarks++;
                return later(IncarnationState.OPEN, null);
            }
            witness.checkNothingIsLeftBehind(incarnation);
            repairedIn = markedIn;
            IncarnationInfo info = requireNonNull(incarnations.get(incarnation));
            put(incarnation, info.slotName(), IncarnationState.REPAIRED, true, info.outputId());
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
                UUID pipeline, Incarnation incarnation, long holdMicros) {
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
