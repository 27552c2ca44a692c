package photon.idregistry.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.idregistry.reshard.ReshardCoordinator.Step;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;
import photon.registry.api.RegistryClient.Shard;

final class ReshardCoordinatorTest {
    private static final Shard FIRST = new Shard(2, 0);
    private static final Shard SECOND = new Shard(2, 1);

    private final ReshardCoordinator coordinator = of(ReshardState.RESHARD_OPEN);

    private static ReshardCoordinator of(ReshardState state) {
        return new ReshardCoordinator(
                ReshardAttempt.newBuilder().setNumber(7).setBaseVersion(2).setState(state).build(),
                List.of(FIRST, SECOND));
    }

    private void begin() {
        assertThat(coordinator.next())
                .containsExactly(new Step.Prepare(FIRST, false), new Step.Prepare(SECOND, false));
    }

    @Test
    void itCommitsWhenEveryShardOfTheLastEpochIsPrepared() {
        begin();
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.prepared(FIRST, PrepareVerdict.PREPARE_TOO_EARLY);
        assertThat(coordinator.next()).containsExactly(new Step.Prepare(FIRST, true));
        coordinator.prepared(FIRST, PrepareVerdict.PREPARED);
        assertThat(coordinator.next())
                .containsExactly(
                        new Step.Decide(ReshardDecision.COMMIT, List.of(SECOND, FIRST), ""));
        assertThat(coordinator.isSettled()).isFalse();
        coordinator.decided(ReshardState.RESHARD_COMMITTED);
        assertThat(coordinator.isSettled()).isTrue();
    }

    @Test
    void aShardThatCannotBePreparedEndsIt() {
        begin();
        coordinator.prepared(FIRST, PrepareVerdict.PREPARE_TOO_LATE);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARE_TOO_LATE);
        assertThat(coordinator.next())
                .containsExactly(
                        new Step.Decide(
                                ReshardDecision.ABORT,
                                List.of(),
                                "shard 2/0 has accepted an id at or after its start"));
        coordinator.decided(ReshardState.RESHARD_ABORTED);
        assertThat(coordinator.isSettled()).isTrue();
    }

    @Test
    void whatAnotherLeaderHasSettledIsAskedForAndLeftAlone() {
        begin();
        coordinator.prepared(FIRST, PrepareVerdict.PREPARED);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARE_SETTLED);
        assertThat(coordinator.next())
                .as("an abort of what is settled is told how it was settled")
                .containsExactly(
                        new Step.Decide(
                                ReshardDecision.ABORT,
                                List.of(),
                                "shard 2/1 says PREPARE_SETTLED"));
        coordinator.decided(ReshardState.RESHARD_COMMITTED);
        coordinator.prepared(SECOND, PrepareVerdict.PREPARED);
        coordinator.decided(ReshardState.RESHARD_OPEN);
        assertThat(coordinator.isSettled()).isTrue();
        assertThat(coordinator.next()).isEmpty();
    }

    @Test
    void aSettledAttemptNeedsNothing() {
        ReshardCoordinator late = of(ReshardState.RESHARD_ABORTED);
        assertThat(late.isSettled()).isTrue();
        assertThat(late.next()).isEmpty();
    }
}
