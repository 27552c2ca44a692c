package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsCompileTest {
    private final Sources sources = Sources.ofThisCheckout();
    private final InMemoryCompiler compiler = new InMemoryCompiler();

    static List<PlantedBug> bugs() {
        return PlantedBugs.ALL;
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void everyBugIsStillThereToPlant(PlantedBug bug) throws ClassNotFoundException {
        Map<String, String> edited = sources.edited(bug);
        MutatedClasses classes = MutatedClasses.with(bug, sources, compiler);
        for (String name : edited.keySet()) {
            assertThat(Class.forName(name, true, classes).getClassLoader()).isSameAs(classes);
            assertThat(Class.forName(name)).isNotSameAs(Class.forName(name, false, classes));
        }
    }

    @Test
    void namesAreUnique() {
        assertThat(PlantedBugs.ALL.stream().map(PlantedBug::name)).doesNotHaveDuplicates();
    }

    /** Else a class of the JVM's own would know the edited one without its bug. */
    @Test
    void aLayerKnowsOnlyThoseBelow() throws IOException {
        List<String> modules =
                List.of(
                        "core",
                        "simulation",
                        "simulation",
                        "adapter-api",
                        "storage",
                        "idregistry",
                        "eventstore",
                        "dispatcher",
                        "joiner",
                        "verifier");
        for (int layer = 0; layer < MutatedClasses.LAYERS.size() - 1; layer++) {
            String folder = MutatedClasses.LAYERS.get(layer).replace('.', '/');
            Path at = sources.root().resolve(modules.get(layer) + "/src/main/java/" + folder);
            List<String> above =
                    MutatedClasses.LAYERS.subList(layer + 1, MutatedClasses.LAYERS.size());
            try (Stream<Path> files = Files.walk(at)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    assertThat(Files.readString(file))
                            .as("%s", file)
                            .doesNotContain(above.stream().map(l -> "import " + l).toList());
                }
            }
        }
    }
}
