package photon.idregistry.server.reshard;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.PipelineView;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.ReshardDecision;
import photon.registry.api.RegistryProtos;

/**
 * Aborts reshard attempts that have been open too long: their shards refuse ids meanwhile, and
 * whoever began them may be gone (docs/protocol.md section 4). Every server counts, the control
 * group's leader asks for the abort. Runs in the server's loop.
 */
public final class OverdueReshards {
    public static final Duration OPEN_MAX = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(OverdueReshards.class);

    private final EventLoop loop;
    private final Groups groups;
    private final String actor;
    private final Stamping stamping;
    private final Map<Attempt, Long> seenSinceNanos = new LinkedHashMap<>();
    private boolean busy;

    private record Attempt(UUID pipeline, long number) {}

    public OverdueReshards(EventLoop loop, Groups groups, ServerPeers peers, Stamping stamping) {
        this.loop = loop;
        this.groups = groups;
        this.actor = peers.actor();
        this.stamping = stamping;
    }

    public void look(List<PipelineView> pipelines) {
        long now = loop.nanoTime();
        Set<Attempt> open = new LinkedHashSet<>();
        for (PipelineView pipeline : pipelines) {
            pipeline.reshards()
                    .open()
                    .forEach(number -> open.add(new Attempt(pipeline.uuid(), number)));
        }
        seenSinceNanos.keySet().retainAll(open);
        open.forEach(attempt -> seenSinceNanos.putIfAbsent(attempt, now));
        if (busy || !groups.control().log().leads()) {
            return;
        }
        for (Map.Entry<Attempt, Long> seen : seenSinceNanos.entrySet()) {
            if (now - seen.getValue() >= OPEN_MAX.toNanos()) {
                abort(seen.getKey());
                return;
            }
        }
    }

    /** What is refused or lost is asked again at the next look, if it is still open. */
    private void abort(Attempt attempt) {
        LOG.warn(
                "Reshard attempt {} of pipeline {} is open for {} s: it is aborted",
                attempt.number(),
                attempt.pipeline(),
                OPEN_MAX.toSeconds());
        busy = true;
        groups.controlEntries()
                .submit(
                        stamping.stamped(
                                actor,
                                ControlEntries.decideReshard(
                                        DecideReshardRequest.newBuilder()
                                                .setPipeline(
                                                        RegistryProtos.bytes(attempt.pipeline()))
                                                .setAttempt(attempt.number())
                                                .setDecision(ReshardDecision.ABORT)
                                                .setReason(
                                                        "not decided within %s s"
                                                                .formatted(OPEN_MAX.toSeconds()))
                                                .build())),
                        result -> busy = false,
                        refused -> busy = false);
    }
}
