package photon.idregistry.server.status;

import java.util.List;
import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.AuditSource;
import photon.proto.v1.DescribeAuditRequest;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.ShardRef;

/** Tells what was done to the registry, as this server's replicas know it, without the log. */
public final class AuditHandler implements Handler<DescribeAuditRequest, DescribeAuditResponse> {
    private final String name;
    private final ServedGroups groups;

    public AuditHandler(String name, ServedGroups groups) {
        this.name = name;
        this.groups = groups;
    }

    @Override
    public void handle(DescribeAuditRequest request, Consumer<DescribeAuditResponse> respond) {
        long since = request.getSinceMicros();
        AuditSource control = groups.control().read(state -> of(state, since));
        DescribeAuditResponse.Builder answer =
                DescribeAuditResponse.newBuilder().setName(name).addSources(control);
        groups.shards()
                .forEach(
                        (ref, shard) -> {
                            AuditSource source = shard.group().read(state -> of(ref, state, since));
                            answer.addSources(source);
                        });
        respond.accept(answer.build());
    }

    private static AuditSource of(ControlState state, long since) {
        return AuditSource.newBuilder()
                .setAppliedIndex(state.lastIndex())
                .setForgotten(state.auditForgotten())
                .addAllRecords(later(state.audit(), since))
                .build();
    }

    private static AuditSource of(ShardRef ref, ShardState state, long since) {
        AuditSource.Builder source =
                AuditSource.newBuilder()
                        .setShard(ref)
                        .setAppliedIndex(state.lastIndex())
                        .setForgotten(state.removalsForgotten());
        later(state.removals(), since)
                .forEach(row -> source.addRecords(row.toBuilder().setShard(ref)));
        return source.build();
    }

    /** Those of which nobody knows when are told in any case. */
    private static List<AuditRecord> later(List<AuditRecord> rows, long since) {
        return rows.stream()
                .filter(
                        row ->
                                row.getStamp().getLatestMicros() == 0
                                        || row.getStamp().getLatestMicros() >= since)
                .toList();
    }
}
