package photon.idregistry.control;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import photon.proto.v1.AuditKind;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.BeginReshardResponse.Verdict;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** Which reshard attempts may begin, and what is decided on them (docs/protocol.md section 4). */
final class ReshardRules {
    /** Characters of an abort's reason that are kept. */
    static final int REASON_MAX = 200;

    private ReshardRules() {}

    static BeginReshardResponse begin(
            Pipelines pipelines, BeginReshardRequest request, AuditTrail audit) {
        PipelineState pipeline = pipelines.find(request.getPipeline());
        if (pipeline == null) {
            return BeginReshardResponse.newBuilder()
                    .setProgress(Progress.DECIDED)
                    .setVerdict(Verdict.UNKNOWN_PIPELINE)
                    .build();
        }
        String nonce = Nonces.hex(request.getNonce());
        ReshardAttempts.Attempt attempt = pipeline.reshards.begunWith(nonce);
        Verdict verdict = Verdict.BEGUN;
        if (attempt == null) {
            verdict = mayBegin(pipeline, request);
            if (verdict == Verdict.BEGUN) {
                attempt = pipeline.reshards.begin(request, nonce);
                audit.add(
                        AuditKind.AUDIT_RESHARD_BEGUN,
                        pipeline,
                        "attempt %s: %s shards from %s us on"
                                .formatted(
                                        attempt.number(), attempt.shards(), attempt.startMicros()));
            }
        }
        BeginReshardResponse.Builder answer =
                BeginReshardResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setVerdict(verdict)
                        .setMap(pipeline.map.toProto());
        return attempt == null ? answer.build() : answer.setAttempt(toProto(attempt)).build();
    }

    private static Verdict mayBegin(PipelineState pipeline, BeginReshardRequest request) {
        ShardMap map = pipeline.map;
        int shards = request.getShards();
        if (request.getBaseVersion() != map.version()) {
            return Verdict.OTHER_VERSION;
        }
        if (shards < 1 || shards > ShardMap.SHARDS_MAX - map.shards().size()) {
            return Verdict.BAD_SHARDS;
        }
        if (request.getStartMicros() <= map.lastEpoch().startMicros()) {
            return Verdict.BAD_START;
        }
        return pipeline.reshards.open().size() < ReshardAttempts.OPEN_MAX
                ? Verdict.BEGUN
                : Verdict.TOO_MANY_OPEN;
    }

    /**
     * One compare-and-set on the map's version: of several attempts that are built on it, at most
     * one is committed.
     */
    static DecideReshardResponse decide(
            Pipelines pipelines, DecideReshardRequest request, AuditTrail audit) {
        PipelineState pipeline = pipelines.find(request.getPipeline());
        if (pipeline == null) {
            return DecideReshardResponse.newBuilder().setProgress(Progress.DECIDED).build();
        }
        ReshardAttempts.Attempt open = pipeline.reshards.openAttempt(request.getAttempt());
        if (open != null) {
            List<ReshardAttempts.Attempt> openBefore = pipeline.reshards.open();
            decide(pipeline, open, request);
            record(pipeline, openBefore, reason(request), audit);
        }
        return DecideReshardResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setState(pipeline.reshards.state(request.getAttempt()))
                .setMap(pipeline.map.toProto())
                .build();
    }

    /** One that is committed aborts the others. */
    private static void record(
            PipelineState pipeline,
            List<ReshardAttempts.Attempt> openBefore,
            String reason,
            AuditTrail audit) {
        for (ReshardAttempts.Attempt attempt : openBefore) {
            switch (pipeline.reshards.state(attempt.number())) {
                case RESHARD_COMMITTED ->
                        audit.add(
                                AuditKind.AUDIT_RESHARD_COMMITTED,
                                pipeline,
                                "attempt %s: map version %s"
                                        .formatted(attempt.number(), pipeline.map.version()));
                case RESHARD_ABORTED ->
                        audit.add(
                                AuditKind.AUDIT_RESHARD_ABORTED,
                                pipeline,
                                "attempt %s%s".formatted(attempt.number(), reason));
                default -> {
                    // It is open still.
                }
            }
        }
    }

    /** Behind the attempt's number; empty: none is told. */
    private static String reason(DecideReshardRequest request) {
        if (request.getDecision() == ReshardDecision.COMMIT) {
            return ": another one, or on another map";
        }
        String told = request.getReason();
        int end = Math.min(told.length(), REASON_MAX);
        if (end < told.length() && Character.isHighSurrogate(told.charAt(end - 1))) {
            end--;
        }
        return told.isEmpty() ? "" : ": " + told.substring(0, end);
    }

    private static void decide(
            PipelineState pipeline, ReshardAttempts.Attempt open, DecideReshardRequest request) {
        ReshardDecision asked = request.getDecision();
        if (asked == ReshardDecision.ABORT || open.baseVersion() != pipeline.map.version()) {
            pipeline.reshards.abort(open);
        } else if (asked == ReshardDecision.COMMIT && allPrepared(pipeline, request)) {
            pipeline.map = pipeline.reshards.commit(open, pipeline.map);
        }
    }

    /** Else one that is not prepared could accept an id that belongs to the new epoch. */
    private static boolean allPrepared(PipelineState pipeline, DecideReshardRequest request) {
        Set<Shard> prepared = new LinkedHashSet<>();
        for (ShardRef ref : request.getPreparedList()) {
            if (ref.getPipeline().equals(RegistryProtos.bytes(pipeline.uuid))) {
                prepared.add(new Shard(ref.getEpoch(), ref.getShard()));
            }
        }
        return prepared.containsAll(pipeline.map.lastShards());
    }

    static ReshardAttempt toProto(ReshardAttempts.Attempt attempt) {
        return ReshardAttempt.newBuilder()
                .setNumber(attempt.number())
                .setBaseVersion(attempt.baseVersion())
                .setShards(attempt.shards())
                .setStartMicros(attempt.startMicros())
                .setState(attempt.state())
                .build();
    }
}
