package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.simulation.bugs.TestsWithBugs.Result;

/**
 * The planted bugs that tests of modules catch ({@link CaughtByTests}): such a test fails with the
 * bug in what it tests, and passes without it. The system property {@code photon.bugs.only} names
 * some of them, with commas between.
 */
@Tag("crash")
@Tag("planted")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsTestedTest {
    private final TestsWithBugs tests = new TestsWithBugs();

    static List<PlantedBug> bugs() {
        String only = System.getProperty("photon.bugs.only");
        return PlantedBugs.ALL.stream()
                .filter(bug -> CaughtByTests.of(bug).isPresent())
                .filter(bug -> only == null || List.of(only.split(",", -1)).contains(bug.name()))
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("bugs")
    void itsTestCatchesIt(PlantedBug bug) {
        TestName test = CaughtByTests.of(bug).orElseThrow();
        Result sound = tests.sound(test);
        assertThat(sound.run()).as("Tests named %s", test).isPositive();
        assertThat(sound.failures()).as("%s without the bug", test).isEmpty();
        assertThat(tests.with(bug, test).failures()).as("%s with the bug", test).isNotEmpty();
    }
}
