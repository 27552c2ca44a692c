package photon.idregistry.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
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
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.backup.RestoreHandler;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.Incarnation;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadKind;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** The kind of a join, at a server's door. */
final class UnmatchedKindTest {
    private static final ShardRef SHARD = RegistryProtos.shardRef(new UUID(3, 4), new Shard(1, 0));
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(1_000, 1_000);
    private static final ByteString ID = Packed.ids(List.of(new EventId(15, 1, 2, 3)));
    private static final CommitToken UNMATCHED = new CommitToken(1, 1, 1).asUnmatched();
    private static final int NOBODY = CommitToken.JOIN_UNMATCHED.slot();

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
        log.submit(ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), Map.of()));
        log.entries.clear();
    }

    private static ByteString tokens(CommitToken token) {
        return Packed.tokens(List.of(token));
    }

    private CommitResponse commit(CommitToken token) {
        List<CommitResponse> out = new ArrayList<>();
        new CommitHandler(groups, CLOCK, Duration.ofNanos(10_000))
                .opened(out::add)
                .received(
                        CommitRequest.newBuilder()
                                .setShard(SHARD)
                                .setIds(ID)
                                .setTokens(tokens(token))
                                .build());
        loop.runUntilIdle();
        return out.get(0);
    }

    private RemoveResponse remove(CommitToken token) {
        List<RemoveResponse> out = new ArrayList<>();
        new RemoveHandler(groups, 4, new Stamping(CLOCK))
                .handle(
                        RemoveRequest.newBuilder()
                                .setShard(SHARD)
                                .setIds(ID)
                                .setTokens(tokens(token))
                                .build(),
                        out::add);
        loop.runUntilIdle();
        return out.get(0);
    }

    private LoadIdsResponse load(LoadKind kind, CommitToken token) {
        List<LoadIdsResponse> out = new ArrayList<>();
        new RestoreHandler(groups, new Stamping(CLOCK), Readers.atOnce(), 4)
                .load(
                        LoadIdsRequest.newBuilder()
                                .setShard(SHARD)
                                .setKind(kind)
                                .setIds(ID)
                                .setTokens(tokens(token))
                                .build(),
                        out::add);
        loop.runUntilIdle();
        return out.get(0);
    }

    private FenceResponse fence(int slot) {
        List<FenceResponse> out = new ArrayList<>();
        new FenceHandler(groups)
                .handle(
                        FenceRequest.newBuilder()
                                .setShard(SHARD)
                                .setSlot(slot)
                                .setLowestLiveGeneration(2)
                                .build(),
                        out::add);
        loop.runUntilIdle();
        return out.get(0);
    }

    private LookupResponse lookup() {
        List<LookupResponse> out = new ArrayList<>();
        new LookupHandler(groups, Readers.atOnce())
                .handle(LookupRequest.newBuilder().setShard(SHARD).setIds(ID).build(), out::add);
        loop.runUntilIdle();
        return out.get(0);
    }

    /** No attempt holds it. */
    @Test
    void nobodyAsksWithTheTokenThatStandsForNoHolder() {
        everyServerUnderstands(4);
        List<CancelResponse> cancels = new ArrayList<>();
        new CancelHandler(groups, 4)
                .handle(
                        CancelRequest.newBuilder()
                                .setShard(SHARD)
                                .setIds(ID)
                                .setTokens(tokens(CommitToken.JOIN_UNMATCHED))
                                .build(),
                        cancels::add);
        List<ScanResponse> scans = new ArrayList<>();
        new ScanHandler(groups, Readers.atOnce())
                .handle(
                        ScanRequest.newBuilder()
                                .setShard(SHARD)
                                .setIncarnation(
                                        Incarnation.newBuilder().setSlot(NOBODY).setGeneration(1))
                                .setLimit(5)
                                .build(),
                        scans::add);
        assertThat(
                        List.of(
                                commit(CommitToken.JOIN_UNMATCHED).getProgress(),
                                remove(CommitToken.JOIN_UNMATCHED).getProgress(),
                                fence(NOBODY).getProgress(),
                                load(LoadKind.LOAD_PUBLISHED, CommitToken.JOIN_UNMATCHED)
                                        .getProgress(),
                                load(LoadKind.LOAD_LOOK, CommitToken.JOIN_UNMATCHED).getProgress(),
                                cancels.get(0).getProgress(),
                                scans.get(0).getProgress()))
                .containsOnly(Progress.PROGRESS_UNSPECIFIED);
        assertThat(log.entries).isEmpty();
        assertThat(load(LoadKind.LOAD_BACKUP, CommitToken.JOIN_UNMATCHED).getLive())
                .as("a backup's row is put, in a shard that is not live yet")
                .isTrue();
    }

    @Test
    void aLookupTellsTheKindOfAHolderAndThatNobodyHoldsWhatIsToBeJoinedUnmatched() {
        commit(UNMATCHED);
        assertThat(lookup().getFound().toByteArray()).containsExactly(1);
        assertThat(Packed.tokens(lookup().getHolders())).containsExactly(UNMATCHED);
        fence(1);
        remove(UNMATCHED);
        assertThat(lookup().getFound().toByteArray()).containsExactly(0);
        assertThat(lookup().getHolders().isEmpty()).isTrue();
        CommitResponse matched = commit(new CommitToken(2, 1, 1));
        assertThat(matched.getOutcomes().byteAt(0)).isEqualTo((byte) Outcome.TAKEN_VALUE);
        assertThat(Packed.tokens(matched.getHolders())).containsExactly(CommitToken.JOIN_UNMATCHED);
    }

    private void everyServerUnderstands(int level) {
        controlLog.submit(
                ControlEntries.firstRoster(FirstRoster.newBuilder().addServers("r0").build()));
        controlLog.submit(
                ControlEntries.admitDisk(
                        AdmitDiskRequest.newBuilder()
                                .setName("r0")
                                .setDisk(RegistryProtos.bytes(new UUID(7, 7)))
                                .setNumber(1)
                                .setFeatureLevel(level)
                                .build()));
    }

    /** Else which datacenters were retired would be left out of it. */
    @Test
    void noBackupIsOpenedBeforeEveryServerHasToldWhatItKnows() {
        RestoreRequest begin =
                RestoreRequest.newBuilder().setBegin(RestoreBegin.getDefaultInstance()).build();
        List<RestoreResponse> out = new ArrayList<>();
        RestoreHandler handler =
                new RestoreHandler(groups, new Stamping(CLOCK), Readers.atOnce(), 4);
        handler.restore(begin, out::add);
        loop.runUntilIdle();
        assertThat(out.get(0).getProgress()).isEqualTo(Progress.UNKNOWN);
        assertThat(controlLog.entries).isEmpty();
        everyServerUnderstands(3);
        handler.restore(begin, out::add);
        loop.runUntilIdle();
        assertThat(out.get(1).getProgress()).isEqualTo(Progress.DECIDED);
    }

    /** A server that does not know the kind would follow other rules than the others. */
    @Test
    void unmatchedIdsAreRestoredOnlyWhereEveryServerUnderstandsThem() {
        for (LoadKind kind : List.of(LoadKind.LOAD_BACKUP, LoadKind.LOAD_PUBLISHED)) {
            assertThat(load(kind, UNMATCHED).getProgress())
                    .as("no server has told yet: ask again")
                    .isEqualTo(Progress.UNKNOWN);
        }
        everyServerUnderstands(3);
        LoadIdsResponse refused = load(LoadKind.LOAD_PUBLISHED, UNMATCHED);
        assertThat(refused.getProgress()).isEqualTo(Progress.DECIDED);
        assertThat(refused.getFeatureLevelTooLow()).isEqualTo(3);
        assertThat(log.entries).isEmpty();
        assertThat(load(LoadKind.LOAD_PUBLISHED, new CommitToken(1, 1, 2)).getOutcomes().byteAt(0))
                .isEqualTo((byte) LoadOutcome.LOAD_PUT_VALUE);
    }

    @Test
    void aRegistryWhoseServersUnderstandThemTakesThem() {
        everyServerUnderstands(4);
        assertThat(load(LoadKind.LOAD_PUBLISHED, UNMATCHED).getOutcomes().byteAt(0))
                .isEqualTo((byte) LoadOutcome.LOAD_PUT_VALUE);
    }
}
