package photon.idregistry.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.core.loop.ManualLoop;
import photon.core.rpc.SessionHandler;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.GroupLoad;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.server.reshard.PrepareHandler;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.Incarnation;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What is answered on arrival, and what a lost answer becomes. */
class DataHandlersTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final ShardRef SHARD = RegistryProtos.shardRef(PIPELINE, new Shard(1, 0));
    private static final long NOW = 1_000;
    private static final Duration SKEW = Duration.ofNanos(10_000);
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog log = new FakeLog(new ShardState());
    private final FakeLog controlLog = new FakeLog(new ControlState());
    private ServedGroups groups;

    @BeforeEach
    void oneShard() {
        groups =
                new ServedGroups(
                        loop,
                        new BatchLimits(4, 1, 4),
                        FakeLog.group(controlLog, ControlState.class, "c:1", null));
        groups.add(SHARD, FakeLog.group(log, ShardState.class, "leader:1", null));
        log.submit(ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), java.util.Map.of()));
        log.entries.clear();
    }

    private static EventId id(long micros) {
        return EventId.ofUser(micros, UserKey.of(List.of("k" + micros)));
    }

    private static CommitRequest commit(ShardRef shard, long number, long... micros) {
        List<EventId> ids = IntStream.range(0, micros.length).mapToObj(i -> id(micros[i])).toList();
        List<CommitToken> tokens =
                IntStream.range(0, micros.length)
                        .mapToObj(i -> new CommitToken(1, 1, micros[i]))
                        .toList();
        return CommitRequest.newBuilder()
                .setRequest(number)
                .setShard(shard)
                .setIds(Packed.ids(ids))
                .setTokens(Packed.tokens(tokens))
                .build();
    }

    private List<CommitResponse> commits(CommitRequest... requests) {
        List<CommitResponse> out = new ArrayList<>();
        SessionHandler.Session<CommitRequest> session =
                new CommitHandler(groups, CLOCK, SKEW).opened(out::add);
        for (CommitRequest request : requests) {
            session.received(request);
        }
        loop.runUntilIdle();
        return out;
    }

    private CommitResponse one(CommitRequest request) {
        List<CommitResponse> out = commits(request);
        assertThat(out).hasSize(1);
        assertThat(out.get(0).getRequest()).isEqualTo(request.getRequest());
        return out.get(0);
    }

    @Test
    void aCommitIsDecidedInTheLog() {
        CommitResponse answer = one(commit(SHARD, 7, 5, 6));
        assertThat(answer.getProgress()).isEqualTo(Progress.DECIDED);
        assertThat(answer.getOutcomes().toByteArray())
                .containsExactly(Outcome.ACCEPTED_VALUE, Outcome.ACCEPTED_VALUE);
        assertThat(log.entries).hasSize(1);
    }

    @Test
    void anUnknownShardAndAFollowerRefuseBeforeTheLog() {
        ShardRef other = RegistryProtos.shardRef(PIPELINE, new Shard(1, 1));
        assertThat(one(commit(other, 1, 5)).getProgress()).isEqualTo(Progress.NO_SUCH_SHARD);
        log.leads = false;
        CommitResponse answer = one(commit(SHARD, 2, 5));
        assertThat(answer.getProgress()).isEqualTo(Progress.NOT_LEADER);
        assertThat(answer.getLeader()).isEqualTo("leader:1");
        assertThat(log.entries).isEmpty();
    }

    @Test
    void tooManyIdsAreRefusedOnArrival() {
        assertThat(one(commit(SHARD, 1, 1, 2, 3, 4, 5)).getProgress())
                .isEqualTo(Progress.RESOURCE_EXHAUSTED);
        log.silent = true;
        // The first is in flight, never to be answered; four ids wait; there is no room for more.
        commits(commit(SHARD, 1, 1));
        List<CommitResponse> out = commits(commit(SHARD, 2, 2, 3, 4), commit(SHARD, 3, 5, 6));
        assertThat(out).extracting(CommitResponse::getRequest).containsExactly(3L);
        assertThat(out.get(0).getProgress()).isEqualTo(Progress.RESOURCE_EXHAUSTED);
    }

    @Test
    void aLostAnswerIsUnknownNeverAFailure() {
        log.losesAnswers = true;
        CommitResponse answer = one(commit(SHARD, 1, 5));
        assertThat(answer.getProgress()).isEqualTo(Progress.UNKNOWN);
        assertThat(answer.getOutcomes()).isEqualTo(ByteString.EMPTY);
    }

    @Test
    void anIdBeyondTheSkewIsOfTheFutureAndTheRestGoesOn() {
        assertThat(one(commit(SHARD, 1, NOW + 10, NOW + 11)).getOutcomes().toByteArray())
                .containsExactly(Outcome.ACCEPTED_VALUE, Outcome.ID_IN_FUTURE_VALUE);
    }

    @Test
    void whatIsNotOfItsFormNeverReachesTheLog() {
        CommitRequest whole = commit(SHARD, 1, 5);
        assertThat(one(whole.toBuilder().setIds(whole.getIds().substring(1)).build()).getProgress())
                .isEqualTo(Progress.PROGRESS_UNSPECIFIED);
        assertThat(
                        one(whole.toBuilder()
                                        .setTokens(ByteString.copyFrom(new byte[CommitToken.BYTES]))
                                        .build())
                                .getProgress())
                .isEqualTo(Progress.PROGRESS_UNSPECIFIED);
        List<FenceResponse> fences = new ArrayList<>();
        new FenceHandler(groups)
                .handle(FenceRequest.newBuilder().setShard(SHARD).setSlot(-1).build(), fences::add);
        assertThat(fences)
                .extracting(FenceResponse::getProgress)
                .containsExactly(Progress.PROGRESS_UNSPECIFIED);
        List<ScanResponse> scans = new ArrayList<>();
        new ScanHandler(groups, Readers.atOnce())
                .handle(
                        ScanRequest.newBuilder()
                                .setShard(SHARD)
                                .setIncarnation(Incarnation.getDefaultInstance())
                                .setLimit(5)
                                .build(),
                        scans::add);
        assertThat(scans)
                .extracting(ScanResponse::getProgress)
                .containsExactly(Progress.PROGRESS_UNSPECIFIED);
        assertThat(log.entries).isEmpty();
    }

    @Test
    void aScanWaitsForNothingButSaysThatTheReplicaIsBehind() {
        one(commit(SHARD, 1, 5));
        ScanRequest scan =
                ScanRequest.newBuilder()
                        .setShard(SHARD)
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(1))
                        .setMinIndex(2)
                        .setLimit(10)
                        .build();
        List<ScanResponse> out = new ArrayList<>();
        ScanHandler handler = new ScanHandler(groups, Readers.atOnce());
        handler.handle(scan, out::add);
        handler.handle(scan.toBuilder().setMinIndex(3).build(), out::add);
        assertThat(out)
                .extracting(ScanResponse::getProgress)
                .containsExactly(Progress.DECIDED, Progress.UNKNOWN);
        assertThat(Packed.ids(out.get(0).getIds())).containsExactly(id(5));
    }

    /** While one is read, the replica applies nothing, and its loop may wait for that. */
    @Test
    void aScanThatFindsNothingReadsInPiecesAndComesBackInTime() {
        for (int n = 1; n <= 25; n++) {
            CommitRequest cell = commit(SHARD, n, n * 2_000_000L);
            log.submit(ShardEntries.commit(cell.getIds(), cell.getTokens()));
        }
        log.reads = 0;
        ScanRequest scan =
                ScanRequest.newBuilder()
                        .setShard(SHARD)
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(2))
                        .setLimit(10)
                        .build();
        List<ScanResponse> out = new ArrayList<>();
        ScanHandler handler = new ScanHandler(groups, Readers.atOnce(), 1);
        handler.handle(scan, out::add);
        assertThat(out.get(0).getProgress()).isEqualTo(Progress.DECIDED);
        assertThat(log.reads).isGreaterThanOrEqualTo(25);
        assertThat(out).extracting(ScanResponse::getMore).containsExactly(false);

        out.clear();
        int questions = 0;
        ScanRequest next = scan.toBuilder().setMayBePartial(true).build();
        do {
            log.reads = 0;
            handler.handle(next, out::add);
            assertThat(log.reads).isLessThanOrEqualTo(16);
            ScanResponse answer = out.get(questions++);
            assertThat(answer.getProgress()).isEqualTo(Progress.DECIDED);
            assertThat(answer.getMore()).isEqualTo(!answer.getResumeAfter().isEmpty());
            next = next.toBuilder().setAfter(answer.getResumeAfter()).build();
        } while (!next.getAfter().isEmpty());
        assertThat(questions).isEqualTo(2);

        ScanRequest held =
                scan.toBuilder()
                        .setMayBePartial(true)
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(1))
                        .build();
        out.clear();
        handler.handle(held, out::add);
        assertThat(Packed.ids(out.get(0).getIds())).isNotEmpty();
        assertThat(out.get(0).getResumeAfter().isEmpty()).isTrue();
    }

    @Test
    void aLocalLookupNeedsNoLeaderAndALinearizableOneIsSure() {
        one(commit(SHARD, 1, 5));
        log.leads = false;
        LookupRequest local =
                LookupRequest.newBuilder()
                        .setRequest(9)
                        .setShard(SHARD)
                        .setIds(Packed.ids(List.of(id(4), id(5))))
                        .build();
        LookupResponse answer = lookup(local);
        assertThat(answer.getFound().toByteArray()).containsExactly(0, 1);
        assertThat(Packed.tokens(answer.getHolders())).containsExactly(new CommitToken(1, 1, 5));
        LookupRequest linearizable = local.toBuilder().setLinearizable(true).build();
        assertThat(lookup(linearizable).getFound()).isEqualTo(answer.getFound());

        groups.add(
                SHARD,
                FakeLog.group(
                        log, ShardState.class, "leader:1", new IllegalStateException("no quorum")));
        assertThat(lookup(linearizable).getProgress()).isEqualTo(Progress.UNKNOWN);
        assertThat(lookup(local).getProgress()).isEqualTo(Progress.DECIDED);
    }

    @Test
    void aReplicaThatIsNotCaughtUpAnswersOnlyWhatABarrierMakesSure() {
        one(commit(SHARD, 1, 5));
        log.caughtUp = false;
        LookupRequest local =
                LookupRequest.newBuilder()
                        .setRequest(9)
                        .setShard(SHARD)
                        .setIds(Packed.ids(List.of(id(5))))
                        .build();
        assertThat(lookup(local).getProgress()).isEqualTo(Progress.UNKNOWN);
        assertThat(lookup(local.toBuilder().setLinearizable(true).build()).getProgress())
                .isEqualTo(Progress.DECIDED);
        ScanRequest scan = ScanRequest.newBuilder().setShard(SHARD).setLimit(10).build();
        List<ScanResponse> out = new ArrayList<>();
        new ScanHandler(groups, Readers.atOnce()).handle(scan, out::add);
        assertThat(out).extracting(ScanResponse::getProgress).containsExactly(Progress.UNKNOWN);
    }

    @Test
    void manyIdsAreLookedUpInSeveralGoes() {
        int count = LookupHandler.IN_ONE_GO + 7;
        List<EventId> ids = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            ids.add(id(i));
        }
        one(commit(SHARD, 1, 3, LookupHandler.IN_ONE_GO + 1));
        one(commit(SHARD, 1, count));
        LookupResponse answer =
                lookup(
                        LookupRequest.newBuilder()
                                .setRequest(9)
                                .setShard(SHARD)
                                .setIds(Packed.ids(ids))
                                .build());
        assertThat(answer.getFound().size()).isEqualTo(count);
        for (int i = 1; i <= count; i++) {
            boolean held = i == 3 || i == LookupHandler.IN_ONE_GO + 1 || i == count;
            assertThat(answer.getFound().byteAt(i - 1)).isEqualTo((byte) (held ? 1 : 0));
        }
        assertThat(Packed.tokens(answer.getHolders()))
                .extracting(CommitToken::sequence)
                .containsExactly(3L, LookupHandler.IN_ONE_GO + 1L, (long) count);
    }

    @Test
    void aScanByTimeGivesWhatAnybodyHoldsInPages() {
        for (long micros : new long[] {4, 5, 6, 7, 8}) {
            one(commit(SHARD, 1, micros));
        }
        ScanRequest first =
                ScanRequest.newBuilder()
                        .setShard(SHARD)
                        .setFromMicros(5)
                        .setToMicros(8)
                        .setLimit(2)
                        .build();
        List<ScanResponse> out = new ArrayList<>();
        ScanHandler handler = new ScanHandler(groups, Readers.atOnce());
        handler.handle(first, out::add);
        handler.handle(first.toBuilder().setAfter(Packed.ids(List.of(id(6)))).build(), out::add);
        assertThat(Packed.ids(out.get(0).getIds())).containsExactly(id(5), id(6));
        assertThat(out.get(0).getMore()).isTrue();
        assertThat(Packed.ids(out.get(1).getIds())).containsExactly(id(7));
        assertThat(out.get(1).getMore()).isFalse();
        assertThat(out.get(1).getIndex()).isEqualTo(log.state.lastIndex());
    }

    private LookupResponse lookup(LookupRequest request) {
        List<LookupResponse> out = new ArrayList<>();
        new LookupHandler(groups, Readers.atOnce()).handle(request, out::add);
        loop.runUntilIdle();
        assertThat(out).hasSize(1);
        assertThat(out.get(0).getRequest()).isEqualTo(9);
        return out.get(0);
    }

    @Test
    void removesInFlightAreBounded() {
        log.silent = true;
        List<RemoveResponse> out = new ArrayList<>();
        RemoveHandler handler = new RemoveHandler(groups, 4, new Stamping(CLOCK));
        CommitRequest ids = commit(SHARD, 0, 5);
        for (int i = 0; i <= GroupLoad.DIRECT_MAX; i++) {
            handler.handle(
                    RemoveRequest.newBuilder()
                            .setShard(SHARD)
                            .setIds(ids.getIds())
                            .setTokens(ids.getTokens())
                            .build(),
                    out::add);
        }
        assertThat(out)
                .extracting(RemoveResponse::getProgress)
                .containsExactly(Progress.RESOURCE_EXHAUSTED);
    }

    @Test
    void aRemoveLargerThanAnEntryBecomesSeveral() {
        CommitRequest ids = commit(SHARD, 0, 5, 6, 7, 8, 9);
        log.submit(ShardEntries.commit(ids.getIds(), ids.getTokens()));
        log.submit(ShardEntries.fence(1, 2));
        log.entries.clear();
        List<RemoveResponse> out = new ArrayList<>();
        new RemoveHandler(groups, 2, new Stamping(CLOCK))
                .handle(
                        RemoveRequest.newBuilder()
                                .setShard(SHARD)
                                .setIds(ids.getIds())
                                .setTokens(ids.getTokens())
                                .build(),
                        out::add);
        loop.runUntilIdle();
        assertThat(log.entries).hasSize(3);
        assertThat(out)
                .singleElement()
                .satisfies(
                        answer -> {
                            assertThat(answer.getProgress()).isEqualTo(Progress.DECIDED);
                            assertThat(answer.getOutcomes().toByteArray())
                                    .hasSize(5)
                                    .containsOnly(RemoveOutcome.REMOVED_VALUE);
                        });
        assertThat(
                        java.util.Objects.requireNonNull(groups.shard(SHARD))
                                .group()
                                .<Long>read(state -> state.ids().count()))
                .isZero();
    }

    private void drop() {
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
    }

    @Test
    void whatIsAskedOfADroppedPipelineIsRefusedForGood() {
        drop();
        assertThat(one(commit(SHARD, 1, 5)).getProgress()).isEqualTo(Progress.PIPELINE_GONE);
        assertThat(
                        lookup(LookupRequest.newBuilder().setRequest(9).setShard(SHARD).build())
                                .getProgress())
                .isEqualTo(Progress.PIPELINE_GONE);
        List<Progress> out = new ArrayList<>();
        new FenceHandler(groups)
                .handle(
                        FenceRequest.newBuilder().setShard(SHARD).build(),
                        answer -> out.add(answer.getProgress()));
        new ScanHandler(groups, Readers.atOnce())
                .handle(
                        ScanRequest.newBuilder().setShard(SHARD).build(),
                        answer -> out.add(answer.getProgress()));
        new RemoveHandler(groups, 4, new Stamping(CLOCK))
                .handle(
                        RemoveRequest.newBuilder().setShard(SHARD).build(),
                        answer -> out.add(answer.getProgress()));
        new PrepareHandler(groups)
                .handle(
                        PrepareEpochRequest.newBuilder().setShard(SHARD).build(),
                        answer -> out.add(answer.getProgress()));
        assertThat(out).hasSize(4).containsOnly(Progress.PIPELINE_GONE);
    }

    @Test
    void aCommitThatWaitsWhenItsShardGoesIsAnsweredAsNotSubmitted() {
        log.silent = true;
        List<CommitResponse> out = new ArrayList<>();
        SessionHandler.Session<CommitRequest> session =
                new CommitHandler(groups, CLOCK, SKEW).opened(out::add);
        session.received(commit(SHARD, 1, 5));
        loop.runUntilIdle();
        session.received(commit(SHARD, 2, 6));
        drop();
        loop.runUntilIdle();
        assertThat(out).extracting(CommitResponse::getRequest).containsExactly(2L);
        assertThat(out.get(0).getProgress()).isEqualTo(Progress.NOT_LEADER);
    }

    /** One that is restored from a backup may not have its ids yet: nothing would look lost. */
    @Test
    void aShardWithoutAMapFencesNothingAndIsNotScanned() {
        ShardRef blank = RegistryProtos.shardRef(PIPELINE, new Shard(1, 1));
        FakeLog empty = new FakeLog(new ShardState());
        groups.add(blank, FakeLog.group(empty, ShardState.class, "leader:1", null));
        List<Progress> out = new ArrayList<>();
        FenceRequest fence =
                FenceRequest.newBuilder()
                        .setShard(blank)
                        .setSlot(1)
                        .setLowestLiveGeneration(2)
                        .build();
        ScanRequest scan =
                ScanRequest.newBuilder()
                        .setShard(blank)
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(1))
                        .setLimit(10)
                        .build();
        FenceHandler fences = new FenceHandler(groups);
        ScanHandler scans = new ScanHandler(groups, Readers.atOnce());
        fences.handle(fence, answer -> out.add(answer.getProgress()));
        scans.handle(scan, answer -> out.add(answer.getProgress()));
        loop.runUntilIdle();
        assertThat(out).containsExactly(Progress.UNKNOWN, Progress.UNKNOWN);
        assertThat(empty.entries).isEmpty();

        empty.submit(
                ShardEntries.install(ShardMap.initial(2), new Shard(1, 1), java.util.Map.of()));
        out.clear();
        fences.handle(fence, answer -> out.add(answer.getProgress()));
        loop.runUntilIdle();
        scans.handle(scan, answer -> out.add(answer.getProgress()));
        assertThat(out).containsExactly(Progress.DECIDED, Progress.DECIDED);
    }

    private void restore(ControlState from) throws java.io.IOException {
        byte[] backup;
        try (java.io.InputStream in = MemorySnapshot.of(from, null).file(StateFile.NAME).open()) {
            backup = in.readAllBytes();
        }
        RestoreRequest.Builder step =
                RestoreRequest.newBuilder().setRestore(RegistryProtos.bytes(PIPELINE));
        controlLog.submit(
                ControlEntries.restore(
                        step.setBegin(
                                        RestoreBegin.newBuilder()
                                                .setBytes(backup.length)
                                                .setSha256(Sha256.of(backup))
                                                .addDatacenters("east"))
                                .build()));
        controlLog.submit(
                ControlEntries.restore(
                        step.setPiece(
                                        RestorePiece.newBuilder()
                                                .setBytes(ByteString.copyFrom(backup)))
                                .build()));
    }

    /** As nobody would repair what is held in an epoch that was made after the restore. */
    @Test
    void thatAnEpochWasLostWithARegistryIsSaidByNoReplicaThatMayBeBehind()
            throws java.io.IOException {
        ControlState before = new ControlState();
        before.apply(
                1,
                java.nio.ByteBuffer.wrap(
                        ControlEntries.openPipeline(
                                OpenPipelineRequest.newBuilder()
                                        .setName("ads")
                                        .setUuid(RegistryProtos.bytes(PIPELINE))
                                        .setIdentityFingerprint("f")
                                        .setShards(1)
                                        .build())));
        restore(before);
        assertThat(answersForEpoch(2)).containsOnly(Progress.DECIDED);
        groups =
                new ServedGroups(
                        loop,
                        new BatchLimits(4, 1, 4),
                        FakeLog.group(
                                controlLog,
                                ControlState.class,
                                "c:1",
                                new IllegalStateException("no quorum")));
        assertThat(answersForEpoch(2)).containsOnly(Progress.UNKNOWN);
    }

    /** Of fence, scan, remove and prepare. */
    private List<Progress> answersForEpoch(int epoch) {
        ShardRef ref = RegistryProtos.shardRef(PIPELINE, new Shard(epoch, 0));
        List<Progress> out = new ArrayList<>();
        new FenceHandler(groups)
                .handle(
                        FenceRequest.newBuilder()
                                .setShard(ref)
                                .setSlot(1)
                                .setLowestLiveGeneration(2)
                                .build(),
                        answer -> out.add(answer.getProgress()));
        new ScanHandler(groups, Readers.atOnce())
                .handle(
                        ScanRequest.newBuilder()
                                .setShard(ref)
                                .setIncarnation(
                                        Incarnation.newBuilder().setSlot(1).setGeneration(1))
                                .setLife(1_000_000)
                                .setLimit(10)
                                .build(),
                        answer -> out.add(answer.getProgress()));
        CommitRequest ids = commit(ref, 0, 5);
        new RemoveHandler(groups, 4, new Stamping(CLOCK))
                .handle(
                        RemoveRequest.newBuilder()
                                .setShard(ref)
                                .setIds(ids.getIds())
                                .setTokens(ids.getTokens())
                                .build(),
                        answer -> out.add(answer.getProgress()));
        new PrepareHandler(groups)
                .handle(
                        PrepareEpochRequest.newBuilder()
                                .setShard(ref)
                                .setAttempt(1)
                                .setBaseVersion(1)
                                .build(),
                        answer -> out.add(answer.getProgress()));
        loop.runUntilIdle();
        assertThat(out).hasSize(4);
        return out;
    }

    /** Its index is of a log that is no more. */
    @Test
    void aScanThatBeganBeforeARestoreIsToldSo() throws java.io.IOException {
        restore(new ControlState());
        ScanRequest.Builder scan =
                ScanRequest.newBuilder()
                        .setShard(SHARD)
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(1))
                        .setMinIndex(5_000)
                        .setLimit(10);
        List<ScanResponse> out = new ArrayList<>();
        ScanHandler scans = new ScanHandler(groups, Readers.atOnce());
        scans.handle(scan.build(), out::add);
        scans.handle(scan.setMinIndex(0).setLife(1_000_000).build(), out::add);
        assertThat(out).extracting(ScanResponse::getOtherLife).containsExactly(true, false);
        assertThat(out)
                .extracting(ScanResponse::getProgress)
                .containsExactly(Progress.DECIDED, Progress.DECIDED);
    }
}
