package photon.demo;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import photon.testbed.process.ProcessName;

/** Which worker is killed next: one of each role first, and then any. */
final class NextVictim {
    /** In this order the first of each is killed. */
    private static final List<String> ROLES =
            List.of(ProcessName.DISPATCHER, ProcessName.EVENT_STORE, ProcessName.JOINER);

    private NextVictim() {}

    /**
     * @param candidates that may be killed: others can do their work meanwhile
     * @param killed what was killed before
     */
    static Optional<ProcessName> of(
            List<ProcessName> candidates, List<ProcessName> killed, RandomGenerator random) {
        for (String role : ROLES) {
            List<ProcessName> first = ofRole(candidates, role);
            if (ofRole(killed, role).isEmpty() && !first.isEmpty()) {
                return any(first, random);
            }
        }
        return any(candidates, random);
    }

    private static List<ProcessName> ofRole(List<ProcessName> processes, String role) {
        return processes.stream().filter(each -> each.role().equals(role)).toList();
    }

    private static Optional<ProcessName> any(List<ProcessName> of, RandomGenerator random) {
        return of.isEmpty() ? Optional.empty() : Optional.of(of.get(random.nextInt(of.size())));
    }
}
