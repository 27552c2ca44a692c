package photon.idregistry.server.reshard;

import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.idregistry.server.data.DroppedShards;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.PrepareEpochResponse;
import photon.proto.v1.Progress;

/** Prepares one shard for a reshard attempt, an entry a request. */
public final class PrepareHandler implements Handler<PrepareEpochRequest, PrepareEpochResponse> {
    private final Groups groups;

    public PrepareHandler(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void handle(PrepareEpochRequest request, Consumer<PrepareEpochResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            DroppedShards.answer(
                    groups,
                    request.getShard(),
                    DroppedShards::prepare,
                    progress -> refused(progress, ""),
                    respond);
        } else if (request.getAttempt() <= 0 || request.getBaseVersion() <= 0) {
            RequestValidation.malformed("prepare");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else {
            shard.entries()
                    .submit(
                            ShardEntries.prepare(
                                    request.getAttempt(),
                                    request.getBaseVersion(),
                                    request.getStartMicros()),
                            result -> respond.accept(answer(ShardResults.prepare(result))),
                            progress -> respond.accept(refused(progress, shard.group().leader())));
        }
    }

    private static PrepareEpochResponse answer(ShardResults.Prepared prepared) {
        return PrepareEpochResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(prepared.verdict())
                .setMaxAcceptedMicros(prepared.maxAcceptedMicros())
                .build();
    }

    private static PrepareEpochResponse refused(Progress progress, String leader) {
        return PrepareEpochResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}
