package photon.idregistry.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.GroupLoad;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What is answered on arrival of a cancel. */
class CancelHandlerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final ShardRef SHARD = RegistryProtos.shardRef(PIPELINE, new Shard(1, 0));

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog log = new FakeLog(new ShardState());
    private final FakeLog controlLog = new FakeLog(new ControlState());
    private final List<CancelResponse> out = new ArrayList<>();
    private final ServedGroups groups =
            new ServedGroups(
                    loop,
                    new BatchLimits(4, 1, 4),
                    FakeLog.group(controlLog, ControlState.class, "c:1", null));

    @BeforeEach
    void oneShard() {
        groups.add(SHARD, FakeLog.group(log, ShardState.class, "leader:1", null));
        log.submit(ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), Map.of()));
        log.entries.clear();
    }

    private static CancelRequest request(long... micros) {
        List<EventId> ids = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (long micro : micros) {
            ids.add(new EventId(micro, 1, 1, 1));
            tokens.add(new CommitToken(1, 1, micro));
        }
        return CancelRequest.newBuilder()
                .setShard(SHARD)
                .setIds(Packed.ids(ids))
                .setTokens(Packed.tokens(tokens))
                .build();
    }

    private CancelResponse one(CancelRequest request) {
        out.clear();
        new CancelHandler(groups, 2).handle(request, out::add);
        loop.runUntilIdle();
        assertThat(out).hasSize(1);
        return out.get(0);
    }

    @Test
    void oneLargerThanAnEntryBecomesSeveralAndNoTimestampIsTooLate() {
        CancelResponse answer = one(request(5, 6, 7, 8, Long.MAX_VALUE - 1));
        assertThat(log.entries).hasSize(3);
        assertThat(answer.getProgress()).isEqualTo(Progress.DECIDED);
        assertThat(answer.getOutcomes().toByteArray())
                .hasSize(5)
                .containsOnly(CancelOutcome.CANCEL_DONE_VALUE);
    }

    @Test
    void whatIsMalformedDoesNotReachTheLog() {
        CancelRequest right = request(5, 6);
        ByteString noToken = ByteString.copyFrom(new byte[CommitToken.BYTES]);
        for (CancelRequest wrong :
                List.of(
                        right.toBuilder().setIds(right.getIds().substring(1)).build(),
                        right.toBuilder().setTokens(ByteString.EMPTY).build(),
                        right.toBuilder().setTokens(noToken.concat(noToken)).build())) {
            assertThat(one(wrong).getProgress()).isEqualTo(Progress.PROGRESS_UNSPECIFIED);
        }
        assertThat(log.entries).isEmpty();
    }

    @Test
    void whatIsUnderWayIsBounded() {
        log.silent = true;
        CancelHandler handler = new CancelHandler(groups, 2);
        for (int i = 0; i <= GroupLoad.DIRECT_MAX; i++) {
            handler.handle(request(5), out::add);
        }
        assertThat(out)
                .extracting(CancelResponse::getProgress)
                .containsExactly(Progress.RESOURCE_EXHAUSTED);
    }

    @Test
    void aShardOfADroppedPipelineIsGoneAndOneThatIsNotHereIsAskedForElsewhere() {
        ShardRef other = RegistryProtos.shardRef(PIPELINE, new Shard(1, 7));
        assertThat(one(request(5).toBuilder().setShard(other).build()).getProgress())
                .isEqualTo(Progress.NO_SUCH_SHARD);
        controlLog.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("p")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setShards(1)
                                .build()));
        controlLog.submit(
                ControlEntries.dropPipeline(
                        DropPipelineRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .build()));
        groups.remove(SHARD);
        assertThat(one(request(5)).getProgress()).isEqualTo(Progress.PIPELINE_GONE);
    }
}
