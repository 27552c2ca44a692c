package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.rpc.HostPort;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;
import photon.registry.api.ShardMap;

/**
 * The commits of one client that wait for one shard. They are merged into requests: one goes while
 * fewer than a few are in flight, without a timer. What got no definite answer goes to the front
 * and is asked again with the same token (docs/protocol.md section 3). Used in the loop.
 */
final class CommitLane {
    /** An epoch is being prepared, or a shard's map is older than ours: neither takes long. */
    private static final int UNSETTLED_FAILURES = 4;

    private final Asking asking;
    private final LeaderHunt hunt;
    private final ShardRef shard;
    private final Limits limits;
    private final Router router;
    private final ArrayDeque<CommitWork> waiting = new ArrayDeque<>();
    private int requestsInFlight;
    private int failures;

    /** Halved when a server has no room, so that a request fits in the end; doubled by answers. */
    private int idsPerRequest;

    private boolean paused;
    private boolean pumpScheduled;

    /**
     * @param idsPerRequestMax no more than a server puts into one entry
     * @param requestsInFlightMax while there are fewer, a request goes at once
     */
    record Limits(int idsPerRequestMax, int requestsInFlightMax) {
        static final Limits DEFAULTS = new Limits(1_024, 4);
    }

    /** What a lane tells the client that it is of. */
    interface Router {
        /** Hands commits to the lanes of their shards, by the newest map. */
        void route(CommitWork work);

        void boundaryHeard(long boundaryMicros);

        /** Something later than this was refused as in the future. */
        default void latestHeard(long latestMicros) {}

        void mapHeard(ShardMap map);
    }

    CommitLane(Asking asking, LeaderHunt hunt, ShardRef shard, Limits limits, Router router) {
        this.asking = asking;
        this.hunt = hunt;
        this.shard = shard;
        this.limits = limits;
        this.router = router;
        this.idsPerRequest = limits.idsPerRequestMax();
    }

    void add(CommitWork work) {
        waiting.add(work);
        pumpSoon();
    }

    /** Drops what nobody waits for any more, unless it is in flight. */
    void dropEnded() {
        waiting.removeIf(CommitLane::droppedIfEnded);
    }

    private static boolean droppedIfEnded(CommitWork work) {
        if (work.isEnded()) {
            work.left(work.count());
            return true;
        }
        return false;
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
        while (!paused && requestsInFlight < limits.requestsInFlightMax()) {
            List<CommitWork> batch = new ArrayList<>();
            int ids = take(batch);
            if (ids == 0) {
                return;
            }
            send(batch, ids);
        }
    }

    /** Fills a request from the front. A work that is too large for the rest is divided. */
    private int take(List<CommitWork> batch) {
        int room = idsPerRequest;
        while (room > 0 && !waiting.isEmpty()) {
            CommitWork work = waiting.remove();
            if (droppedIfEnded(work)) {
                continue;
            }
            int count = work.count();
            if (count > room) {
                waiting.addFirst(work.range(room, count));
                work = work.range(0, room);
            }
            batch.add(work);
            room -= work.count();
        }
        return idsPerRequest - room;
    }

    private void send(List<CommitWork> batch, int count) {
        HostPort asked = hunt.guess();
        requestsInFlight++;
        ByteBuffer ids = ByteBuffer.allocate(count * EventId.BYTES);
        ByteBuffer tokens = ByteBuffer.allocate(count * CommitToken.BYTES);
        for (CommitWork work : batch) {
            work.sent();
            work.pack(ids, tokens);
        }
        asking.once(
                asking.at(asked).commit(),
                CommitRequest.newBuilder()
                        .setShard(shard)
                        .setIds(UnsafeByteOperations.unsafeWrap(ids.array()))
                        .setTokens(UnsafeByteOperations.unsafeWrap(tokens.array()))
                        .build(),
                answer -> {
                    requestsInFlight--;
                    answered(batch, count, asked, answer);
                },
                why -> {
                    requestsInFlight--;
                    hunt.lost(asked);
                    againUnsure(batch);
                });
    }

    private void answered(
            List<CommitWork> batch, int count, HostPort asked, CommitResponse answer) {
        Progress progress = answer.getProgress();
        if (progress == Progress.DECIDED) {
            hunt.led(asked);
            failures = 0;
            idsPerRequest = Math.min(limits.idsPerRequestMax(), idsPerRequest * 2);
            decided(batch, count, answer);
            pump();
        } else if (progress == Progress.NOT_LEADER) {
            batch.forEach(CommitWork::refused);
            boolean atOnce = hunt.refused(asked, answer.getLeader());
            if (atOnce) {
                putBack(batch);
                pump();
            } else {
                again(batch, asking.backoff::hunt);
            }
        } else if (progress == Progress.RESOURCE_EXHAUSTED) {
            batch.forEach(CommitWork::refused);
            idsPerRequest = Math.max(1, Math.min(idsPerRequest, count) / 2);
            again(batch, asking.backoff::delay);
        } else if (progress == Progress.PIPELINE_GONE) {
            fenced(batch);
        } else if (progress == Progress.NO_SUCH_SHARD) {
            batch.forEach(CommitWork::refused);
            hunt.lost(asked);
            again(batch, asking.backoff::hunt);
        } else {
            // UNKNOWN, and whatever a newer server may say.
            againUnsure(batch);
        }
    }

    /** The pipeline was dropped, which ends every incarnation of it for good. */
    private void fenced(List<CommitWork> batch) {
        ByteBuffer noHolders = ByteBuffer.allocate(0);
        for (CommitWork work : batch) {
            int count = work.count();
            for (int i = 0; i < count; i++) {
                work.answer(i, (byte) Outcome.FENCED_VALUE, noHolders, 0);
            }
            work.left(count);
        }
        pump();
    }

    private void againUnsure(List<CommitWork> batch) {
        batch.forEach(CommitWork::unsure);
        again(batch, asking.backoff::hunt);
    }

    private void putBack(List<CommitWork> batch) {
        for (int i = batch.size() - 1; i >= 0; i--) {
            if (!droppedIfEnded(batch.get(i))) {
                waiting.addFirst(batch.get(i));
            }
        }
    }

    /**
     * @param pause how long, by the failures in a row
     */
    private void again(List<CommitWork> batch, IntFunction<Duration> pause) {
        putBack(batch);
        if (!paused) {
            // Requests that fail together count as one failure.
            paused = true;
            asking.later(
                    pause.apply(++failures),
                    () -> {
                        paused = false;
                        pump();
                    });
        }
    }

    private void decided(List<CommitWork> batch, int count, CommitResponse answer) {
        ByteString outcomes = answer.getOutcomes();
        check(
                outcomes.size() == count,
                "Expected %s outcomes from %s, but got %s",
                count,
                shard,
                outcomes.size());
        router.boundaryHeard(answer.getBoundaryMicros());
        if (answer.getLatestMicros() != 0) {
            router.latestHeard(answer.getLatestMicros());
        }
        if (answer.hasMap()) {
            router.mapHeard(ShardMap.of(answer.getMap()));
        }
        ByteBuffer holders = answer.getHolders().asReadOnlyByteBuffer().slice();
        List<CommitWork> unsettled = new ArrayList<>();
        int at = 0;
        int holdersAt = 0;
        for (CommitWork work : batch) {
            int[] open = null;
            int openCount = 0;
            int size = work.count();
            for (int i = 0; i < size; i++) {
                byte outcome = outcomes.byteAt(at++);
                if (isDefinite(outcome)) {
                    work.answer(i, outcome, holders, holdersAt);
                    holdersAt += outcome == Outcome.TAKEN_VALUE ? CommitToken.BYTES : 0;
                } else {
                    open = open == null ? new int[size - i] : open;
                    open[openCount++] = i;
                }
            }
            work.left(size - openCount);
            if (open != null) {
                CommitWork rest = work.at(java.util.Arrays.copyOf(open, openCount));
                rest.refused();
                unsettled.add(rest);
            }
        }
        if (!unsettled.isEmpty()) {
            reroute(unsettled);
        }
    }

    private static boolean isDefinite(byte outcome) {
        return switch (outcome) {
            case Outcome.ACCEPTED_VALUE,
                    Outcome.TAKEN_VALUE,
                    Outcome.FENCED_VALUE,
                    Outcome.ID_TOO_OLD_VALUE,
                    Outcome.ID_IN_FUTURE_VALUE ->
                    true;
            default -> false;
        };
    }

    /** Of WRONG_SHARD and EPOCH_PREPARED: surely not committed here. */
    private void reroute(List<CommitWork> unsettled) {
        Duration delay = asking.backoff.delay(UNSETTLED_FAILURES);
        asking.later(
                delay,
                () ->
                        unsettled.forEach(
                                work -> {
                                    if (!droppedIfEnded(work)) {
                                        router.route(work);
                                    }
                                }));
    }
}
