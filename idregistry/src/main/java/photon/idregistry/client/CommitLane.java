package photon.idregistry.client;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.Packed;
import photon.core.rpc.HostPort;
import photon.idregistry.api.RegistryClient.Commit;
import photon.idregistry.api.RegistryClient.CommitListener;
import photon.idregistry.api.RegistryClient.CommitResult;
import photon.idregistry.shard.ShardMap;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;

/**
 * The commits of one client that wait for one shard. They are merged into requests: one goes while
 * fewer than a few are in flight, without a timer. What got no definite answer goes to the front
 * and is asked again with the same token (docs/protocol.md section 3).
 */
final class CommitLane {
    static final int IDS_PER_REQUEST_MAX = 1_024;
    static final int REQUESTS_IN_FLIGHT_MAX = 4;

    /** An epoch is being prepared, or a shard's map is older than ours: neither takes long. */
    private static final int UNSETTLED_FAILURES = 4;

    private final Asking asking;
    private final LeaderHunt hunt;
    private final ShardRef shard;
    private final Router router;
    private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
    private int requestsInFlight;
    private int failures;

    /** Halved when a server has no room, so that a request fits in the end; doubled by answers. */
    private int idsPerRequest = IDS_PER_REQUEST_MAX;

    private boolean paused;
    private boolean pumpScheduled;

    /** What a lane tells the client that it is of. */
    interface Router {
        /** Hands a commit to the lane of its shard, by the newest map. */
        void route(Pending pending);

        void boundaryHeard(long boundaryMicros);

        void mapHeard(ShardMap map);
    }

    /** A commit that waits for its answer. */
    static final class Pending {
        final Commit commit;
        private final CommitListener listener;

        /** True: a copy was sent and not answered, so it may be accepted, or may yet be. */
        private boolean copySent;

        Pending(Commit commit, CommitListener listener) {
            this.commit = commit;
            this.listener = listener;
        }

        void answer(CommitResult result, @Nullable CommitToken holder) {
            listener.answered(commit, result, holder, copySent);
        }
    }

    CommitLane(Asking asking, LeaderHunt hunt, ShardRef shard, Router router) {
        this.asking = asking;
        this.hunt = hunt;
        this.shard = shard;
        this.router = router;
    }

    void add(Pending pending) {
        waiting.add(pending);
        pumpSoon();
    }

    /** Behind what the loop has at hand, so that commits that came together go together. */
    private void pumpSoon() {
        if (!pumpScheduled) {
            pumpScheduled = true;
            asking.soon(
                    () -> {
                        pumpScheduled = false;
                        pump();
                    });
        }
    }

    private void pump() {
        while (!paused && requestsInFlight < REQUESTS_IN_FLIGHT_MAX && !waiting.isEmpty()) {
            List<Pending> batch = new ArrayList<>();
            while (batch.size() < idsPerRequest && !waiting.isEmpty()) {
                batch.add(waiting.remove());
            }
            send(batch);
        }
    }

    private void send(List<Pending> batch) {
        HostPort asked = hunt.guess();
        requestsInFlight++;
        asking.once(
                asking.at(asked).commit(),
                CommitRequest.newBuilder()
                        .setShard(shard)
                        .setIds(Packed.ids(batch.stream().map(p -> p.commit.id()).toList()))
                        .setTokens(
                                Packed.tokens(batch.stream().map(p -> p.commit.token()).toList()))
                        .build(),
                answer -> {
                    requestsInFlight--;
                    answered(batch, asked, answer);
                },
                why -> {
                    requestsInFlight--;
                    hunt.lost(asked);
                    againUnsure(batch);
                });
    }

    private void answered(List<Pending> batch, HostPort asked, CommitResponse answer) {
        Progress progress = answer.getProgress();
        if (progress == Progress.DECIDED) {
            hunt.led(asked);
            failures = 0;
            idsPerRequest = Math.min(IDS_PER_REQUEST_MAX, idsPerRequest * 2);
            decided(batch, answer);
            pump();
        } else if (progress == Progress.NOT_LEADER) {
            boolean atOnce = hunt.refused(asked, answer.getLeader());
            again(batch, !atOnce);
        } else if (progress == Progress.RESOURCE_EXHAUSTED) {
            idsPerRequest = Math.max(1, Math.min(idsPerRequest, batch.size()) / 2);
            again(batch, true);
        } else if (progress == Progress.NO_SUCH_SHARD) {
            hunt.lost(asked);
            again(batch, true);
        } else {
            // UNKNOWN, and whatever a newer server may say.
            againUnsure(batch);
        }
    }

    private void againUnsure(List<Pending> batch) {
        batch.forEach(pending -> pending.copySent = true);
        again(batch, true);
    }

    private void again(List<Pending> batch, boolean afterPause) {
        for (int i = batch.size() - 1; i >= 0; i--) {
            waiting.addFirst(batch.get(i));
        }
        if (!afterPause) {
            pump();
        } else if (!paused) {
            // Requests that fail together count as one failure.
            paused = true;
            asking.later(
                    asking.backoff.delay(++failures),
                    () -> {
                        paused = false;
                        pump();
                    });
        }
    }

    private void decided(List<Pending> batch, CommitResponse answer) {
        check(
                answer.getOutcomes().size() == batch.size(),
                "Expected %s outcomes from %s, but got %s",
                batch.size(),
                shard,
                answer.getOutcomes().size());
        router.boundaryHeard(answer.getBoundaryMicros());
        if (answer.hasMap()) {
            router.mapHeard(ShardMap.of(answer.getMap()));
        }
        ByteBuffer holders = answer.getHolders().asReadOnlyByteBuffer();
        List<Pending> unsettled = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Pending pending = batch.get(i);
            switch (answer.getOutcomes().byteAt(i)) {
                case Outcome.ACCEPTED_VALUE -> pending.answer(CommitResult.ACCEPTED, null);
                case Outcome.TAKEN_VALUE ->
                        pending.answer(CommitResult.TAKEN, CommitToken.read(holders));
                case Outcome.FENCED_VALUE -> pending.answer(CommitResult.FENCED, null);
                case Outcome.ID_TOO_OLD_VALUE -> pending.answer(CommitResult.ID_TOO_OLD, null);
                case Outcome.ID_IN_FUTURE_VALUE -> pending.answer(CommitResult.ID_IN_FUTURE, null);
                default -> unsettled.add(pending);
            }
        }
        if (!unsettled.isEmpty()) {
            reroute(unsettled);
        }
    }

    /** Of WRONG_SHARD and EPOCH_PREPARED: surely not committed here. */
    private void reroute(List<Pending> unsettled) {
        Duration delay = asking.backoff.delay(UNSETTLED_FAILURES);
        asking.later(delay, () -> unsettled.forEach(router::route));
    }
}
