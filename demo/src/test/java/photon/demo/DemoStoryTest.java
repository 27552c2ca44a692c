package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.demo.DemoFigures.Audit;

class DemoStoryTest {
    private final ObjectNode books = new ObjectMapper().createObjectNode();
    private int leaderChanges;

    DemoStoryTest() {
        books.put("foreignEvents", 49_152).put("joined", 48_169).put("duplicates", 0);
        books.put("unaccounted", 0).put("waiting", 983).put("repaired", 0);
        books.put("wastedAttempts", 1_204);
    }

    private DemoStory story(Audit audit, boolean killDatacenter, boolean single) {
        DemoFigures figures =
                new DemoFigures(
                        48_169,
                        Optional.empty(),
                        leaderChanges,
                        List.of(),
                        new TreeMap<>(),
                        Map.of(),
                        audit);
        return new DemoStory(
                new DemoResult(books, figures),
                new DemoOptions(
                        60,
                        1_000,
                        1,
                        killDatacenter,
                        false,
                        false,
                        false,
                        false,
                        single,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        false));
    }

    @Test
    void aRightRunIsToldInOneLineAndEachFigureIsExplained() {
        assertThat(story(Audit.AGREES, false, false).lines(Optional.empty(), false))
                .containsExactly(
                        "exactly once: 48,169 of 48,169 joined, 0 twice, 0 lost, checked by an independent program (docs/audit)",
                        "  waiting 983            clicks whose query is in no log, which the load has on purpose; each is joined when its query comes",
                        "  wasted attempts 1,204  joins that two attempts prepared: the registry accepted one, the other wrote nothing; a busy machine has many",
                        "  files                  logs, joined events and books are deleted; --keep keeps them",
                        "  next                   photon demo --duration 90s --kill-datacenter --open   a datacenter dies and comes back, as a picture",
                        "                         photon config test --config docs/examples/ads/photon.yaml   how your own logs would be joined");
    }

    @Test
    void anAuditorThatWasNotRunHasCheckedNothing() {
        DemoStory story = story(Audit.SKIPPED, false, false);
        assertThat(story.verdict())
                .isEqualTo(
                        "exactly once: 48,169 of 48,169 joined, 0 twice, 0 lost; the independent check was not run");
        assertThat(story.meanings().get(0).about()).isEqualTo("not checked");
        assertThat(story.meanings().get(0).text()).contains("was not run");
    }

    @Test
    void aWrongRunSaysWhatIsWrongAndWhereToLookAndNotWhatToTryNext() {
        books.put("joined", 48_160).put("duplicates", 2);
        DemoStory story = story(Audit.DIFFERS, false, false);
        List<String> lines = story.lines(Optional.of(Path.of("/tmp/photon-demo-1/run-1")), false);
        assertThat(lines.get(0)).isEqualTo("NOT RIGHT: 48,160 of 48,169 joined, 2 twice, 9 lost");
        assertThat(lines)
                .contains(
                        "  not right              Expected no duplicates, but there are 2",
                        "  not right              Expected the auditor to agree, but it found differences",
                        "  files                  /tmp/photon-demo-1/run-1")
                .anySatisfy(line -> assertThat(line).contains("daemons/*.log"))
                .noneSatisfy(line -> assertThat(line).contains("exactly once"))
                .noneSatisfy(line -> assertThat(line).contains("next"));
    }

    @Test
    void whatDidNotHappenIsNotExplained() {
        assertThat(story(Audit.AGREES, false, false).meanings())
                .noneSatisfy(note -> assertThat(note.about()).startsWith("repaired"))
                .noneSatisfy(note -> assertThat(note.about()).startsWith("leader"));
        books.put("repaired", 141);
        leaderChanges = 3;
        assertThat(story(Audit.AGREES, true, false).meanings())
                .extracting(DemoStory.Note::about)
                .containsExactly(
                        "waiting 983", "wasted attempts 1,204", "repaired 141", "leader changes 3");
    }

    @Test
    void whatWasTriedIsNotProposedAgain() {
        assertThat(story(Audit.AGREES, true, false).next().get(0).text())
                .contains("--kill-joiners")
                .doesNotContain("--kill-datacenter");
    }

    @Test
    void oneProcessHasNoLogsOfItsParts() {
        assertThat(story(Audit.AGREES, false, true).files(Optional.of(Path.of("/tmp/d"))))
                .noneSatisfy(note -> assertThat(note.text()).contains("daemons"));
    }

    @Test
    void theVerdictIsGreenOrRedOnATerminal() {
        assertThat(story(Audit.AGREES, false, false).lines(Optional.empty(), true).get(0))
                .startsWith("\033[1;32mexactly once");
        books.put("joined", 1);
        assertThat(story(Audit.AGREES, false, false).lines(Optional.empty(), true).get(0))
                .startsWith("\033[1;31mNOT RIGHT");
    }
}
