package photon.server.datacenters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Rows;
import photon.server.datacenters.DatacenterFacts.Journal;
import photon.server.datacenters.DatacenterFacts.Published;
import photon.server.datacenters.RetirementRule.Parts;

class RetirementRuleTest {
    private static final UUID STATE = new UUID(0, 7);
    private static final Parts DEPLOYED = new Parts(true, "Start them once more");
    private static final Parts LOCAL = new Parts(false, "Run it once more");
    private static final Optional<Published> HERE = Optional.of(new Published("/out/west", 3, 9));
    private static final Optional<Published> NOT_HERE = Optional.empty();
    private static final Optional<Journal> UNREAD = Optional.empty();

    private static Optional<Journal> journal(long repairRows, long others) {
        return Optional.of(new Journal("/state/west/journal", repairRows, others));
    }

    private static IncarnationInfo incarnation(
            int generation, IncarnationState state, boolean fenced) {
        return new IncarnationInfo(
                new Incarnation(4, generation), "west/joiner-0", state, fenced, "h:1", 1, 1, "o");
    }

    private static IncarnationInfo withRows(IncarnationInfo info) {
        return new IncarnationInfo(
                info.incarnation(),
                info.slotName(),
                info.state(),
                info.fenced(),
                info.address(),
                info.processId(),
                info.startedMicros(),
                info.outputId(),
                info.holdMicros(),
                info.heardMicros(),
                info.renewedIndex(),
                info.renewsWithin(),
                new Rows(2, Optional.of(STATE), Optional.empty(), 0),
                info.firstGeneration());
    }

    private static DatacenterFacts facts(
            Optional<Published> published, Optional<Journal> journal, IncarnationInfo... all) {
        return new DatacenterFacts(
                "west", Optional.empty(), List.of(all), Optional.of(STATE), published, journal);
    }

    private static final IncarnationInfo CLOSED = incarnation(1, IncarnationState.CLEAN, true);
    private static final IncarnationInfo DEAD = incarnation(2, IncarnationState.OPEN, true);
    private static final IncarnationInfo LIVE = incarnation(3, IncarnationState.OPEN, false);
    private static final IncarnationInfo REPAIRED =
            withRows(incarnation(2, IncarnationState.REPAIRED, true));

    @Test
    void whatIsClosedAndRepairedAndHasNoRepairRowLeftMayGo() {
        assertThat(
                        RetirementRule.refusals(
                                facts(HERE, journal(0, 50), CLOSED, REPAIRED), false, DEPLOYED))
                .isEmpty();
    }

    @Test
    void aLiveJoinerIsStoppedFirstWhateverIsLost() {
        for (boolean lost : new boolean[] {false, true}) {
            assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, LIVE), lost, DEPLOYED))
                    .singleElement()
                    .asString()
                    .contains("west/joiner-0/3 may commit still", "Start them once more");
        }
    }

    @Test
    void whatCanBeRepairedIsRepairedWhateverIsSaidToBeLost() {
        for (boolean lost : new boolean[] {false, true}) {
            assertThat(RetirementRule.refusals(facts(HERE, UNREAD, CLOSED, DEAD), lost, DEPLOYED))
                    .singleElement()
                    .asString()
                    .contains("west/joiner-0/2 of west is not repaired", "Start them once more");
        }
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, DEAD), false, DEPLOYED))
                .singleElement()
                .asString()
                .contains("use --unfinished-is-lost");
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, DEAD), true, DEPLOYED))
                .isEmpty();
    }

    @Test
    void whereNothingRunsAKilledJoinerIsToBeRepaired() {
        assertThat(RetirementRule.refusals(facts(HERE, UNREAD, LIVE), false, LOCAL))
                .singleElement()
                .asString()
                .contains("west/joiner-0/3 of west is not repaired", "Run it once more");
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, LIVE), true, LOCAL)).isEmpty();
    }

    @Test
    void repairRowsAreOfEventsThatNobodyElseJoins() {
        DatacenterFacts facts = facts(HERE, journal(1_200, 3), REPAIRED);
        assertThat(RetirementRule.refusals(facts, false, LOCAL))
                .singleElement()
                .asString()
                .contains("1,200 events of repaired joiners wait", "/state/west/journal");
        assertThat(RetirementRule.refusals(facts, true, LOCAL)).isEmpty();
    }

    @Test
    void aJournalThatIsNotHereMattersOnlyIfItMayHaveSuchRows() {
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, CLOSED), false, DEPLOYED))
                .isEmpty();
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, REPAIRED), false, DEPLOYED))
                .singleElement()
                .asString()
                .contains("The state " + STATE, "is not here");
        assertThat(RetirementRule.refusals(facts(NOT_HERE, UNREAD, REPAIRED), true, DEPLOYED))
                .isEmpty();
    }

    @Test
    void whateverMayBringAnotherRepairRowIsSeenInTheSums() {
        DatacenterFacts seen = facts(HERE, UNREAD, CLOSED, REPAIRED);
        assertThat(seen.generations()).isEqualTo(2);
        assertThat(seen.reopened()).isEqualTo(2);
        assertThat(facts(HERE, UNREAD, CLOSED, REPAIRED, LIVE).generations()).isEqualTo(3);
    }
}
