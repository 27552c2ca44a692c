package photon.idregistry.server.boundary;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.core.time.IntervalClock;
import photon.idregistry.boundary.ClockMajority;
import photon.idregistry.boundary.ClockVote;
import photon.idregistry.boundary.ClockVotes;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.BoundaryStatus;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.PassedTime;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ShardRef;
import photon.proto.v1.TellClockRequest;
import photon.proto.v1.TellClockResponse;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Moves the boundaries (docs/protocol.md section 5). It asks every server for its clock now and
 * then. Where it leads the control group it tells that what a majority of them has passed, from
 * which the control group makes each pipeline's limit; and the shards that it leads follow the
 * limit, in steps. With too few clocks that are known to be right all stands still, and says so.
 * Runs in the server's loop.
 */
public final class BoundaryAdvancer {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    /** Finer than anybody's retention is meant. */
    static final Duration ASK_EVERY = Duration.ofSeconds(15);

    /** The same while a shard has no boundary at all. */
    private static final Duration PRESS_EVERY = Duration.ofSeconds(2);

    /** A few questions may go unanswered. */
    static final Duration VOTE_LIFE = Duration.ofMinutes(1);

    /** A repair is a matter of minutes. */
    static final Duration HELD_BACK_ALARM = Duration.ofHours(1);

    /** Servers start one after another. */
    static final Duration ALARM_AFTER = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(BoundaryAdvancer.class);

    private final EventLoop loop;
    private final ServedGroups groups;
    private final IntervalClock clock;
    private final ServerPeers peers;
    private final ClockVotes votes = new ClockVotes(VOTE_LIFE.toNanos());
    private final Map<ShardRef, Moving> shards = new HashMap<>(); // looked up, never walked
    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;

    /** Some pipeline has a retention. */
    private boolean wanted;

    private boolean asked;
    private long askedNanos;

    /**
     * Some pipeline cannot have a boundary yet, or this server leads the control group and has told
     * it nothing: nobody shall wait for the next question.
     */
    private boolean pressing;

    private boolean toldOnce;

    /** What was told to the control group is not answered yet. */
    private boolean telling;

    /** Since then it could not move; only while it is wanted. */
    private long stuckNanos;

    private String alarm = "";

    /** One shard's boundary. */
    private static final class Moving {
        boolean busy;

        /** It is there or beyond: it never goes back. */
        long reachedMicros = Long.MIN_VALUE;
    }

    public BoundaryAdvancer(
            EventLoop loop, ServedGroups groups, IntervalClock clock, ServerPeers peers) {
        this.loop = loop;
        this.groups = groups;
        this.clock = clock;
        this.peers = peers;
    }

    /** Looks now, and from now on. */
    public void start() {
        loop.checkInLoop();
        if (!stopped) {
            look();
            timer = loop.schedule(LOOK_EVERY, this::start);
        }
    }

    public void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        List<PipelineView> pipelines = groups.control().read(ControlState::pipelines);
        boolean wasWanted = wanted;
        wanted = pipelines.stream().anyMatch(p -> p.settings().getRetentionMicros() > 0);
        if (!wanted) {
            alarm = "";
            return;
        }
        long now = loop.nanoTime();
        if (!wasWanted) {
            stuckNanos = now;
        }
        Duration pause = pressing ? PRESS_EVERY : ASK_EVERY;
        if (!asked || now - askedNanos >= pause.toNanos()) {
            ask(now);
        }
        move(pipelines);
    }

    private void ask(long now) {
        asked = true;
        askedNanos = now;
        List<HostPort> servers = peers.servers();
        heard(servers.get(0), peers.addresses().get(0), OwnClock.tell(clock));
        for (HostPort server : servers.subList(1, servers.size())) {
            peers.transport()
                    .at(server)
                    .tellClock()
                    .call(
                            TellClockRequest.getDefaultInstance(),
                            new Caller.Reply<>() {
                                @Override
                                public void answered(TellClockResponse answer) {
                                    heard(server, answer.getServer(), answer.getClock());
                                    if (pressing && !stopped) {
                                        move(groups.control().read(ControlState::pipelines));
                                    }
                                }

                                @Override
                                public void broken(String why) {
                                    LOG.debug("{} has not told its clock: {}", server, why);
                                }
                            });
        }
    }

    private void heard(HostPort server, String voter, ServerClock told) {
        votes.heard(
                server.toString(),
                voter,
                new ClockVote(told.getEarliestMicros(), told.getSynchronised(), told.getTrouble()),
                loop.nanoTime());
    }

    private ClockMajority majority() {
        return votes.count(
                peers.counted(groups.control().read(ControlState::roster)), loop.nanoTime());
    }

    private void move(List<PipelineView> pipelines) {
        ClockMajority majority = majority();
        judge(majority);
        tell(majority);
        pressing = !toldOnce && groups.control().log().leads();
        for (PipelineView pipeline : pipelines) {
            if (pipeline.settings().getRetentionMicros() > 0) {
                pressing |= pipeline.wantedMicros() == Long.MIN_VALUE;
                for (Shard shard : pipeline.map().shards()) {
                    move(RegistryProtos.shardRef(pipeline.uuid(), shard), pipeline.limitMicros());
                }
            }
        }
    }

    private void tell(ClockMajority majority) {
        Group<ControlState> control = groups.control();
        OptionalLong passed = majority.passedMicros();
        if (telling
                || passed.isEmpty()
                || passed.getAsLong() == control.read(ControlState::passedMicros)
                || !control.log().leads()) {
            return;
        }
        telling = true;
        groups.controlEntries()
                .submit(
                        ControlEntries.passedTime(
                                PassedTime.newBuilder()
                                        .setPassedMicros(passed.getAsLong())
                                        .build()),
                        result -> {
                            telling = false;
                            toldOnce = true;
                            if (!stopped) {
                                move(control.read(ControlState::pipelines));
                            }
                        },
                        // Told again at the next look, if this server leads then.
                        refused -> telling = false);
    }

    private void judge(ClockMajority majority) {
        long now = loop.nanoTime();
        if (majority.passedMicros().isPresent()) {
            stuckNanos = now;
            if (!alarm.isEmpty()) {
                LOG.info("The boundary moves again");
                alarm = "";
            }
        } else if (now - stuckNanos >= ALARM_AFTER.toNanos()) {
            if (alarm.isEmpty()) {
                LOG.warn("The boundary stands still, and no id is dropped: {}", majority.trouble());
            }
            alarm = majority.trouble();
        }
    }

    private void move(ShardRef ref, long limit) {
        ShardGroup shard = groups.shard(ref);
        if (shard == null || !shard.group().log().leads()) {
            return;
        }
        Moving at = shards.computeIfAbsent(ref, r -> new Moving());
        if (!at.busy && at.reachedMicros < limit) {
            step(shard, at, limit);
        }
    }

    /** An entry moves it over a bounded number of cells; the next one follows at once. */
    private void step(ShardGroup shard, Moving at, long target) {
        long next = shard.group().read(state -> state.boundaryTowards(target));
        at.busy = true;
        shard.entries()
                .submit(
                        ShardEntries.advanceBoundary(next),
                        result -> {
                            at.busy = false;
                            at.reachedMicros = ShardResults.boundary(result);
                            if (at.reachedMicros < target && !stopped) {
                                step(shard, at, target);
                            }
                        },
                        // It is proposed again at the next look, if this server leads then.
                        refused -> at.busy = false);
    }

    /** Empty while no pipeline has a retention. */
    public Optional<BoundaryStatus> status() {
        if (!wanted) {
            return Optional.empty();
        }
        ClockMajority majority = majority();
        BoundaryStatus.Builder status =
                BoundaryStatus.newBuilder()
                        .setVotes(majority.votes())
                        .setNeeded(majority.needed())
                        .setTrouble(alarm);
        majority.passedMicros().ifPresent(status::setPassedMicros);
        groups.control().read(BoundaryAdvancer::heldBack).forEach(status::addHeldBack);
        return Optional.of(status.build());
    }

    /** Who holds boundaries back for long: a sentence each, for people. */
    private static List<String> heldBack(ControlState control) {
        List<String> all = new ArrayList<>();
        for (PipelineView pipeline : control.pipelines()) {
            control.holder(pipeline.uuid())
                    .filter(holder -> pipeline.wantedMicros() != Long.MIN_VALUE)
                    .ifPresent(
                            holder -> {
                                long micros = heldBackMicros(control, pipeline, holder);
                                if (micros >= HELD_BACK_ALARM.toNanos() / 1_000) {
                                    all.add(heldBack(pipeline.name(), micros, holder));
                                }
                            });
        }
        return all;
    }

    /** Where there is no boundary at all yet: for how long nothing was heard of it. */
    private static long heldBackMicros(
            ControlState control, PipelineView pipeline, IncarnationInfo holder) {
        return pipeline.limitMicros() == Long.MIN_VALUE
                ? control.passedMicros() - holder.getHeardMicros()
                : pipeline.wantedMicros() - pipeline.limitMicros();
    }

    private static String heldBack(String pipeline, long micros, IncarnationInfo holder) {
        return "boundary of pipeline %s is held back by %d h: incarnation %d/%d of %s is not repaired (%s)"
                .formatted(
                        pipeline,
                        TimeUnit.MICROSECONDS.toHours(micros),
                        holder.getIncarnation().getSlot(),
                        holder.getIncarnation().getGeneration(),
                        holder.getSlotName(),
                        holder.getFenced()
                                ? "fenced"
                                : "last heard of at "
                                        + Instant.EPOCH.plus(
                                                holder.getHeardMicros(), ChronoUnit.MICROS));
    }
}
