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
import photon.registry.client.CommitCall.Part;

/**
 * The commits of one client that wait for one shard. They are merged into requests: one goes while
 * fewer than a few are in flight, without a timer. What got no definite answer goes to the front
 * and is asked again with the same token (docs/protocol.md section 3). Used in the loop.
 */
final class ShardCommitQueue {
    /** An epoch is being prepared, or a shard's map is older than ours: neither takes long. */
    private static final int UNSETTLED_FAILURES = 4;

    private final Asking asking;
    private final LeaderHunt hunt;
    private final ShardRef shard;
    private final Limits limits;
    private final ShardRouter router;
    private final ArrayDeque<Part> waiting = new ArrayDeque<>();
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

    ShardCommitQueue(
            Asking asking, LeaderHunt hunt, ShardRef shard, Limits limits, ShardRouter router) {
        this.asking = asking;
        this.hunt = hunt;
        this.shard = shard;
        this.limits = limits;
        this.router = router;
        this.idsPerRequest = limits.idsPerRequestMax();
    }

    void add(Part part) {
        waiting.add(part);
        pumpSoon();
    }

    /** Drops what nobody waits for any more, unless it is in flight. */
    void dropEnded() {
        waiting.removeIf(ShardCommitQueue::droppedIfEnded);
    }

    private static boolean droppedIfEnded(Part part) {
        if (part.isEnded()) {
            part.left(part.count());
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
            List<Part> batch = new ArrayList<>();
            int ids = take(batch);
            if (ids == 0) {
                return;
            }
            send(batch, ids);
        }
    }

    /** Fills a request from the front. A part that is too large for the rest is divided. */
    private int take(List<Part> batch) {
        int room = idsPerRequest;
        while (room > 0 && !waiting.isEmpty()) {
            Part part = waiting.remove();
            if (droppedIfEnded(part)) {
                continue;
            }
            int count = part.count();
            if (count > room) {
                waiting.addFirst(part.range(room, count));
                part = part.range(0, room);
            }
            batch.add(part);
            room -= part.count();
        }
        return idsPerRequest - room;
    }

    private void send(List<Part> batch, int count) {
        HostPort asked = hunt.guess();
        requestsInFlight++;
        ByteBuffer ids = ByteBuffer.allocate(count * EventId.BYTES);
        ByteBuffer tokens = ByteBuffer.allocate(count * CommitToken.BYTES);
        for (Part part : batch) {
            part.sent();
            part.pack(ids, tokens);
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

    private void answered(List<Part> batch, int count, HostPort asked, CommitResponse answer) {
        Progress progress = answer.getProgress();
        if (progress == Progress.DECIDED) {
            hunt.led(asked);
            failures = 0;
            idsPerRequest = Math.min(limits.idsPerRequestMax(), idsPerRequest * 2);
            decided(batch, count, answer);
            pump();
        } else if (progress == Progress.NOT_LEADER) {
            batch.forEach(Part::refused);
            boolean atOnce = hunt.refused(asked, answer.getLeader());
            if (atOnce) {
                putBack(batch);
                pump();
            } else {
                again(batch, asking.hunting::afterFailures);
            }
        } else if (progress == Progress.RESOURCE_EXHAUSTED) {
            batch.forEach(Part::refused);
            idsPerRequest = Math.max(1, Math.min(idsPerRequest, count) / 2);
            again(batch, asking.backoff::afterFailures);
        } else if (progress == Progress.PIPELINE_GONE) {
            fenced(batch);
        } else if (progress == Progress.NO_SUCH_SHARD) {
            batch.forEach(Part::refused);
            hunt.lost(asked);
            again(batch, asking.hunting::afterFailures);
        } else {
            // UNKNOWN, and whatever a newer server may say.
            againUnsure(batch);
        }
    }

    /** The pipeline was dropped, which ends every incarnation of it for good. */
    private void fenced(List<Part> batch) {
        ByteBuffer noHolders = ByteBuffer.allocate(0);
        for (Part part : batch) {
            int count = part.count();
            for (int i = 0; i < count; i++) {
                part.answer(i, (byte) Outcome.FENCED_VALUE, noHolders, 0);
            }
            part.left(count);
        }
        pump();
    }

    private void againUnsure(List<Part> batch) {
        batch.forEach(Part::unsure);
        again(batch, asking.hunting::afterFailures);
    }

    private void putBack(List<Part> batch) {
        for (int i = batch.size() - 1; i >= 0; i--) {
            if (!droppedIfEnded(batch.get(i))) {
                waiting.addFirst(batch.get(i));
            }
        }
    }

    /**
     * @param pause how long, by the failures in a row
     */
    private void again(List<Part> batch, IntFunction<Duration> pause) {
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

    private void decided(List<Part> batch, int count, CommitResponse answer) {
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
        List<Part> unsettled = new ArrayList<>();
        int at = 0;
        int holdersAt = 0;
        for (Part part : batch) {
            int[] open = null;
            int openCount = 0;
            int size = part.count();
            for (int i = 0; i < size; i++) {
                byte outcome = outcomes.byteAt(at++);
                if (Outcomes.isDefinite(outcome)) {
                    part.answer(i, outcome, holders, holdersAt);
                    holdersAt += outcome == Outcome.TAKEN_VALUE ? CommitToken.BYTES : 0;
                } else {
                    open = open == null ? new int[size - i] : open;
                    open[openCount++] = i;
                }
            }
            part.left(size - openCount);
            if (open != null) {
                Part rest = part.at(java.util.Arrays.copyOf(open, openCount));
                rest.refused();
                unsettled.add(rest);
            }
        }
        if (!unsettled.isEmpty()) {
            reroute(unsettled);
        }
    }

    /** Of WRONG_SHARD and EPOCH_PREPARED: surely not committed here. */
    private void reroute(List<Part> unsettled) {
        Duration delay = asking.backoff.afterFailures(UNSETTLED_FAILURES);
        asking.later(
                delay,
                () ->
                        unsettled.forEach(
                                part -> {
                                    if (!droppedIfEnded(part)) {
                                        router.route(part);
                                    }
                                }));
    }
}
