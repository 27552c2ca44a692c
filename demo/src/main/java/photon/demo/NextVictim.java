package photon.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import photon.testbed.process.ProcessName;

/** Which worker is killed next: any, but first of all a dispatcher. */
final class NextVictim {
    private NextVictim() {}

    /**
     * @param dispatchers that may be killed: their peers serve
     * @param joiners that may be killed
     * @param killed what was killed before
     */
    static Optional<ProcessName> of(
            List<ProcessName> dispatchers,
            List<ProcessName> joiners,
            List<ProcessName> killed,
            RandomGenerator random) {
        boolean first =
                killed.stream().noneMatch(each -> each.role().equals(ProcessName.DISPATCHER));
        List<ProcessName> choice = new ArrayList<>(dispatchers);
        if (dispatchers.isEmpty() || !first) {
            choice.addAll(joiners);
        }
        return choice.isEmpty()
                ? Optional.empty()
                : Optional.of(choice.get(random.nextInt(choice.size())));
    }
}
