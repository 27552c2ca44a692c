package photon.simulation.bugs;

import java.util.List;
import java.util.stream.Stream;

/** The list of planted bugs. */
final class PlantedBugs {
    static final List<PlantedBug> ALL =
            Stream.of(
                            RegistryBugs.ALL,
                            TableBugs.ALL,
                            ReshardBugs.ALL,
                            BoundaryBugs.ALL,
                            ClientBugs.ALL,
                            JoinerBugs.ALL,
                            RollBugs.ALL,
                            CancelBugs.ALL,
                            KindBugs.ALL,
                            OutputBugs.ALL,
                            SeveralOutputsBugs.ALL,
                            RepairBugs.ALL,
                            SilenceBugs.ALL,
                            StateBugs.ALL,
                            LeaseBugs.ALL,
                            RetirementBugs.ALL,
                            LostFileBugs.ALL,
                            RetentionBugs.ALL,
                            LedgerBugs.ALL,
                            SpillBugs.ALL,
                            MemberBugs.ALL,
                            DispatcherBugs.ALL,
                            StoreBugs.ALL,
                            CopyBugs.ALL,
                            UnmatchedBugs.ALL,
                            IndexBugs.ALL)
                    .flatMap(List::stream)
                    .toList();

    private PlantedBugs() {}

    /** In the order of the protocol's sections. */
    static List<PlantedBug> bySection() {
        return ALL.stream().sorted(java.util.Comparator.comparingInt(PlantedBug::section)).toList();
    }
}
