package photon.adapter.testing;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What came of all cases.
 *
 * @param cases in the order in which they ran
 * @param calls how often {@code join} was called
 * @param meanNanos of one call
 * @param slowestNanos of the call that took longest
 */
public record CaseReport(List<Case> cases, long calls, long meanNanos, long slowestNanos) {
    public CaseReport {
        cases = List.copyOf(cases);
    }

    /** How a case ended. */
    public enum Verdict {
        PASSED,
        /** Worth a look: a run would go on. */
        WARNING,
        FAILED
    }

    /**
     * One case.
     *
     * @param name what was tried
     * @param verdict how it ended
     * @param decision what the adapter made of the pair, in words; empty: the case is of no one
     *     pair
     * @param problem what is wrong, and what to do; empty: nothing is
     */
    public record Case(String name, Verdict verdict, String decision, String problem) {}

    public long count(Verdict verdict) {
        return cases.stream().filter(one -> one.verdict() == verdict).count();
    }

    public boolean passed() {
        return count(Verdict.FAILED) == 0;
    }

    /**
     * For a test framework.
     *
     * @throws AssertionError that has every case that failed
     */
    public void assertPassed() {
        if (!passed()) {
            throw new AssertionError(
                    cases.stream()
                            .filter(one -> one.verdict() == Verdict.FAILED)
                            .map(one -> one.name() + ": " + one.problem())
                            .collect(Collectors.joining("\n", "\n", "")));
        }
    }
}
