package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.Incarnation;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropEpochResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PassedTime;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.ShardBoundary;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What the control group answers, as transcripts. */
final class ControlStateTest {
    private ControlState control = new ControlState();
    private long index;
    private @Nullable Stamp stamp;

    @Test
    void aNonceGetsItsGenerationAgainOnlyWhileThatIsTheHighest() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                register 1 east/j0 nonce1 idA out1 -> 1-1     # asks again
                register 1 east/j0 nonce2 idA out1 -> 1-2
                register 1 east/j0 nonce2 idA out1 -> 1-2
                register 1 east/j0 nonce1 idA out1 -> 1-3     # an older nonce is a new life
                register 1 west/j0 nonce1 idA out2 -> 2-1     # another slot
                list 1 east/                       -> 1-1 open fenced, 1-2 open fenced, 1-3 open live
                fences 1                           -> {1=3, 2=1}
                """);
    }

    @Test
    void aProcessRollsBetweenTheSlotsOfItsPairAndBothAreLive() throws IOException {
        transcript(
                """
                open ads 1 idA 2                              -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1            -> 1-1
                register 1 east/j1 nonce1 idA out1            -> 2-1      # another joiner
                register 1 east/j0~b nonce2 idA out1 from=1-1 -> 3-1
                register 1 east/j0~b nonce2 idA out1 from=1-1 -> 3-1      # asks again
                list 1 east/                                  -> 1-1 open live, 3-1 open live, 2-1 open live
                set 1 1-1 clean                               -> clean
                register 1 east/j0~b nonce2 idA out1 from=1-1 -> 3-1      # a late copy
                register 1 east/j0 nonce3 idA out1 from=3-1   -> 1-2
                set 1 3-1 clean                               -> clean
                list 1 east/                                  -> 1-1 clean fenced, 1-2 open live, 3-1 clean fenced, 2-1 open live
                fences 1                                      -> {1=2, 2=1, 3=2}
                """);
    }

    /** A process that was started anew leaves nobody behind who commits in the pair's name. */
    @Test
    void aProcessThatRegistersAfreshFencesBothSlots() throws IOException {
        transcript(
                """
                open ads 1 idA 2                              -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1            -> 1-1
                register 1 east/j0~b nonce2 idA out1 from=1-1 -> 2-1
                register 1 east/j0 nonce3 idA out1 pid=2      -> 1-2
                list 1 east/                                  -> 1-1 open fenced, 1-2 open live, 2-1 open fenced
                fences 1                                      -> {1=2, 2=2}
                version ads                                   -> 2
                register 1 east/j0~b nonce4 idA out1 pid=3    -> 2-2
                list 1 east/                                  -> 1-1 open fenced, 1-2 open fenced, 2-1 open fenced, 2-2 open live
                """);
    }

    @Test
    void aRollFromWhatIsNotLiveOrNotItsOwnIsRefusedAndChangesNothing() throws IOException {
        transcript(
                """
                open ads 1 idA 2                                      -> ads 1 idA 2
                register 1 east/j0~b nonce1 idA out1 from=1-1         -> rolls_from_not_live
                register 1 east/j0 nonce1 idA out1 pid=7 at=a:1       -> 1-1
                register 1 east/j1 nonce1 idA out1 pid=7 at=a:1       -> 2-1      # its number is the first free
                register 1 east/j0~b n idA out1 from=2-1 pid=7 at=a:1 -> rolls_from_not_live
                register 1 east/j0 n idA out1 from=1-1 pid=7 at=a:1   -> rolls_from_not_live
                register 1 east/j0~b n idA out1 from=1-2 pid=7 at=a:1 -> rolls_from_not_live
                register 1 east/j0~b n idA out1 from=1-1 pid=8 at=a:1 -> rolls_from_not_live
                register 1 east/j0~b n idA out1 from=1-1 pid=7 at=b:1 -> rolls_from_not_live
                register 1 east/j0~b n idA out1 from=1-1 pid=7 at=a:1 started=5 -> rolls_from_not_live
                fence 1 1-1                                           -> 2 in 2 shards
                register 1 east/j0~b n idA out1 from=1-1 pid=7 at=a:1 -> rolls_from_not_live
                list 1 east/                                          -> 1-1 open fenced, 2-1 open live
                """);
    }

    @Test
    void generationsThatWereClosedCleanShareARow() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                set 1 1-1 clean                    -> clean
                register 1 east/j0 nonce2 idA out1 -> 1-2
                set 1 1-2 clean                    -> clean
                list 1 east/                       -> 1-1..2 clean fenced
                register 1 east/j0 nonce2 idA out1 -> 1-2      # a late copy
                register 1 east/j0 nonce3 idA out1 -> 1-3
                register 1 east/j0 nonce4 idA out1 -> 1-4
                set 1 1-4 clean                    -> clean
                list 1 east/                       -> 1-1..2 clean fenced, 1-3 open fenced, 1-4 clean fenced
                set 1 1-3 clean                    -> clean
                list 1 east/                       -> 1-1..4 clean fenced
                set 1 1-2 repaired                 -> clean
                fence 1 1-2                        -> 5 in 2 shards
                register 1 east/j0 nonce5 idA out1 -> 1-5
                fence 1 1-5                        -> 6 in 2 shards
                set 1 1-5 repaired                 -> repaired
                register 1 east/j0 nonce6 idA out1 -> 1-6
                set 1 1-6 clean                    -> clean
                list 1 east/                       -> 1-1..4 clean fenced, 1-5 repaired fenced, 1-6 clean fenced
                """);
    }

    @Test
    void slotNumbersAreUniqueInTheWholeRegistry() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                open web 2 idB 3                   -> web 2 idB 3
                register 1 east/j0 nonce1 idA out1 -> 1-1
                register 2 east/j0 nonce1 idB out1 -> 2-1
                fence 2 1-1                        -> never issued    # of another pipeline
                fences 2                           -> {2=1}
                """);
    }

    @Test
    void anOpenPipelineIsAnsweredAsItStands() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                open ads 9 idB 5                   -> ads 1 idA 2
                open web 1 idB 5                   -> refused         # another pipeline's UUID
                open web 2 idB 0                   -> refused
                open web 2 idB 1                   -> web 2 idB 1
                """);
        assertThat(control.describe("ads").orElseThrow().map()).isEqualTo(ShardMap.initial(2));
        assertThat(control.describe("nobody")).isEmpty();
    }

    @Test
    void aMismatchNamesWhatIsHeldAndFencesNobody() throws IOException {
        transcript(
                """
                register 1 east/j0 nonce1 idA out1 -> unknown_pipeline
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                register 1 east/j0 nonce2 idB out1 -> other_identity idA
                register 1 east/j0 nonce2 idA out9 -> other_output out1
                list 1 east/                       -> 1-1 open live
                """);
    }

    @Test
    void aDatacenterHasOneOutputWhateverTheSlot() throws IOException {
        transcript(
                """
                open ads 1 idA 2                      -> ads 1 idA 2
                open jobs 2 idA 2                     -> jobs 2 idA 2
                register 1 east/j0 nonce1 idA out1    -> 1-1
                register 1 east/j1 nonce1 idA out9    -> other_output out1
                register 1 east/j1 nonce1 idA out1    -> 2-1
                register 1 eastern/j0 nonce1 idA out9 -> 3-1    # another datacenter
                register 1 eastern/j1 nonce1 idA out1 -> other_output out9
                register 2 east/j0 nonce1 idA out7    -> 4-1    # another pipeline
                register 1 east/j2 nonce1 idA out9    -> other_output out1
                """);
    }

    @Test
    void noBoundaryPassesWhatAnOpenIncarnationHolds() throws IOException {
        stamp = Stamp.newBuilder().setEarliestMicros(5).setLatestMicros(6).build();
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                passed 1000                        -> 1000
                limit ads                          -> nowhere of nowhere   # no retention
                settings 1 retention=100           -> set 100 0 0
                passed 1000                        -> 1000
                limit ads                          -> 900 of 900
                register 1 east/j0 nonce1 idA out1 -> 1-1
                passed 1050                        -> 1050
                limit ads                          -> 900 of 950           # as it was when 1-1 came
                renew 1 1-1 930                    -> live, 930 of 950
                renew 1 1-1 910                    -> live, 930 of 950     # a late copy
                renew 1 1-1 900000                 -> live, 950 of 950
                renew 1 1-9 5                      -> never issued
                renew 2 1-1 5                      -> never issued
                passed 1040                        -> 1040
                limit ads                          -> 950 of 940           # never back
                """);
        transcript(
                """
                open web 2 idA 1                   -> web 2 idA 1
                settings 2 retention=100           -> set 100 0 0
                passed 1000                        -> 1000
                register 2 east/j0 nonce1 idA out1 -> 2-1
                register 2 west/j0 nonce2 idA out2 -> 3-1
                renew 2 2-1 910                    -> live, 900 of 900
                renew 2 3-1 950                    -> live, 900 of 900
                passed 5000                        -> 5000
                limit web                          -> 910 of 4900
                register 2 east/j0 nonce3 idA out1 -> 2-2                  # 2-1 was dead
                renew 2 2-1 4000                   -> not live, 910 of 4900
                renew 2 2-2 4800                   -> live, 910 of 4900
                passed 9000                        -> 9000
                limit web                          -> 910 of 8900          # for as long as it takes
                set 2 2-1 repaired                 -> repaired
                passed 9001                        -> 9001
                limit web                          -> 950 of 8901
                fence 2 3-1                        -> 2 in 1 shards
                passed 9002                        -> 9002
                limit web                          -> 950 of 8902
                set 2 3-1 repaired                 -> repaired             # given up
                set 2 2-2 clean                    -> clean
                passed 9003                        -> 9003
                limit web                          -> 8903 of 8903
                """);
        assertThat(control.incarnations(uuid("1"), "east/"))
                .extracting(IncarnationInfo::getHoldMicros, IncarnationInfo::getHeardMicros)
                .containsExactly(tuple(900_000L, 5L));
        assertThat(control.holder(uuid("1")).orElseThrow().getSlotName()).isEqualTo("east/j0");
        assertThat(control.holder(uuid("2"))).isEmpty();
    }

    @Test
    void fencingRaisesTheLowestLiveGenerationAndNeverLowersIt() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                fence 1 1-1                        -> 2 in 2 shards
                version ads                        -> 1
                fence 1 1-1                        -> 2 in 2 shards   # again: nothing new
                version ads                        -> 1
                register 1 east/j0 nonce1 idA out1 -> 1-1             # fenced, yet the same answer
                register 1 east/j0 nonce2 idA out1 -> 1-2
                fences 1                           -> {1=2}
                fence 1 1-1                        -> 2 in 2 shards
                fence 1 1-9                        -> never issued
                fence 1 7-1                        -> never issued
                list 1 west/                       ->
                """);
    }

    @Test
    void aSettledIncarnationNeverChanges() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                set 1 1-1 repaired                 -> open            # it is live
                set 1 1-1 open                     -> open
                set 1 1-1 clean                    -> clean
                fences 1                           -> {1=2}           # a clean close fences itself
                set 1 1-1 repaired                 -> clean
                register 1 east/j0 nonce2 idA out1 -> 1-2
                fence 1 1-2                        -> 3 in 2 shards
                set 1 1-2 repaired                 -> repaired
                set 1 1-2 clean                    -> repaired
                set 1 1-3 clean                    -> never issued
                list 1 east/                       -> 1-1 clean fenced, 1-2 repaired fenced
                """);
    }

    @Test
    void ofTwoAttemptsOnOneMapOneIsCommittedAndTheOtherAborted() throws IOException {
        transcript(
                """
                begin 1 v1 3@500 n1                -> unknown_pipeline
                open ads 1 idA 2                   -> ads 1 idA 2
                begin 1 v1 3@500 n1                -> 1 reshard_open of v1
                begin 1 v1 3@500 n1                -> 1 reshard_open of v1  # asked again
                begin 1 v1 1@400 n2                -> 2 reshard_open of v1
                decide 1 2 commit 1/0              -> reshard_open v1       # a shard is missing
                decide 1 2 commit 1/0 2/1          -> reshard_open v1
                decide 1 2 commit 1/1 1/0          -> reshard_committed v2
                decide 1 1 commit 1/0 1/1          -> reshard_aborted v2    # built on a map that is gone
                decide 1 2 abort                   -> reshard_committed v2  # settled
                decide 1 9 abort                   -> reshard_state_unspecified v2
                begin 1 v1 3@500 n1                -> 1 reshard_aborted of v2
                begin 1 v1 3@500 n3                -> other_version
                begin 1 v2 3@400 n3                -> bad_start             # the last epoch's own
                begin 1 v2 0@500 n3                -> bad_shards
                begin 1 v2 1022@500 n3             -> bad_shards            # over all epochs
                begin 1 v2 1021@500 n3             -> 3 reshard_open of v2
                decide 1 3 abort                   -> reshard_aborted v2
                decide 1 3 commit 2/0              -> reshard_aborted v2
                begin 1 v2 4@600 n4                -> 4 reshard_open of v2
                decide 1 4 commit 2/0              -> reshard_committed v3  # of the last epoch only
                """);
        assertThat(control.describe("ads").orElseThrow().map())
                .isEqualTo(ShardMap.initial(2).withEpoch(400, 1).withEpoch(600, 4));
    }

    @Test
    void aFenceListsTheGroupsOfAllEpochsFromTheDecisionOn() throws IOException {
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                begin 1 v1 3@500 n1                -> 1 reshard_open of v1
                fence 1 1-1                        -> 2 in 2 shards
                decide 1 1 commit 1/0 1/1          -> reshard_committed v2
                fence 1 1-1                        -> 2 in 5 shards
                """);
    }

    @Test
    void openAndRememberedAttemptsAreBounded() throws IOException {
        transcript("open ads 1 idA 1 -> ads 1 idA 1");
        for (int n = 1; n <= ReshardAttempts.OPEN_MAX; n++) {
            transcript("begin 1 v1 1@500 n%s -> %s reshard_open of v1".formatted(n, n));
        }
        transcript(
                """
                begin 1 v1 1@500 more              -> too_many_open
                decide 1 1 abort                   -> reshard_aborted v1
                """);
        long last = ReshardAttempts.OPEN_MAX;
        for (int n = 0; n < ReshardAttempts.ABORTED_KEPT + 5; n++) {
            last++;
            transcript("begin 1 v1 1@500 m%s -> %s reshard_open of v1".formatted(last, last));
            transcript("decide 1 %s abort -> reshard_aborted v1".formatted(last));
        }
        ReshardView view = control.describe("ads").orElseThrow().reshards();
        assertThat(view.states())
                .hasSize(ReshardAttempts.ABORTED_KEPT + ReshardAttempts.OPEN_MAX - 1);
        assertThat(view.isAborted(1)).as("forgotten, and aborted").isTrue();
        assertThat(view.isAborted(2)).as("open").isFalse();
        assertThat(view.isAborted(last + 1)).as("not issued yet").isFalse();
        assertThat(view.lowestOpen()).isEqualTo(2);
        transcript("decide 1 1 commit 1/0 -> reshard_aborted v1");
    }

    @Test
    void aDroppedPipelineIsKnownForEverAndItsUuidNeverComesBack() throws IOException {
        transcript(
                """
                drop 1                             -> unknown_pipeline
                open ads 1 idA 2                   -> ads 1 idA 2
                register 1 east/j0 nonce1 idA out1 -> 1-1
                register 1 west/j0 nonce1 idA out1 -> 2-1
                drop 1                             -> incarnations_live east/j0 west/j0
                set 1 1-1 clean                    -> clean
                drop 1                             -> incarnations_live west/j0
                fence 1 2-1                        -> 2 in 2 shards
                drop 1                             -> dropped ads of 2 shards at 9  # fenced: not repaired, yet it may go
                drop 1                             -> dropped ads of 2 shards at 9  # again
                open ads 1 idA 2                   -> dropped ads
                open web 1 idA 2                   -> dropped ads      # under any name
                register 1 east/j0 nonce1 idA out1 -> pipeline_dropped ads
                fence 1 1-1                        -> never issued
                set 1 1-1 repaired                 -> never issued
                begin 1 v1 3@500 n1                -> unknown_pipeline
                settings 1 weight=5                -> pipeline_dropped
                list 1 east/                       ->
                open ads 2 idB 4                   -> ads 2 idB 4      # the name, for another
                open ads 1 idA 2                   -> ads 2 idB 4      # whoever comes with the old UUID sees it
                register 2 east/j0 nonce1 idB out9 -> 3-1              # nothing is left of the old slots
                drop 2                             -> incarnations_live east/j0
                force-drop 2                       -> dropped ads of 4 shards at 22
                open ads 2 idB 4                   -> dropped ads
                """);
        assertThat(control.dropped())
                .extracting(DroppedPipeline::getIndex)
                .containsExactly(9L, 22L);
        assertThat(control.isDropped(RegistryProtos.bytes(uuid("1")))).isTrue();
        assertThat(control.isDropped(RegistryProtos.bytes(uuid("3")))).isFalse();
        assertThat(control.isDropped(ByteString.EMPTY)).isFalse();
        assertThat(control.pipelines()).isEmpty();
    }

    @Test
    void settingsChangeOneByOneAndOnlyToWhatCanBe() throws IOException {
        transcript(
                """
                settings 1 weight=5                -> unknown_pipeline
                open ads 1 idA 2                   -> ads 1 idA 2
                settings 1 retention=500           -> set 500 0 0
                settings 1 weight=5                -> set 500 0 5
                settings 1 waiting=8192 weight=7   -> set 500 8192 7
                settings 1 waiting=0               -> set 500 0 7
                settings 1                         -> set 500 0 7
                settings 1 retention=-1            -> bad_settings
                settings 1 waiting=5               -> bad_settings
                settings 1 waiting=-5              -> bad_settings
                settings 1 weight=-1               -> bad_settings
                settings 1 weight=10001            -> bad_settings
                settings 1 weight=9 waiting=5      -> bad_settings     # all or nothing
                settings 1 retention=0             -> set 0 0 7
                """);
    }

    @Test
    void whatChangedSomethingIsRecordedWithWhoAndWhenAndNothingTwice() throws IOException {
        stamp = Stamp.newBuilder().setActor("me").setEarliestMicros(5).setLatestMicros(6).build();
        transcript(
                """
                open ads 1 idA 2                   -> ads 1 idA 2
                open ads 1 idA 2                   -> ads 1 idA 2
                settings 1 weight=5                -> set 0 0 5
                settings 1 weight=5                -> set 0 0 5
                register 1 east/j0 nonce1 idA out1 -> 1-1
                register 1 east/j0 nonce1 idA out1 -> 1-1
                fence 1 1-1                        -> 2 in 2 shards
                fence 1 1-1                        -> 2 in 2 shards
                set 1 1-1 repaired                 -> repaired
                set 1 1-1 repaired                 -> repaired
                register 1 east/j0 nonce2 idA out1 -> 1-2
                set 1 1-2 clean                    -> clean
                begin 1 v1 3@500 n1                -> 1 reshard_open of v1
                begin 1 v1 3@500 n1                -> 1 reshard_open of v1
                begin 1 v1 3@500 n2                -> 2 reshard_open of v1
                decide 1 2 commit 1/0 1/1          -> reshard_committed v2
                decide 1 2 commit 1/0 1/1          -> reshard_committed v2
                drop 1                             -> dropped ads of 5 shards at 18
                drop 1                             -> dropped ads of 5 shards at 18
                """);
        assertThat(control.audit())
                .extracting(
                        row ->
                                "%s %s %s"
                                        .formatted(
                                                row.getIndex(),
                                                lower(row.getKind()).replace("audit_", ""),
                                                row.getDetail()))
                .containsExactly(
                        "1 pipeline_created 2 shards, retention 0 us, 0 waiting ids a shard, share"
                                + " weight 0",
                        "3 pipeline_set retention 0 us, 0 waiting ids a shard, share weight 5",
                        "5 registered east/j0 at host:1",
                        "7 fenced east/j0",
                        "9 repaired east/j0",
                        "11 registered east/j0 at host:1",
                        "12 closed east/j0",
                        "13 reshard_begun attempt 1: 3 shards from 500 us on",
                        "15 reshard_begun attempt 2: 3 shards from 500 us on",
                        "16 reshard_aborted attempt 1: another one, or on another map",
                        "16 reshard_committed attempt 2: map version 2",
                        "18 pipeline_dropped 5 groups");
        assertThat(control.audit())
                .allMatch(row -> row.getStamp().equals(stamp))
                .allMatch(row -> row.getPipelineName().equals("ads"));
        assertThat(control.audit().get(3).getIncarnation()).isEqualTo(incarnation("1-1"));
    }

    @Test
    void theAuditIsBoundedAndSaysHowMuchItHasForgotten() throws IOException {
        transcript("open ads 1 idA 2 -> ads 1 idA 2");
        for (int n = 1; n <= AuditTrail.KEPT + 2; n++) {
            settings(new String[] {"settings", "1", "retention=" + n});
        }
        restore();
        assertThat(control.audit()).hasSize(AuditTrail.KEPT);
        assertThat(control.auditForgotten()).isEqualTo(3);
        assertThat(control.audit().get(0).getIndex()).isEqualTo(4);
    }

    @Test
    void joinersThatCrashAgainAndAgainPushOutNothingThatPeopleDid() throws IOException {
        transcript("open ads 1 idA 2 -> ads 1 idA 2");
        for (int n = 1; n <= AuditTrail.KEPT + 2; n++) {
            register(("register 1 east/j0 nonce" + n + " idA out1").split(" "));
        }
        settings(new String[] {"settings", "1", "weight=5"});
        restore();
        List<AuditRecord> kept = control.audit();
        assertThat(control.auditForgotten()).isEqualTo(2);
        assertThat(kept).hasSize(AuditTrail.KEPT + 2);
        assertThat(kept.get(0).getKind()).isEqualTo(AuditKind.AUDIT_PIPELINE_CREATED);
        assertThat(kept.get(1).getIndex()).isEqualTo(4);
        assertThat(kept.get(AuditTrail.KEPT + 1).getKind()).isEqualTo(AuditKind.AUDIT_PIPELINE_SET);
    }

    @Test
    void whyAnAttemptWasAbortedIsKeptButNotAllOfALongText() throws IOException {
        transcript(
                """
                open ads 1 idA 1     -> ads 1 idA 1
                begin 1 v1 3@500 n1  -> 1 reshard_open of v1
                begin 1 v1 3@500 n2  -> 2 reshard_open of v1
                """);
        for (String reason :
                List.of("too late", "x".repeat(ReshardRules.REASON_MAX - 1) + "\uD83D\uDE00")) {
            apply(
                    ControlEntries.decideReshard(
                            DecideReshardRequest.newBuilder()
                                    .setPipeline(RegistryProtos.bytes(uuid("1")))
                                    .setAttempt(reason.startsWith("x") ? 2 : 1)
                                    .setDecision(ReshardDecision.ABORT)
                                    .setReason(reason)
                                    .build()));
        }
        assertThat(control.audit())
                .filteredOn(row -> row.getKind() == AuditKind.AUDIT_RESHARD_ABORTED)
                .extracting(AuditRecord::getDetail)
                .containsExactly(
                        "attempt 1: too late",
                        "attempt 2: " + "x".repeat(ReshardRules.REASON_MAX - 1));
    }

    @Test
    void aNameIsOneOfAConfiguration() throws IOException {
        for (String name : List.of("", "Ads", "a b", "-a", "a/b", "a".repeat(64))) {
            OpenPipelineResponse answer =
                    OpenPipelineResponse.parseFrom(
                            apply(
                                    ControlEntries.openPipeline(
                                            OpenPipelineRequest.newBuilder()
                                                    .setName(name)
                                                    .setUuid(RegistryProtos.bytes(uuid("1")))
                                                    .setShards(1)
                                                    .build())));
            assertThat(answer.getVerdict())
                    .as(name)
                    .isEqualTo(OpenPipelineResponse.Verdict.BAD_REQUEST);
        }
        transcript("open a-1 1 idA 1 -> a-1 1 idA 1");
    }

    @Test
    void aStampThatIsNotWholeIsABug() {
        byte[] right =
                Stamps.stamped(
                        Stamp.getDefaultInstance(),
                        ControlEntries.openPipeline(OpenPipelineRequest.getDefaultInstance()));
        apply(right);
        for (byte[] wrong :
                List.of(
                        new byte[] {Stamps.STAMPED},
                        new byte[] {Stamps.STAMPED, 0, 0, 0, 0},
                        new byte[] {Stamps.STAMPED, 0, 0, 0, 9, 1},
                        new byte[] {Stamps.STAMPED, -1, 0, 0, 0, 1},
                        new byte[] {Stamps.STAMPED, 0, 0, 0, 0, Stamps.STAMPED})) {
            assertThatThrownBy(() -> apply(wrong)).isInstanceOf(BugException.class);
        }
    }

    @Test
    void aSnapshotOfAnotherVersionIsRefused() {
        for (int version : new int[] {0, 2, 255}) {
            assertThatThrownBy(
                            () ->
                                    control.restore(
                                            MemorySnapshot.of(
                                                    StateFile.NAME, new byte[] {(byte) version})))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "Expected a snapshot of the control group in version 1, but it is in"
                                    + " version "
                                    + version);
        }
    }

    @Test
    void anEpochIsDroppedOnceAllBoundariesHavePassedItsLastId() throws IOException {
        transcript(
                """
                open ads 1 f1 1                     -> ads 1 f1 1
                drop-epoch 1 1 1/0@900                    -> no v1                 # the last epoch
                begin 1 v1 2@500 n1                 -> 1 reshard_open of v1
                decide 1 1 commit 1/0               -> reshard_committed v2
                begin 1 v2 1@800 n2                 -> 2 reshard_open of v2
                drop-epoch 1 1 1/0@500 2/0@500 2/1@500    -> no v2                 # an attempt is open
                decide 1 2 commit 2/0 2/1           -> reshard_committed v3
                drop-epoch 1 1 1/0@499 2/0@500 2/1@500    -> no v3
                drop-epoch 1 1 1/0@500 2/0@500 2/1@499    -> no v3                 # it gets what is older
                drop-epoch 1 1 1/0@500 2/0@500            -> no v3
                drop-epoch 1 2 1/0@900 2/0@900 2/1@900 3/0@900 -> no v3            # not the first
                drop-epoch 2 1 1/0@500 2/0@500 2/1@500    -> no v0                 # unknown
                drop-epoch 1 1 1/0@500 2/0@500 2/1@500    -> yes v4
                drop-epoch 1 1 1/0@500 2/0@500 2/1@500    -> yes v4                # asked again
                begin 1 v4 1023@900 n3              -> bad_shards
                begin 1 v4 1021@900 n3              -> 3 reshard_open of v4
                """);
        assertThat(control.describe("ads").orElseThrow().map())
                .isEqualTo(
                        ShardMap.initial(1)
                                .withEpoch(500, 2)
                                .withEpoch(800, 1)
                                .withoutFirstEpoch());
        assertThat(control.audit())
                .filteredOn(row -> row.getKind() == AuditKind.AUDIT_EPOCH_DROPPED)
                .extracting(AuditRecord::getDetail)
                .containsExactly("epoch 1: map version 4");
        ShardRef first = RegistryProtos.shardRef(uuid("1"), new Shard(1, 0));
        assertThat(control.dropped(first).orElseThrow().endMicros()).isEqualTo(500);
        assertThat(control.dropped(RegistryProtos.shardRef(uuid("1"), new Shard(2, 0)))).isEmpty();
        assertThat(control.dropped(RegistryProtos.shardRef(uuid("2"), new Shard(1, 0)))).isEmpty();
        // With it go the groups of that epoch which a server may have still.
        transcript("drop 1 -> dropped ads of 3 shards at 17");
        assertThat(control.dropped(first)).isEmpty();
        assertThat(control.dropped().get(0).getDroppedEpochsList())
                .extracting(epoch -> epoch.getNumber())
                .containsExactly(1);
    }

    private String dropEpoch(String[] words) throws InvalidProtocolBufferException {
        DropEpochRequest.Builder request =
                DropEpochRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                        .setEpoch(Integer.parseInt(words[2]));
        for (int i = 3; i < words.length; i++) {
            String[] said = words[i].split("[/@]", -1);
            Shard shard = new Shard(Integer.parseInt(said[0]), Integer.parseInt(said[1]));
            request.addBoundaries(
                    ShardBoundary.newBuilder()
                            .setShard(RegistryProtos.shardRef(uuid(words[1]), shard))
                            .setBoundaryMicros(Long.parseLong(said[2])));
        }
        DropEpochResponse answer =
                DropEpochResponse.parseFrom(apply(ControlEntries.dropEpoch(request.build())));
        return (answer.getDropped() ? "yes" : "no") + " v" + answer.getMap().getVersion();
    }

    @Test
    void anUnreadableEntryIsABug() {
        assertThatThrownBy(() -> apply(new byte[] {99})).isInstanceOf(BugException.class);
        assertThatThrownBy(() -> apply(new byte[] {1, -1, -1})).isInstanceOf(BugException.class);
    }

    /** After each command the state is written and read back, so that snapshots hold it all. */
    private void transcript(String lines) throws IOException {
        List<String> actual = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            String[] halves = line.replaceAll("#.*", "").split("->", -1);
            String command = halves[0].strip().replaceAll(" +", " ");
            expected.add((command + " -> " + halves[1].strip()).strip());
            actual.add((command + " -> " + answer(command.split(" ", -1))).strip());
            restore();
        }
        assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", expected));
    }

    private void restore() throws IOException {
        byte[] before = snapshot(control);
        ControlState copy = new ControlState();
        copy.restore(MemorySnapshot.of(StateFile.NAME, before));
        assertThat(snapshot(copy)).isEqualTo(before);
        assertThat(copy.lastIndex()).isEqualTo(index);
        control = copy;
    }

    private static byte[] snapshot(ControlState state) throws IOException {
        try (InputStream in = MemorySnapshot.of(state, null).file(StateFile.NAME).open()) {
            return in.readAllBytes();
        }
    }

    private byte[] apply(byte[] entry) {
        byte[] stamped = stamp == null ? entry : Stamps.stamped(stamp, entry);
        byte[] result = control.apply(index + 1, ByteBuffer.wrap(stamped));
        index++;
        return result;
    }

    private String answer(String[] words) throws InvalidProtocolBufferException {
        return switch (words[0]) {
            case "open" -> open(words);
            case "register" -> register(words);
            case "fence" -> fence(words);
            case "set" -> set(words);
            case "begin" -> begin(words);
            case "decide" -> decide(words);
            case "drop", "force-drop" -> drop(words);
            case "drop-epoch" -> dropEpoch(words);
            case "settings" -> settings(words);
            case "renew" -> renew(words);
            case "passed" -> passed(words);
            case "limit" -> limit(words);
            case "fences" -> control.fenceTable(uuid(words[1])).toString();
            case "version" -> "" + control.describe(words[1]).orElseThrow().fenceVersion();
            default -> list(words);
        };
    }

    private String open(String[] words) throws InvalidProtocolBufferException {
        OpenPipelineResponse answer =
                OpenPipelineResponse.parseFrom(
                        apply(
                                ControlEntries.openPipeline(
                                        OpenPipelineRequest.newBuilder()
                                                .setName(words[1])
                                                .setUuid(RegistryProtos.bytes(uuid(words[2])))
                                                .setIdentityFingerprint(words[3])
                                                .setShards(Integer.parseInt(words[4]))
                                                .build())));
        if (!answer.hasPipeline()) {
            return answer.hasDropped() ? "dropped " + answer.getDropped().getName() : "refused";
        }
        UUID held = RegistryProtos.uuid(answer.getPipeline().getUuid());
        return "%s %s %s %s"
                .formatted(
                        answer.getPipeline().getName(),
                        held == null ? "?" : held.getLeastSignificantBits(),
                        answer.getPipeline().getIdentityFingerprint(),
                        answer.getPipeline().getMap().getEpochs(0).getShards());
    }

    private String drop(String[] words) throws InvalidProtocolBufferException {
        DropPipelineResponse answer =
                DropPipelineResponse.parseFrom(
                        apply(
                                ControlEntries.dropPipeline(
                                        DropPipelineRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                                                .setForce(words[0].equals("force-drop"))
                                                .build())));
        return lower(answer.getVerdict())
                + (answer.hasDropped()
                        ? " %s of %s shards at %s"
                                .formatted(
                                        answer.getDropped().getName(),
                                        ShardMap.of(answer.getDropped().getMap()).shards().size(),
                                        answer.getDropped().getIndex())
                        : "")
                + answer.getLiveList().stream()
                        .map(info -> " " + info.getSlotName())
                        .collect(Collectors.joining());
    }

    /** settings UUID retention=x waiting=y weight=z, each of the three or not. */
    private String settings(String[] words) throws InvalidProtocolBufferException {
        SetPipelineRequest.Builder request =
                SetPipelineRequest.newBuilder().setPipeline(RegistryProtos.bytes(uuid(words[1])));
        for (int i = 2; i < words.length; i++) {
            String[] setting = words[i].split("=", -1);
            switch (setting[0]) {
                case "retention" -> request.setRetentionMicros(Long.parseLong(setting[1]));
                case "waiting" -> request.setWaitingIdsPerShard(Integer.parseInt(setting[1]));
                default -> request.setShareWeight(Integer.parseInt(setting[1]));
            }
        }
        SetPipelineResponse answer =
                SetPipelineResponse.parseFrom(apply(ControlEntries.setPipeline(request.build())));
        return lower(answer.getVerdict())
                + (answer.hasSettings()
                        ? " %s %s %s"
                                .formatted(
                                        answer.getSettings().getRetentionMicros(),
                                        answer.getSettings().getWaitingIdsPerShard(),
                                        answer.getSettings().getShareWeight())
                        : "");
    }

    private String renew(String[] words) throws InvalidProtocolBufferException {
        RenewIncarnationResponse answer =
                RenewIncarnationResponse.parseFrom(
                        apply(
                                ControlEntries.renewIncarnation(
                                        RenewIncarnationRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                                                .setIncarnation(incarnation(words[2]))
                                                .setHoldMicros(Long.parseLong(words[3]))
                                                .build())));
        return answer.getLimitMicros() == 0
                ? "never issued"
                : "%s, %s of %s"
                        .formatted(
                                answer.getLive() ? "live" : "not live",
                                answer.getLimitMicros(),
                                answer.getWantedMicros());
    }

    private String passed(String[] words) throws InvalidProtocolBufferException {
        PassedTime told = PassedTime.newBuilder().setPassedMicros(Long.parseLong(words[1])).build();
        return "" + PassedTime.parseFrom(apply(ControlEntries.passedTime(told))).getPassedMicros();
    }

    private String limit(String[] words) {
        PipelineView view = control.describe(words[1]).orElseThrow();
        return "%s of %s".formatted(micros(view.limitMicros()), micros(view.wantedMicros()));
    }

    private static String micros(long micros) {
        return micros == Long.MIN_VALUE ? "nowhere" : "" + micros;
    }

    private String begin(String[] words) throws InvalidProtocolBufferException {
        String[] epoch = words[3].split("@", -1);
        BeginReshardResponse answer =
                BeginReshardResponse.parseFrom(
                        apply(
                                ControlEntries.beginReshard(
                                        BeginReshardRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                                                .setBaseVersion(
                                                        Long.parseLong(words[2].substring(1)))
                                                .setShards(Integer.parseInt(epoch[0]))
                                                .setStartMicros(Long.parseLong(epoch[1]))
                                                .setNonce(ByteString.copyFromUtf8(words[4]))
                                                .build())));
        return answer.hasAttempt()
                ? "%s %s of v%s"
                        .formatted(
                                answer.getAttempt().getNumber(),
                                lower(answer.getAttempt().getState()),
                                answer.getMap().getVersion())
                : lower(answer.getVerdict());
    }

    private String decide(String[] words) throws InvalidProtocolBufferException {
        DecideReshardRequest.Builder request =
                DecideReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                        .setAttempt(Long.parseLong(words[2]))
                        .setDecision(ReshardDecision.valueOf(words[3].toUpperCase(Locale.ROOT)));
        for (int i = 4; i < words.length; i++) {
            String[] shard = words[i].split("/", -1);
            request.addPrepared(
                    RegistryProtos.shardRef(
                            uuid(words[1]),
                            new Shard(Integer.parseInt(shard[0]), Integer.parseInt(shard[1]))));
        }
        DecideReshardResponse answer =
                DecideReshardResponse.parseFrom(
                        apply(ControlEntries.decideReshard(request.build())));
        return lower(answer.getState()) + " v" + answer.getMap().getVersion();
    }

    private String register(String[] words) throws InvalidProtocolBufferException {
        RegisterRequest.Builder request =
                RegisterRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                        .setSlotName(words[2])
                        .setNonce(ByteString.copyFromUtf8(words[3]))
                        .setIdentityFingerprint(words[4])
                        .setOutputId(words[5])
                        .setAddress("host:1");
        for (int i = 6; i < words.length; i++) {
            String value = words[i].substring(words[i].indexOf('=') + 1);
            switch (words[i].substring(0, words[i].indexOf('='))) {
                case "from" -> request.setRollsFrom(incarnation(value));
                case "at" -> request.setAddress(value);
                case "pid" -> request.setProcessId(Long.parseLong(value));
                default -> request.setStartedMicros(Long.parseLong(value));
            }
        }
        RegisterResponse answer =
                RegisterResponse.parseFrom(apply(ControlEntries.register(request.build())));
        if (answer.getVerdict() == RegisterResponse.Verdict.REGISTERED) {
            return answer.getIncarnation().getSlot()
                    + "-"
                    + answer.getIncarnation().getGeneration();
        }
        return lower(answer.getVerdict())
                + (answer.getHeld().isEmpty() ? "" : " " + answer.getHeld());
    }

    private String fence(String[] words) throws InvalidProtocolBufferException {
        FenceIncarnationResponse answer =
                FenceIncarnationResponse.parseFrom(
                        apply(
                                ControlEntries.fenceIncarnation(
                                        FenceIncarnationRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                                                .setIncarnation(incarnation(words[2]))
                                                .build())));
        return answer.getShardsCount() == 0
                ? "never issued"
                : answer.getLowestLiveGeneration() + " in " + answer.getShardsCount() + " shards";
    }

    private String set(String[] words) throws InvalidProtocolBufferException {
        SetIncarnationStateResponse answer =
                SetIncarnationStateResponse.parseFrom(
                        apply(
                                ControlEntries.setState(
                                        SetIncarnationStateRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(uuid(words[1])))
                                                .setIncarnation(incarnation(words[2]))
                                                .setState(
                                                        IncarnationState.valueOf(
                                                                words[3].toUpperCase(Locale.ROOT)))
                                                .build())));
        return answer.getState() == IncarnationState.INCARNATION_STATE_UNSPECIFIED
                ? "never issued"
                : lower(answer.getState());
    }

    private String list(String[] words) {
        List<String> all = new ArrayList<>();
        for (IncarnationInfo info : control.incarnations(uuid(words[1]), words[2])) {
            all.add(
                    "%s-%s%s %s %s"
                            .formatted(
                                    info.getIncarnation().getSlot(),
                                    info.getFirstGeneration() == 0
                                            ? ""
                                            : info.getFirstGeneration() + "..",
                                    info.getIncarnation().getGeneration(),
                                    lower(info.getState()),
                                    info.getFenced() ? "fenced" : "live"));
        }
        return String.join(", ", all);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static UUID uuid(String number) {
        return new UUID(0, Long.parseLong(number));
    }

    private static photon.proto.v1.Incarnation incarnation(String text) {
        Incarnation incarnation = Incarnation.parse(text);
        return photon.proto.v1.Incarnation.newBuilder()
                .setSlot(incarnation.slot())
                .setGeneration(incarnation.generation())
                .build();
    }
}
