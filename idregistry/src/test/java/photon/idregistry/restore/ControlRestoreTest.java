package photon.idregistry.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.reshard.ShardUpkeep;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.PassedTime;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreLoaded;
import photon.proto.v1.RestoreLost;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreReported;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RestoreResponse.Verdict;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.ShardRef;
import photon.proto.v1.SlotSeen;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What the control group decides of a restore, and what waits for it. */
final class ControlRestoreTest {
    private static final UUID ADS = new UUID(1, 1);
    private static final ByteString ID = RegistryProtos.bytes(new UUID(9, 9));

    private ControlState control = new ControlState();
    private long index;

    private byte[] apply(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    private OpenPipelineResponse open(String name, UUID uuid) throws IOException {
        return OpenPipelineResponse.parseFrom(
                apply(
                        ControlEntries.openPipeline(
                                OpenPipelineRequest.newBuilder()
                                        .setName(name)
                                        .setUuid(RegistryProtos.bytes(uuid))
                                        .setIdentityFingerprint("f")
                                        .setShards(2)
                                        .build())));
    }

    private RegisterResponse register(UUID pipeline, String slot, String nonce) throws IOException {
        return RegisterResponse.parseFrom(
                apply(
                        ControlEntries.register(
                                RegisterRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(pipeline))
                                        .setSlotName(slot)
                                        .setNonce(ByteString.copyFromUtf8(nonce))
                                        .setIdentityFingerprint("f")
                                        .setOutputId("out " + slot.substring(0, 4))
                                        .build())));
    }

    private RestoreResponse step(RestoreRequest.Builder step) throws IOException {
        return RestoreResponse.parseFrom(
                apply(ControlEntries.restore(step.setRestore(ID).build())));
    }

    private static RestoreRequest.Builder begin(byte[] content, String... datacenters) {
        return RestoreRequest.newBuilder()
                .setBegin(
                        RestoreBegin.newBuilder()
                                .setBytes(content.length)
                                .setSha256(Sha256.of(content))
                                .addAllDatacenters(List.of(datacenters)));
    }

    private static RestoreRequest.Builder piece(byte[] content, int from, int to) {
        return RestoreRequest.newBuilder()
                .setPiece(
                        RestorePiece.newBuilder()
                                .setOffset(from)
                                .setBytes(ByteString.copyFrom(content, from, to - from)));
    }

    private static RestoreRequest.Builder reported(String datacenter, int slot, int generation) {
        return RestoreRequest.newBuilder()
                .setReported(
                        RestoreReported.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setDatacenter(datacenter)
                                .setOutputId("out " + datacenter)
                                .addSlots(
                                        SlotSeen.newBuilder()
                                                .setSlot(slot)
                                                .setGeneration(generation)));
    }

    private static RestoreRequest.Builder lost(String datacenter) {
        return RestoreRequest.newBuilder()
                .setLost(RestoreLost.newBuilder().setDatacenter(datacenter));
    }

    private byte[] backup() throws IOException {
        open("ads", ADS);
        register(ADS, "east/joiner-0", "n1");
        register(ADS, "east/joiner-0", "n2");
        register(ADS, "west/joiner-0", "n3");
        apply(
                ControlEntries.beginReshard(
                        BeginReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setBaseVersion(1)
                                .setShards(3)
                                .setStartMicros(77)
                                .setNonce(ByteString.copyFromUtf8("r"))
                                .build()));
        return content();
    }

    private byte[] content() throws IOException {
        try (InputStream in = MemorySnapshot.of(control, null).file(StateFile.NAME).open()) {
            return in.readAllBytes();
        }
    }

    private byte[] restored(String... datacenters) throws IOException {
        byte[] content = backup();
        assertThat(step(begin(content, datacenters)).getVerdict()).isEqualTo(Verdict.NOT_EMPTY);
        control = new ControlState();
        assertThat(step(begin(content, datacenters)).getVerdict()).isEqualTo(Verdict.STANDS);
        step(piece(content, 0, 40));
        again();
        step(piece(content, 0, 40));
        assertThat(open("ads", ADS).getProgress()).isEqualTo(Progress.RESOURCE_EXHAUSTED);
        assertThat(step(piece(content, 50, content.length)).getStatus().getReceived())
                .as("a gap")
                .isEqualTo(40);
        assertThat(step(piece(content, 40, content.length)).getStatus().getPhase())
                .isEqualTo(RestorePhase.RESTORE_LOADING);
        return content;
    }

    private void again() throws IOException {
        ControlState anew = new ControlState();
        anew.restore(MemorySnapshot.of(control, null));
        control = anew;
    }

    private RestorePhase loaded() throws IOException {
        return step(RestoreRequest.newBuilder().setLoaded(RestoreLoaded.getDefaultInstance()))
                .getStatus()
                .getPhase();
    }

    @Test
    void everyGenerationIsAboveWhatMayHaveBeenIssuedAndTheRestIsFenced() throws IOException {
        restored("east", "west");
        assertThat(register(ADS, "east/joiner-0", "n9").getProgress())
                .isEqualTo(Progress.RESOURCE_EXHAUSTED);
        loaded();
        assertThat(control.isRestoring()).isTrue();
        assertThat(step(reported("east", 1, 2)).getVerdict()).isEqualTo(Verdict.STANDS);
        assertThat(register(ADS, "east/joiner-0", "n9").getProgress())
                .as("the west has not reported")
                .isEqualTo(Progress.RESOURCE_EXHAUSTED);
        again();
        // It has found a generation that is above what the jump has left room for.
        step(reported("west", 2, 3_000_000));
        assertThat(control.isRestoring()).isFalse();
        again();
        assertThat(register(ADS, "east/joiner-0", "n2").getIncarnation().getGeneration())
                .as("the nonce of the lost registry's highest")
                .isEqualTo(1_000_003);
        assertThat(register(ADS, "west/joiner-0", "n8").getIncarnation().getGeneration())
                .isEqualTo(3_000_001);
        assertThat(register(ADS, "west/joiner-7", "n7").getIncarnation().getSlot())
                .isGreaterThan(1_000_000);
        again();
        assertThat(register(ADS, "east/joiner-0", "n2").getIncarnation().getGeneration())
                .as("asks again")
                .isEqualTo(1_000_003);
        assertThat(control.fenceTable(ADS)).containsEntry(1, 1_000_003).containsEntry(2, 3_000_001);
        ShardMap map = control.describe("ads").orElseThrow().map();
        assertThat(map.version()).isEqualTo(1_000_001);
        assertThat(control.describe("ads").orElseThrow().reshards().open()).isEmpty();
        ShardRef lostEpoch =
                ShardRef.newBuilder()
                        .setPipeline(RegistryProtos.bytes(ADS))
                        .setEpoch(2)
                        .setShard(0)
                        .build();
        assertThat(control.dropped(lostEpoch).orElseThrow().map()).isEqualTo(map);
    }

    /** The backup's index, higher than all that come, would put the oldest behind the newest. */
    @Test
    void whatTheBackupRecordedIsInFrontOfWhatComesInEveryReplica() throws IOException {
        restored("east", "west");
        loaded();
        List<AuditRecord> records = control.audit();
        assertThat(records).extracting(AuditRecord::getIndex).isSorted().contains(0L);
        assertThat(records.get(0).getKind()).isEqualTo(AuditKind.AUDIT_PIPELINE_CREATED);
        assertThat(records.get(records.size() - 1).getKind())
                .isEqualTo(AuditKind.AUDIT_RESTORE_BEGUN);
        again();
        assertThat(control.audit()).isEqualTo(records);
    }

    @Test
    void whoHasNotReportedMayNotRegister() throws IOException {
        restored("east", "north");
        loaded();
        step(reported("east", 1, 2));
        assertThat(step(lost("south")).getVerdict()).isEqualTo(Verdict.UNKNOWN_REPORT);
        step(lost("west"));
        assertThat(step(lost("north")).getStatus().getPhase()).isEqualTo(RestorePhase.RESTORE_DONE);
        assertThat(step(lost("east")).getStatus().getReports(0).getState())
                .as("it has reported")
                .isEqualTo(photon.proto.v1.ReportState.REPORT_DONE);
        assertThat(register(ADS, "east/joiner-0", "n9").hasIncarnation()).isTrue();
        for (String slot : List.of("west/joiner-0", "north/joiner-0", "south/joiner-0")) {
            assertThat(register(ADS, slot, "n8").getVerdict())
                    .as(slot)
                    .isEqualTo(RegisterResponse.Verdict.NOT_REPORTED);
        }
        assertThat(step(reported("west", 2, 1)).getVerdict()).isEqualTo(Verdict.STANDS);
        assertThat(register(ADS, "west/joiner-0", "n8").hasIncarnation()).isTrue();

        open("new", new UUID(5, 5));
        assertThat(register(new UUID(5, 5), "south/joiner-0", "n7").hasIncarnation())
                .as("of a pipeline that was made since")
                .isTrue();
    }

    @Test
    void aReportOfAnotherOutputOrSlotIsRefused() throws IOException {
        restored("east", "west");
        assertThat(step(reported("east", 1, 2)).getVerdict()).isEqualTo(Verdict.OTHER_PHASE);
        loaded();
        RestoreRequest.Builder other = reported("east", 1, 2);
        other.getReportedBuilder().setOutputId("another");
        assertThat(step(other).getVerdict()).isEqualTo(Verdict.OTHER_OUTPUT);
        assertThat(step(reported("east", 5_000_000, 1)).getVerdict())
                .isEqualTo(Verdict.UNKNOWN_REPORT);
        assertThat(control.restoreStatus().getReportsList())
                .noneMatch(
                        report ->
                                report.getState() != photon.proto.v1.ReportState.REPORT_WAITED_FOR);
    }

    @Test
    void whatCannotBeReadChangesNothingAndMayBeSentAnew() throws IOException {
        byte[] content = backup();
        control = new ControlState();
        step(begin(content, "east", "west"));
        byte[] damaged = content.clone();
        damaged[20] ^= 1;
        assertThat(step(piece(damaged, 0, damaged.length)).getVerdict())
                .isEqualTo(Verdict.UNREADABLE);
        assertThat(control.pipelines()).isEmpty();
        assertThat(step(piece(content, 0, content.length)).getStatus().getPhase())
                .isEqualTo(RestorePhase.RESTORE_LOADING);
    }

    private RestoreResponse beginAgain(byte[] content, String... datacenters) throws IOException {
        return step(begin(content, datacenters));
    }

    /**
     * Its manifests are gone: nothing else keeps what was published there from being joined again.
     */
    @Test
    void theLimitIsAtWhatAReportSaysIsSettledBeforeAnybodyRegisters() throws IOException {
        restored("east", "west");
        loaded();
        RestoreRequest.Builder east = reported("east", 1, 2);
        east.getReportedBuilder().setSettledBelowMicros(77_000);
        step(east);
        RestoreRequest.Builder west = reported("west", 2, 1);
        west.getReportedBuilder().setSettledBelowMicros(33_000);
        step(west);
        assertThat(control.isRestoring()).isFalse();
        assertThat(limit()).isEqualTo(77_000);
        again();
        assertThat(limit()).isEqualTo(77_000);
    }

    private long limit() {
        return control.pipelines().stream()
                .filter(pipeline -> pipeline.uuid().equals(ADS))
                .findFirst()
                .orElseThrow()
                .limitMicros();
    }

    @Test
    void behindTheEndAReportRaisesNoLimit() throws IOException {
        restored("east", "west");
        loaded();
        step(reported("east", 1, 2));
        step(lost("west"));
        assertThat(control.isRestoring()).isFalse();
        long before = limit();
        RestoreRequest.Builder west = reported("west", 2, 1);
        west.getReportedBuilder().setSettledBelowMicros(33_000);
        step(west);
        assertThat(limit()).as("a live joiner may have promised less").isEqualTo(before);
    }

    @Test
    void aDatacenterThatWasForgottenIsWaitedForWhenItIsNamedLater() throws IOException {
        byte[] content = restored("east", "west");
        assertThat(beginAgain(content, "east", "west", "north").getVerdict())
                .isEqualTo(Verdict.STANDS);
        loaded();
        step(reported("east", 1, 2));
        again();
        assertThat(beginAgain(content, "east", "west", "south").getVerdict())
                .isEqualTo(Verdict.STANDS);
        assertThat(step(reported("west", 2, 1)).getStatus().getPhase())
                .as("north and south are waited for")
                .isEqualTo(RestorePhase.RESTORE_REPORTING);
        step(lost("south"));
        assertThat(step(lost("north")).getStatus().getPhase()).isEqualTo(RestorePhase.RESTORE_DONE);
        assertThat(beginAgain(content, "east", "west").getVerdict()).isEqualTo(Verdict.STANDS);
        RestoreResponse late = beginAgain(content, "east", "west", "moon");
        assertThat(late.getVerdict()).isEqualTo(Verdict.DATACENTERS_LATE);
        assertThat(late.getMissingList()).containsExactly("moon");
    }

    /** Restored twice within days, from one backup: the clock must be ahead of it. */
    @Test
    void aBackupThatWasMadeBehindARestoreIssuesNothingTwiceEither() throws IOException {
        byte[] content = backup();
        int generation = 0;
        int slot = 0;
        int life = 0;
        for (int day : List.of(0, 2, 4)) {
            control = new ControlState();
            index = 0;
            RestoreRequest.Builder begin = begin(content, "east", "west");
            begin.getBeginBuilder().setAbove(200_000_000 + day * 86_400);
            step(begin);
            again();
            step(piece(content, 0, content.length));
            loaded();
            step(reported("east", Math.max(1, slot), 2));
            assertThat(step(reported("west", 2, 1)))
                    .extracting(RestoreResponse::getVerdict)
                    .isEqualTo(Verdict.STANDS);
            if (day == 0) {
                content = content();
            }
            assertThat(control.lostSlots()).isGreaterThan(life);
            RegisterResponse old = register(ADS, "east/joiner-0", "n9");
            RegisterResponse added = register(ADS, "east/joiner-5", "n8");
            assertThat(old.getIncarnation().getGeneration()).isGreaterThan(generation);
            assertThat(added.getIncarnation().getSlot()).isGreaterThan(slot);
            generation = old.getIncarnation().getGeneration();
            slot = added.getIncarnation().getSlot();
            life = control.lostSlots();
        }
    }

    /** What the first one has issued is above what the second finds in the same backup. */
    @Test
    void aSecondRestoreOfOneBackupIssuesNothingThatTheFirstHasIssued() throws IOException {
        byte[] content = backup();
        int generation = 0;
        int slot = 0;
        long version = 0;
        for (int seconds : List.of(0, 200_000_000, 200_000_060)) {
            control = new ControlState();
            index = 0;
            RestoreRequest.Builder begin = begin(content, "east", "west");
            begin.getBeginBuilder().setAbove(seconds);
            step(begin);
            again();
            step(piece(content, 0, content.length));
            loaded();
            step(reported("east", 1, 2));
            assertThat(step(reported("west", Math.max(2, slot), Math.max(1, generation))))
                    .as("what a joiner of the registry before has left")
                    .extracting(RestoreResponse::getVerdict)
                    .isEqualTo(Verdict.STANDS);
            RegisterResponse old = register(ADS, "east/joiner-0", "n9");
            RegisterResponse added = register(ADS, "east/joiner-5", "n8");
            assertThat(old.getIncarnation().getGeneration()).isGreaterThan(generation);
            assertThat(added.getIncarnation().getSlot()).isGreaterThan(slot);
            long stands = control.describe("ads").orElseThrow().map().version();
            assertThat(stands).isGreaterThan(version);
            generation = old.getIncarnation().getGeneration();
            slot = added.getIncarnation().getSlot();
            version = stands;
        }
        RestoreResponse beyond = step(reported("north", slot + 70, 3));
        assertThat(beyond.getVerdict()).isEqualTo(Verdict.UNKNOWN_REPORT);
        assertThat(beyond.getMissingList()).containsExactly(slot + 70 + "/3");
        assertThat(step(reported("north", 1, Integer.MAX_VALUE)).getVerdict())
                .isEqualTo(Verdict.UNKNOWN_REPORT);
    }

    @Test
    void aPipelineThatWasMadeSinceHasNothingToReport() throws IOException {
        restored("east", "west");
        loaded();
        UUID made = new UUID(5, 5);
        open("new", made);
        RestoreRequest.Builder report = reported("east", 1, 2);
        report.getReportedBuilder().setPipeline(RegistryProtos.bytes(made));
        assertThat(step(report).getVerdict()).isEqualTo(Verdict.UNKNOWN_REPORT);
        step(reported("east", 1, 2));
        step(reported("west", 2, 1));
        assertThat(register(made, "west/joiner-0", "n7").hasIncarnation()).isTrue();
    }

    @Test
    void aCheckTellsWhetherAReportWouldBeTakenAndChangesNothing() throws IOException {
        restored("east", "west");
        loaded();
        RestoreRequest.Builder check = reported("east", 1, 2);
        check.getReportedBuilder().setCheck(true);
        RestoreResponse answer = step(check);
        assertThat(answer.getVerdict()).isEqualTo(Verdict.STANDS);
        assertThat(answer.getStatus().getReportsList())
                .allMatch(
                        report ->
                                report.getState() == photon.proto.v1.ReportState.REPORT_WAITED_FOR);
        check.getReportedBuilder().setOutputId("another");
        assertThat(step(check).getVerdict()).isEqualTo(Verdict.OTHER_OUTPUT);
    }

    private SetPipelineResponse retention(long micros) throws IOException {
        return SetPipelineResponse.parseFrom(
                apply(
                        ControlEntries.setPipeline(
                                SetPipelineRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setRetentionMicros(micros)
                                        .build())));
    }

    private long limitAt(long passedMicros) {
        apply(
                ControlEntries.passedTime(
                        PassedTime.newBuilder().setPassedMicros(passedMicros).build()));
        return control.describe("ads").orElseThrow().limitMicros();
    }

    /** After a long outage the retention of before would drop what nobody could join meanwhile. */
    @Test
    void theRetentionMayBeRaisedBeforeTheLastReportAndNoBoundaryMovesUntilThen()
            throws IOException {
        open("ads", ADS);
        retention(1_000);
        byte[] content = content();
        control = new ControlState();
        step(begin(content, "east"));
        step(piece(content, 0, content.length));
        assertThat(retention(9_000).getProgress()).isEqualTo(Progress.RESOURCE_EXHAUSTED);
        loaded();
        assertThat(limitAt(5_000)).isEqualTo(Long.MIN_VALUE);
        assertThat(retention(4_000).getVerdict()).isEqualTo(SetPipelineResponse.Verdict.SET);
        RestoreRequest.Builder report = reported("east", 1, 1);
        step(report);
        assertThat(control.isRestoring()).isFalse();
        assertThat(limitAt(5_001)).isEqualTo(1_001);
    }

    private photon.proto.v1.IncarnationState repaired(
            photon.proto.v1.Incarnation incarnation, int life) throws IOException {
        return SetIncarnationStateResponse.parseFrom(
                        apply(
                                ControlEntries.setState(
                                        SetIncarnationStateRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(ADS))
                                                .setIncarnation(incarnation)
                                                .setState(photon.proto.v1.IncarnationState.REPAIRED)
                                                .setLife(life)
                                                .build())))
                .getState();
    }

    /** It has scanned another registry, in part: what it did not find there may be held here. */
    @Test
    void aRepairThatBeganBeforeTheRestoreDoesNotEndBehindIt() throws IOException {
        open("ads", ADS);
        photon.proto.v1.Incarnation dead = register(ADS, "east/joiner-0", "n1").getIncarnation();
        assertThat(fence(dead).getLife()).isZero();
        restored("east", "west");
        loaded();
        assertThat(repaired(dead, 0))
                .isEqualTo(photon.proto.v1.IncarnationState.INCARNATION_STATE_UNSPECIFIED);
        step(reported("east", 1, 2));
        step(reported("west", 2, 1));
        assertThat(repaired(dead, 0)).isEqualTo(photon.proto.v1.IncarnationState.OPEN);
        again();
        int life = fence(dead).getLife();
        assertThat(life).isEqualTo(control.lostSlots()).isPositive();
        assertThat(repaired(dead, life - 1)).isEqualTo(photon.proto.v1.IncarnationState.OPEN);
        assertThat(repaired(dead, life)).isEqualTo(photon.proto.v1.IncarnationState.REPAIRED);
    }

    private FenceIncarnationResponse fence(photon.proto.v1.Incarnation incarnation)
            throws IOException {
        return FenceIncarnationResponse.parseFrom(
                apply(
                        ControlEntries.fenceIncarnation(
                                FenceIncarnationRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setIncarnation(incarnation)
                                        .build())));
    }

    /** A slot that came behind the backup stands in no fence table. */
    @Test
    void aShardThatIsMadeBehindARestoreFencesWhatTheLostRegistryIssued() throws IOException {
        restored("east", "west");
        loaded();
        step(reported("east", 1, 2));
        step(reported("west", 2, 1));
        ShardUpkeep.Decided decided =
                ShardUpkeep.Decided.of(control, control.describe("ads").orElseThrow());
        Shard made = decided.map().shards().get(0);
        ShardState shard = new ShardState();
        long at = 0;
        for (byte[] missing = ShardUpkeep.missing(decided, made, shard);
                missing != null;
                missing = ShardUpkeep.missing(decided, made, shard)) {
            shard.apply(++at, ByteBuffer.wrap(missing));
        }
        EventId id = idOf(made, decided.map());
        assertThat(commit(shard, ++at, id, new CommitToken(77, 1, 1))).isEqualTo(Outcome.FENCED);
        assertThat(commit(shard, ++at, id, new CommitToken(control.lostSlots() + 1, 1, 1)))
                .isEqualTo(Outcome.ACCEPTED);
    }

    private static EventId idOf(Shard shard, ShardMap map) {
        for (int n = 0; ; n++) {
            EventId id = new EventId(1_000 + n, 1, 2, 3);
            if (map.owner(id).equals(shard)) {
                return id;
            }
        }
    }

    private static Outcome commit(ShardState shard, long at, EventId id, CommitToken token) {
        byte[] entry = ShardEntries.commit(Packed.ids(List.of(id)), Packed.tokens(List.of(token)));
        return Outcome.forNumber(
                ShardResults.commit(shard.apply(at, ByteBuffer.wrap(entry))).outcomes().byteAt(0));
    }

    /** Open incarnations are kept, each with its hold. */
    @Test
    void aSnapshotIsReadBackHoweverManyIncarnationsAreOpen() throws IOException {
        open("ads", ADS);
        int many = 70_000;
        for (int n = 0; n < many; n++) {
            register(ADS, "east/joiner-0", "n" + n);
        }
        again();
        assertThat(register(ADS, "east/joiner-0", "more").getIncarnation().getGeneration())
                .isEqualTo(many + 1);
    }
}
