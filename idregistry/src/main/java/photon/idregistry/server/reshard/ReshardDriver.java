package photon.idregistry.server.reshard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.PipelineView;
import photon.idregistry.reshard.ReshardCoordinator;
import photon.idregistry.reshard.ReshardCoordinator.Step;
import photon.idregistry.server.groups.ControlRequests;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.ReshardAttempt;
import photon.registry.api.RegistryProtos;
import photon.registry.client.EpochPrepares;

/**
 * Leads every open reshard attempt to its decision while this server leads the control group, so
 * that whoever began it may be gone (docs/protocol.md section 4). Another leader goes on where this
 * one ends; for a while both may be at it, which does no harm. Runs in the server's loop.
 */
public final class ReshardDriver {
    private static final Logger LOG = LoggerFactory.getLogger(ReshardDriver.class);

    private final EventLoop loop;
    private final Groups groups;
    private final ServerPeers peers;
    private final Stamping stamping;
    private final Runnable decided;
    private final Map<Attempt, Led> led = new LinkedHashMap<>();

    private record Attempt(UUID pipeline, long number) {}

    private static final class Led {
        final ReshardAttempt attempt;
        final ReshardCoordinator coordinator;
        final EpochPrepares prepares;

        /** What the control group is to be asked; null: nothing, or it was not reached yet. */
        Step.@Nullable Decide decision;

        boolean deciding;

        Led(ReshardAttempt attempt, ReshardCoordinator coordinator, EpochPrepares prepares) {
            this.attempt = attempt;
            this.coordinator = coordinator;
            this.prepares = prepares;
        }
    }

    /**
     * @param decided told when an attempt was settled: there is a new map perhaps
     */
    public ReshardDriver(
            EventLoop loop, Groups groups, ServerPeers peers, Stamping stamping, Runnable decided) {
        this.loop = loop;
        this.groups = groups;
        this.peers = peers;
        this.stamping = stamping;
        this.decided = decided;
    }

    /** Takes up what is open, lets go what is not, and asks again what was not answered. */
    public void look(List<PipelineView> pipelines) {
        if (!groups.control().log().leads()) {
            stop();
            return;
        }
        Map<Attempt, Led> open = new LinkedHashMap<>();
        for (PipelineView pipeline : pipelines) {
            for (ReshardAttempt attempt : pipeline.reshards().openAttempts()) {
                Attempt name = new Attempt(pipeline.uuid(), attempt.getNumber());
                Led known = led.remove(name);
                open.put(name, known == null ? take(pipeline, attempt) : known);
            }
        }
        stop();
        led.putAll(open);
        new ArrayList<>(open.entrySet()).forEach(one -> goOn(one.getKey(), one.getValue()));
    }

    private Led take(PipelineView pipeline, ReshardAttempt attempt) {
        LOG.info(
                "Leading reshard attempt {} of pipeline {} to {} shards",
                attempt.getNumber(),
                pipeline.name(),
                attempt.getShards());
        return new Led(
                attempt,
                new ReshardCoordinator(attempt, pipeline.map().lastShards()),
                new EpochPrepares(loop, peers.transport(), peers.servers(), peers.random()));
    }

    /** Lets go of everything. */
    public void stop() {
        led.values().forEach(one -> one.prepares.close());
        led.clear();
    }

    private void goOn(Attempt name, Led one) {
        for (Step step : one.coordinator.next()) {
            if (step instanceof Step.Prepare prepare) {
                one.prepares.prepare(
                        name.pipeline(),
                        one.attempt,
                        prepare.shard(),
                        prepare.again(),
                        verdict -> {
                            one.coordinator.prepared(prepare.shard(), verdict);
                            goOn(name, one);
                        });
            } else if (step instanceof Step.Decide decide) {
                one.decision = decide;
            }
        }
        decide(name, one);
    }

    /** What is refused or lost is asked again at the next look, if it is still open. */
    private void decide(Attempt name, Led one) {
        Step.Decide decision = one.decision;
        if (decision == null || one.deciding || one.coordinator.isSettled()) {
            return;
        }
        one.deciding = true;
        DecideReshardRequest.Builder request =
                DecideReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(name.pipeline()))
                        .setAttempt(name.number())
                        .setDecision(decision.decision())
                        .setReason(decision.reason());
        decision.prepared()
                .forEach(
                        shard ->
                                request.addPrepared(
                                        RegistryProtos.shardRef(name.pipeline(), shard)));
        groups.controlEntries()
                .submit(
                        stamping.stamped(
                                peers.actor(), ControlEntries.decideReshard(request.build())),
                        result -> {
                            one.deciding = false;
                            DecideReshardResponse answer =
                                    ControlRequests.parse(DecideReshardResponse.parser(), result);
                            LOG.info(
                                    "Reshard attempt {} of pipeline {}: {} {}",
                                    name.number(),
                                    name.pipeline(),
                                    answer.getState(),
                                    decision.reason());
                            one.coordinator.decided(answer.getState());
                            decided.run();
                        },
                        refused -> one.deciding = false);
    }
}
