package photon.idregistry.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * Shard maps change while ids flow, joiners are fenced and repaired, and everybody crashes: no id
 * is accepted for two tokens, none is called removed that a group holds, and in the end every group
 * has the control group's map.
 */
final class ReshardModelTest {
    private static final int SEEDS = 400;
    private static final int STEPS = 1_000;

    /** Over all seeds: what never happened was not tested. */
    private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);

    private final Map<PrepareVerdict, Integer> prepares = new EnumMap<>(PrepareVerdict.class);
    private final Map<ReshardState, Integer> ends = new EnumMap<>(ReshardState.class);
    private int refused;
    private final Map<RemoveOutcome, Integer> removes = new EnumMap<>(RemoveOutcome.class);
    private int crashes;
    private int epochsMost;
    private int dropped;

    @Test
    void noIdIsHeldTwiceWhateverBecomesOfAReshard() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                new Life(seed).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(outcomes)
                .containsKeys(
                        Outcome.ACCEPTED,
                        Outcome.TAKEN,
                        Outcome.FENCED,
                        Outcome.WRONG_SHARD,
                        Outcome.ID_TOO_OLD,
                        Outcome.EPOCH_PREPARED);
        assertThat(prepares)
                .containsKeys(
                        PrepareVerdict.PREPARED,
                        PrepareVerdict.PREPARE_SETTLED,
                        PrepareVerdict.PREPARE_TOO_EARLY,
                        PrepareVerdict.PREPARE_TOO_LATE);
        assertThat(ends)
                .containsOnlyKeys(ReshardState.RESHARD_COMMITTED, ReshardState.RESHARD_ABORTED);
        assertThat(refused).isPositive();
        assertThat(removes).containsKeys(RemoveOutcome.REMOVED, RemoveOutcome.REMOVE_WRONG_SHARD);
        assertThat(crashes).isPositive();
        assertThat(epochsMost).isGreaterThan(3);
        assertThat(dropped).isGreaterThan(20);
    }

    /** One attempt as one server leads it. */
    private static final class Led {
        final ReshardAttempt attempt;
        final ReshardCoordinator coordinator;
        final List<ReshardCoordinator.Step> unsettled = new ArrayList<>();

        Led(ReshardAttempt attempt, ReshardCoordinator coordinator) {
            this.attempt = attempt;
            this.coordinator = coordinator;
        }
    }

    /** One seed. */
    private final class Life {
        final ReshardWorld world;
        final Random random;
        final List<Operator> operators = new ArrayList<>();

        /** One a server: all of them believe to lead the control group, as some may for a while. */
        final List<Driver> drivers = new ArrayList<>();

        final Set<Incarnation> live = new LinkedHashSet<>();
        final Set<Commit> unanswered = new LinkedHashSet<>();
        final Set<Commit> toRemove = new LinkedHashSet<>();
        final Set<Incarnation> toFence = new LinkedHashSet<>();
        long now = 1_000;
        int numbers;

        Life(long seed) {
            world = new ReshardWorld(seed);
            random = world.random;
            for (int server = 0; server < ReshardWorld.SERVERS; server++) {
                drivers.add(new Driver(server));
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                now += random.nextInt(4);
                int die = random.nextInt(100);
                if (die < 2) {
                    register();
                } else if (die < 4) {
                    fenceOne();
                } else if (die < 6) {
                    reshard();
                } else if (die < 7) {
                    crashADriver();
                } else if (die < 8) {
                    oldThings();
                } else if (die < 11) {
                    world.restoreSomething();
                } else if (die < 21) {
                    commitAnew();
                } else if (die < 25) {
                    askAgain();
                } else if (die < 28) {
                    operators.forEach(Operator::goOn);
                    drivers.get(random.nextInt(drivers.size())).goOn();
                } else if (die < 45) {
                    world.look(random.nextInt(3));
                } else {
                    world.deliverOne();
                }
            }
            becomeQuiet();
            world.assertSettled();
            assertThat(unanswered).isEmpty();
            assertThat(toRemove).isEmpty();
            world.outcomes.forEach(
                    (outcome, count) -> outcomes.merge(outcome, count, Integer::sum));
            epochsMost = Math.max(epochsMost, world.map().lastEpoch().number());
            dropped += world.dropped;
            world.states().forEach(state -> ends.merge(state, 1, Integer::sum));
        }

        private void becomeQuiet() {
            world.calm = true;
            for (int round = 0; round < 60; round++) {
                while (world.deliverOne()) {}
                world.lookEverywhere();
                operators.forEach(Operator::goOn);
                drivers.get(0).goOn();
                askAgain();
            }
            while (world.deliverOne()) {}
        }

        // Joiners.

        private void register() {
            RegisterRequest request =
                    RegisterRequest.newBuilder()
                            .setPipeline(RegistryProtos.bytes(ReshardWorld.PIPELINE))
                            .setSlotName("slot" + random.nextInt(3))
                            .setNonce(ByteString.copyFromUtf8("n" + ++numbers))
                            .build();
            world.control(
                    ControlEntries.register(request),
                    RegisterResponse::parseFrom,
                    answer ->
                            live.add(
                                    new Incarnation(
                                            answer.getIncarnation().getSlot(),
                                            answer.getIncarnation().getGeneration())));
        }

        private void commitAnew() {
            if (live.isEmpty()) {
                return;
            }
            Incarnation joiner = any(live);
            long micros = now - 40 + random.nextInt(80);
            // Of few servers and processes, so that ids repeat.
            EventId id = new EventId(micros / 8 * 8, 1, random.nextInt(2), 5);
            CommitToken token = new CommitToken(joiner.slot(), joiner.generation(), ++numbers);
            Commit commit = new Commit(id, token);
            unanswered.add(commit);
            commit(commit, world.anyMap());
        }

        private void commit(Commit commit, ShardMap known) {
            world.commit(
                    known.owner(commit.id()),
                    commit,
                    outcome -> {
                        if (outcome == Outcome.ACCEPTED
                                || outcome == Outcome.TAKEN
                                || outcome == Outcome.ID_TOO_OLD
                                || outcome == Outcome.FENCED) {
                            unanswered.remove(commit);
                        }
                    });
        }

        /** What has no definite answer, with the same token, by another map perhaps. */
        private void askAgain() {
            for (Commit commit : List.copyOf(unanswered)) {
                if (world.calm || random.nextInt(4) == 0) {
                    commit(commit, world.calm ? world.map() : world.anyMap());
                }
            }
            for (Commit commit : List.copyOf(toRemove)) {
                if (world.calm || random.nextInt(2) == 0) {
                    remove(commit, world.calm ? world.map() : world.anyMap());
                }
            }
            List.copyOf(toFence).forEach(this::fence);
        }

        private void fenceOne() {
            if (!live.isEmpty()) {
                Incarnation dead = any(live);
                toFence.add(dead);
                fence(dead);
            }
        }

        /**
         * In the control group, then in the groups that it lists, then what it holds is removed.
         */
        private void fence(Incarnation dead) {
            FenceIncarnationRequest request =
                    FenceIncarnationRequest.newBuilder()
                            .setPipeline(RegistryProtos.bytes(ReshardWorld.PIPELINE))
                            .setIncarnation(
                                    photon.proto.v1.Incarnation.newBuilder()
                                            .setSlot(dead.slot())
                                            .setGeneration(dead.generation()))
                            .build();
            world.control(
                    ControlEntries.fenceIncarnation(request),
                    FenceIncarnationResponse::parseFrom,
                    answer -> {
                        Set<Shard> left = new TreeSet<>();
                        answer.getShardsList()
                                .forEach(
                                        ref -> left.add(new Shard(ref.getEpoch(), ref.getShard())));
                        byte[] entry =
                                ShardEntries.fence(dead.slot(), answer.getLowestLiveGeneration());
                        for (Shard shard : List.copyOf(left)) {
                            world.shard(
                                    shard,
                                    entry,
                                    result -> {
                                        if (result != null || world.isDropped(shard)) {
                                            repairGroup(dead, shard);
                                            if (left.remove(shard) && left.isEmpty()) {
                                                world.fencedEverywhere(dead);
                                                toFence.remove(dead);
                                            }
                                        }
                                    });
                        }
                    });
        }

        private void repairGroup(Incarnation dead, Shard shard) {
            for (Commit held : world.scan(shard, dead)) {
                if (random.nextInt(2) == 0) {
                    toRemove.add(held);
                }
            }
        }

        private void remove(Commit held, ShardMap known) {
            world.remove(
                    known.owner(held.id()),
                    held,
                    outcome -> {
                        if (outcome != null) {
                            removes.merge(outcome, 1, Integer::sum);
                        }
                        if (outcome == RemoveOutcome.REMOVED && toRemove.remove(held)) {
                            joinAnew(held.id());
                        } else if (outcome == RemoveOutcome.REMOVE_TOO_OLD) {
                            toRemove.remove(held);
                        }
                    });
        }

        private void joinAnew(EventId id) {
            if (!live.isEmpty()) {
                Incarnation joiner = any(live);
                Commit commit =
                        new Commit(
                                id, new CommitToken(joiner.slot(), joiner.generation(), ++numbers));
                unanswered.add(commit);
                commit(commit, world.anyMap());
            }
        }

        private <T> T any(Set<T> set) {
            List<T> all = List.copyOf(set);
            int newest = Math.min(3, all.size());
            return all.get(all.size() - 1 - random.nextInt(newest));
        }

        // Operators.

        private void reshard() {
            if (operators.stream().filter(o -> !o.done).count() < 3) {
                Operator operator = new Operator(++numbers);
                operators.add(operator);
                operator.goOn();
            }
        }

        private void crashADriver() {
            drivers.get(random.nextInt(drivers.size())).crash();
            crashes++;
        }

        /** Overdue attempts are aborted, and what is too old is dropped. */
        private void oldThings() {
            switch (random.nextInt(6)) {
                case 0 -> world.openAttempts().stream().findFirst().ifPresent(this::abort);
                case 1, 2 -> world.dropFirstEpoch(random.nextInt(ReshardWorld.SERVERS));
                default -> world.moveBoundaries(now - 20 - random.nextInt(100));
            }
        }

        private void abort(long attempt) {
            world.send(() -> world.applyControl(decide(attempt, ReshardDecision.ABORT, List.of())));
        }

        private byte[] decide(long attempt, ReshardDecision decision, List<Shard> prepared) {
            DecideReshardRequest.Builder request =
                    DecideReshardRequest.newBuilder()
                            .setPipeline(RegistryProtos.bytes(ReshardWorld.PIPELINE))
                            .setAttempt(attempt)
                            .setDecision(decision);
            for (Shard shard : prepared) {
                ShardRef ref = RegistryProtos.shardRef(ReshardWorld.PIPELINE, shard);
                request.addPrepared(ref);
            }
            return ControlEntries.decideReshard(request.build());
        }

        /** Whoever wants another map, and asks until it hears that it is begun. */
        private final class Operator {
            private final BeginReshardRequest wanted;
            private boolean done;

            Operator(int nonce) {
                wanted =
                        BeginReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ReshardWorld.PIPELINE))
                                .setBaseVersion(world.anyMap().version())
                                .setShards(1 + random.nextInt(3))
                                .setStartMicros(now + random.nextInt(80))
                                .setNonce(ByteString.copyFromUtf8("r" + nonce))
                                .build();
            }

            void goOn() {
                if (done) {
                    return;
                }
                world.control(
                        ControlEntries.beginReshard(wanted),
                        BeginReshardResponse::parseFrom,
                        answer -> {
                            done = true;
                            if (answer.getVerdict() != BeginReshardResponse.Verdict.BEGUN) {
                                refused++;
                            } else if (random.nextInt(6) == 0) {
                                abort(answer.getAttempt().getNumber());
                            }
                        });
            }
        }

        /** One server's leading of all attempts that its replica of the control group knows. */
        private final class Driver {
            private final int server;
            private final Map<Long, Led> led = new TreeMap<>();

            Driver(int server) {
                this.server = server;
            }

            void crash() {
                led.clear();
            }

            /** Sends each step, all of them again until there is an answer. */
            void goOn() {
                world.known(server)
                        .ifPresent(
                                known ->
                                        known.reshards()
                                                .openAttempts()
                                                .forEach(attempt -> take(known.map(), attempt)));
                for (Led one : List.copyOf(led.values())) {
                    List<ReshardCoordinator.Step> again = List.copyOf(one.unsettled);
                    sendNew(one);
                    again.forEach(step -> send(one, step));
                }
            }

            private void take(ShardMap map, ReshardAttempt attempt) {
                led.computeIfAbsent(
                        attempt.getNumber(),
                        number ->
                                new Led(
                                        attempt,
                                        new ReshardCoordinator(attempt, map.lastShards())));
            }

            private void sendNew(Led one) {
                List<ReshardCoordinator.Step> due = one.coordinator.next();
                one.unsettled.addAll(due);
                due.forEach(step -> send(one, step));
            }

            private void send(Led one, ReshardCoordinator.Step step) {
                if (step instanceof ReshardCoordinator.Step.Prepare prepare) {
                    byte[] entry =
                            ShardEntries.prepare(
                                    one.attempt.getNumber(),
                                    one.attempt.getBaseVersion(),
                                    one.attempt.getStartMicros());
                    world.shard(
                            prepare.shard(),
                            entry,
                            result -> {
                                PrepareVerdict verdict =
                                        result != null
                                                ? ShardResults.prepare(result).verdict()
                                                : world.isDropped(prepare.shard())
                                                        ? PrepareVerdict.PREPARE_SETTLED
                                                        : null;
                                if (verdict != null) {
                                    prepares.merge(verdict, 1, Integer::sum);
                                    one.coordinator.prepared(prepare.shard(), verdict);
                                    answered(one, step);
                                }
                            });
                } else if (step instanceof ReshardCoordinator.Step.Decide decide) {
                    world.control(
                            decide(one.attempt.getNumber(), decide.decision(), decide.prepared()),
                            DecideReshardResponse::parseFrom,
                            answer -> {
                                one.coordinator.decided(answer.getState());
                                answered(one, step);
                                if (one.coordinator.isSettled()) {
                                    one.unsettled.clear();
                                }
                            });
                }
            }

            private void answered(Led one, ReshardCoordinator.Step step) {
                one.unsettled.remove(step);
                if (led.get(one.attempt.getNumber()) == one && !world.calm) {
                    sendNew(one);
                }
            }
        }
    }
}
