package photon.idregistry.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.core.loop.ManualLoop;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.control.ControlHandler;
import photon.idregistry.server.data.RemoveHandler;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.DescribeAuditRequest;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What was done is told with who and when, from the entries. */
class AuditHandlerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final ShardRef SHARD = RegistryProtos.shardRef(PIPELINE, new Shard(1, 0));
    private static final long NOW = 1_000;
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog log = new FakeLog(new ShardState());
    private final FakeLog controlLog = new FakeLog(new ControlState());
    private final ServedGroups groups =
            new ServedGroups(
                    loop,
                    new BatchLimits(4, 1, 4),
                    FakeLog.group(controlLog, ControlState.class, "c:1", null));

    @BeforeEach
    void oneShard() {
        groups.add(SHARD, FakeLog.group(log, ShardState.class, "leader:1", null));
        log.submit(ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), java.util.Map.of()));
    }

    private static EventId id(long micros) {
        return EventId.ofUser(micros, UserKey.of(List.of("k" + micros)));
    }

    @Test
    void whoAndWhenComeWithTheEntryFromWhereItWasAsked() {
        ControlHandler control = new ControlHandler(groups, List.of("here:1"), new Stamping(CLOCK));
        List<OpenPipelineResponse> opened = new ArrayList<>();
        control.openPipeline(
                OpenPipelineRequest.newBuilder()
                        .setName("p")
                        .setUuid(RegistryProtos.bytes(PIPELINE))
                        .setShards(1)
                        .setActor("me@here")
                        .build(),
                opened::add);
        loop.runUntilIdle();
        assertThat(opened.get(0).getMade()).isTrue();
        ByteString ids = Packed.ids(List.of(id(5), id(6)));
        ByteString tokens =
                Packed.tokens(List.of(new CommitToken(1, 1, 5), new CommitToken(1, 1, 6)));
        log.submit(ShardEntries.commit(ids, tokens));
        log.submit(ShardEntries.fence(1, 2));
        new RemoveHandler(groups, 2, new Stamping(CLOCK))
                .handle(
                        RemoveRequest.newBuilder()
                                .setShard(SHARD)
                                .setIds(ids)
                                .setTokens(tokens)
                                .setActor("a verifier")
                                .build(),
                        answer -> {});
        loop.runUntilIdle();
        List<DescribeAuditResponse> told = new ArrayList<>();
        AuditHandler audit = new AuditHandler("r0", groups);
        audit.handle(DescribeAuditRequest.getDefaultInstance(), told::add);
        audit.handle(DescribeAuditRequest.newBuilder().setSinceMicros(NOW + 1).build(), told::add);
        AuditRecord created = told.get(0).getSources(0).getRecords(0);
        assertThat(created.getKind()).isEqualTo(AuditKind.AUDIT_PIPELINE_CREATED);
        assertThat(created.getStamp())
                .isEqualTo(
                        Stamp.newBuilder()
                                .setActor("me@here")
                                .setEarliestMicros(NOW)
                                .setLatestMicros(NOW)
                                .build());
        AuditRecord removed = told.get(0).getSources(1).getRecords(0);
        assertThat(removed.getKind()).isEqualTo(AuditKind.AUDIT_REMOVED);
        assertThat(removed.getShard()).isEqualTo(SHARD);
        assertThat(removed.getIds()).isEqualTo(2);
        assertThat(removed.getStamp().getActor()).isEqualTo("a verifier");
        assertThat(told.get(1).getSourcesList())
                .as("all of it was before")
                .allMatch(source -> source.getRecordsCount() == 0);
    }
}
