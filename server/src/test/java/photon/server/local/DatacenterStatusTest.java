package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.dispatcher.DispatcherStatus;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeState;
import photon.verifier.repair.RepairStatus;

class DatacenterStatusTest {
    /**
     * Everything was answered before the kill and nothing published: until the joiner has
     * registered anew, no look at the registry's list finds its dead incarnation.
     */
    @ParameterizedTest
    @EnumSource(LifeState.class)
    void aJoinerThatDoesNotServeKeepsTheRunFromEnding(LifeState state) {
        LocalDatacenter.Status status =
                new LocalDatacenter.Status(
                        new EventStoreStatus(0, 0, true, 0, 0, 0, 0, 0),
                        DispatcherStatus.NOTHING,
                        new JoinerStatus(state, 0, 0, 0, 0, 0, 0, 0, Optional.empty(), 0, ""),
                        new RepairStatus(0, 0, 0, 0, List.of(), 1, true));
        assertThat(status.busy()).isEqualTo(state == LifeState.SERVING ? 0 : 1);
    }
}
