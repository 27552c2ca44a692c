package photon.idregistry.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.api.ReshardClient.End;
import photon.idregistry.reshard.ReshardCoordinator.Step;
import photon.idregistry.shard.ShardMap;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;

final class ReshardCoordinatorTest {
    private static final ShardMap MAP = ShardMap.initial(1).withEpoch(100, 2);
    private static final Shard FIRST = new Shard(2, 0);
    private static final Shard SECOND = new Shard(2, 1);
    private static final ReshardAttempt OPEN = attempt(ReshardState.RESHARD_OPEN);

    private final ReshardCoordinator coordinator = new ReshardCoordinator();

    private static ReshardAttempt attempt(ReshardState state) {
        return ReshardAttempt.newBuilder().setNumber(7).setBaseVersion(2).setState(state).build();
    }

    private static BeginReshardResponse begun(ReshardState state) {
        return BeginReshardResponse.newBuilder()
                .setVerdict(BeginReshardResponse.Verdict.BEGUN)
                .setAttempt(attempt(state))
                .setMap(MAP.toProto())
                .build();
    }

    private void begin() {
        assertThat(coordinator.next()).containsExactly(new Step.Begin());
        coordinator.begun(begun(ReshardState.RESHARD_OPEN));
        assertThat(coordinator.next())
                .containsExactly(
                        new Step.Prepare(OPEN, FIRST, false),
                        new Step.Prepare(OPEN, SECOND, false));
    }

    private void decided(ReshardState state) {
        coordinator.decided(
                DecideReshardResponse.newBuilder().setState(state).setMap(MAP.toProto()).build());
    }

    private End end() {
        return java.util.Objects.requireNonNull(coordinator.result()).end();
    }

    @Test
    void itCommitsWhenEveryShardOfTheLastEpochIsPrepared() {
        begin();
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.prepared(FIRST, PrepareVerdict.PREPARE_TOO_EARLY);
        assertThat(coordinator.next()).containsExactly(new Step.Prepare(OPEN, FIRST, true));
        coordinator.prepared(FIRST, PrepareVerdict.PREPARED);
        assertThat(coordinator.next())
                .containsExactly(
                        new Step.Decide(OPEN, ReshardDecision.COMMIT, List.of(SECOND, FIRST)));
        decided(ReshardState.RESHARD_COMMITTED);
        assertThat(end()).isEqualTo(End.COMMITTED);
    }

    @Test
    void aShardThatCannotBePreparedEndsIt() {
        begin();
        coordinator.prepared(FIRST, PrepareVerdict.PREPARE_TOO_LATE);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARE_TOO_LATE);
        assertThat(coordinator.next())
                .containsExactly(new Step.Decide(OPEN, ReshardDecision.ABORT, List.of()));
        decided(ReshardState.RESHARD_ABORTED);
        assertThat(end()).isEqualTo(End.ABORTED);
    }

    @Test
    void whatWasCommittedMeanwhileIsCommitted() {
        begin();
        coordinator.prepared(FIRST, PrepareVerdict.PREPARED);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.giveUp();
        assertThat(coordinator.next()).hasSize(2);
        decided(ReshardState.RESHARD_COMMITTED);
        decided(ReshardState.RESHARD_ABORTED);
        assertThat(end()).isEqualTo(End.COMMITTED);
        assertThat(coordinator.next()).isEmpty();
    }

    @Test
    void anAttemptThatWasGivenUpBeforeItBeganIsAborted() {
        coordinator.giveUp();
        assertThat(coordinator.next()).containsExactly(new Step.Begin());
        coordinator.begun(begun(ReshardState.RESHARD_OPEN));
        assertThat(coordinator.next())
                .containsExactly(new Step.Decide(OPEN, ReshardDecision.ABORT, List.of()));
    }

    @Test
    void afterACrashASettledAttemptIsOnlyReported() {
        coordinator.begun(begun(ReshardState.RESHARD_COMMITTED));
        assertThat(end()).isEqualTo(End.COMMITTED);
        assertThat(coordinator.next()).isEmpty();
    }

    @Test
    void aRefusalEndsIt() {
        coordinator.begun(
                BeginReshardResponse.newBuilder()
                        .setVerdict(BeginReshardResponse.Verdict.OTHER_VERSION)
                        .setMap(MAP.toProto())
                        .build());
        assertThat(end()).isEqualTo(End.REFUSED);
        assertThat(coordinator.next()).isEmpty();
    }
}
