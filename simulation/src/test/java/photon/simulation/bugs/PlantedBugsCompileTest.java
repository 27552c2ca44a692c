package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsCompileTest {
    private static final Sources SOURCES = Sources.ofThisCheckout();

    private final InMemoryCompiler compiler = new InMemoryCompiler();
    private final ClassFileNames classFiles = ClassFileNames.ofThisClassPath();

    PlantedBugsCompileTest() throws IOException {}

    static List<PlantedBug> bugs() {
        return PlantedBugs.ALL;
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void everyBugIsStillThereToPlant(PlantedBug bug) throws ClassNotFoundException {
        Map<String, String> edited = SOURCES.edited(bug);
        MutatedClasses classes = MutatedClasses.with(bug, SOURCES, compiler);
        for (String name : edited.keySet()) {
            assertThat(Class.forName(name, true, classes).getClassLoader()).isSameAs(classes);
            assertThat(Class.forName(name)).isNotSameAs(Class.forName(name, false, classes));
        }
    }

    @Test
    void namesAreUnique() {
        assertThat(PlantedBugs.ALL.stream().map(PlantedBug::name)).doesNotHaveDuplicates();
    }

    /** By the recorded seed, or by a test, and by nothing that is not there any more. */
    @Test
    void everyBugHasSomethingThatCatchesIt() {
        RecordedCatches recorded = RecordedCatches.read(SOURCES.root());
        assertThat(PlantedBugs.ALL)
                .allMatch(bug -> recorded.of(bug).isPresent() || CaughtByTests.of(bug).isPresent());
        assertThat(PlantedBugs.ALL.stream().map(PlantedBug::name))
                .containsAll(CaughtByTests.all().keySet());
    }

    /** Else a class of the JVM's own would know the edited one without its bug. */
    @ParameterizedTest
    @MethodSource("editedPackages")
    void whatIsSharedKnowsNothingOfABugsOwn(String edited) throws IOException {
        PackageGraph packages = SOURCES.packages();
        assertThat(classFiles.of(edited)).contains(edited);
        Set<String> own = packages.knowing(Set.of(edited));
        assertThat(own).contains(edited, PackageGraph.packageOf(MutatedClasses.ENTRY));
        for (String shared : packages.all()) {
            if (!own.contains(shared)) {
                assertThat(classFiles.of(shared)).as(shared).doesNotContainAnyElementsOf(own);
            }
        }
    }

    static Set<String> editedPackages() {
        Set<String> edited = new TreeSet<>();
        for (PlantedBug bug : PlantedBugs.ALL) {
            SOURCES.edited(bug).keySet().stream().map(PackageGraph::packageOf).forEach(edited::add);
        }
        return edited;
    }
}
