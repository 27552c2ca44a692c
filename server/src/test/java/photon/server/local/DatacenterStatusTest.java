package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.id.Incarnation;
import photon.dispatcher.state.DispatcherStatus;
import photon.eventstore.index.IndexFigures;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeState;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;
import photon.verifier.repair.RepairStatus;
import photon.verifier.repair.WaitingRepair;

class DatacenterStatusTest {
    private static final IndexFigures NOTHING = new IndexFigures(0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Everything was answered before the kill and nothing published: until the joiner has
     * registered anew, no look at the registry's list finds its dead incarnation.
     */
    @ParameterizedTest
    @EnumSource(LifeState.class)
    void aJoinerThatDoesNotServeKeepsTheRunFromEnding(LifeState state) {
        RepairStatus repair = new RepairStatus(0, 0, 0, 0, 0, List.of(), 1, List.of(), true);
        assertThat(status(state, repair, false).busy())
                .isEqualTo(state == LifeState.SERVING ? 0 : 1);
    }

    /** Not for an hour, nor for a volume that is away; but the books are whole if it ends soon. */
    @ParameterizedTest
    @CsvSource({"30, 1", "60, 1", "61, 0", "3600, 0", "-1, 0"})
    void aRepairThatWaitsIsWaitedForIfItEndsWithinAMinute(long secondsLeft, int busy) {
        WaitingRepair waiting =
                new WaitingRepair(
                        new Incarnation(1, 1), "east/joiner-0", 5, 90, secondsLeft, "away");
        RepairStatus repair = new RepairStatus(0, 0, 0, 0, 0, List.of(), 1, List.of(waiting), true);
        assertThat(status(LifeState.SERVING, repair, false).busy()).isEqualTo(busy);
        assertThat(repair.unfinished()).as("and told in any case").hasSize(1);
    }

    /** An output on HDFS is there again some time; what a person has to change is not. */
    @ParameterizedTest
    @CsvSource({"true, 1, 1, 1", "false, 1, 1, 0", "true, 1, 0, 0"})
    void aRepairThatFailsIsWaitedForWhereTheOutputRecovers(
            boolean outputRecovers, int stopped, int failing, int busy) {
        RepairStatus repair =
                new RepairStatus(0, stopped, failing, 0, 0, List.of("failed"), 1, List.of(), true);
        assertThat(status(LifeState.SERVING, repair, outputRecovers).busy()).isEqualTo(busy);
    }

    private static LocalDatacenter.Status status(
            LifeState state, RepairStatus repair, boolean outputRecovers) {
        return new LocalDatacenter.Status(
                new EventStoreStatus(
                        0,
                        0,
                        true,
                        true,
                        0,
                        0,
                        0,
                        0,
                        LogTroubles.NONE,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        NOTHING,
                        LedgerRetention.Figures.NOTHING_KNOWN),
                DispatcherStatus.NOTHING,
                new JoinerStatus(
                        state,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        0,
                        "",
                        0,
                        0,
                        false),
                repair,
                outputRecovers);
    }
}
