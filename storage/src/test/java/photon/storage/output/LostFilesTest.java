package photon.storage.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.HOUR;
import static photon.storage.output.OutputFixture.record;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.LostFiles.Declaration;
import photon.storage.output.LostFiles.Named;

/** Published files that a person declares lost. */
final class LostFilesTest {
    private static final String FIRST = HOUR + "3-17-000001.jsonl";
    private static final Named NUMBER_1 = new Named(EAST, 1);

    private final MemoryFileStore files = new MemoryFileStore();
    private OutputDirectory output = OutputFixture.open(files);

    LostFilesTest() throws IOException {}

    /** Number 1 holds events 1 and 2, number 2 event 3, which is in the output "late" too. */
    @BeforeEach
    void twoPublishedLogs() throws IOException {
        WorkDirectory work = output.createWorkDirectory(EAST);
        publish(work, 1, 2);
        publish(work, 3);
        output.seal(EAST);
    }

    private static void publish(WorkDirectory work, int... events) throws IOException {
        WorkDirectory.WorkLog log = work.createLog();
        for (int n : events) {
            log.append(record(n));
        }
        log.finish();
        work.publish(log);
        log.close();
    }

    private static Declaration declaration(Named named, List<String> paths) {
        return new Declaration(named, paths, 2, "the disk burned", "ann@host", 5, 0);
    }

    @Test
    void theNameSaysWhichManifestItIs() {
        assertThat(LostFiles.named(HOUR + "3-17-000001.jsonl")).contains(NUMBER_1);
        assertThat(LostFiles.named("late/" + HOUR + "3-17-000001.jsonl")).contains(NUMBER_1);
        assertThat(LostFiles.named("/out/east/3-17-000001.jsonl")).contains(NUMBER_1);
        assertThat(LostFiles.named("notes.txt")).isEmpty();
        assertThat(LostFiles.named("3-17-000001")).isEmpty();
    }

    @Test
    void aDeclaredManifestCountsForNothingAndSurvivesAPowerCut() throws IOException {
        files.delete(DIRECTORY + "/" + FIRST);
        LostFiles lost = output.lostFiles();
        assertThat(lost.look(NUMBER_1).orElseThrow().whole()).isEmpty();
        assertThat(lost.look(NUMBER_1).orElseThrow().wrong())
                .containsExactly(FIRST + ": it is missing");
        assertThat(lost.declare(declaration(NUMBER_1, List.of(FIRST)))).isTrue();
        assertThat(lost.declare(declaration(NUMBER_1, List.of(FIRST)))).as("again").isFalse();

        files.crash();
        output = OutputFixture.open(files);
        output.seal(EAST); // clears what is not kept
        assertThat(output.manifests(EAST)).extracting(Manifest::sequence).containsExactly(2L);
        assertThat(output.lostManifests(EAST))
                .singleElement()
                .satisfies(one -> assertThat(one.read().sequence()).isEqualTo(1));
        assertThat(output.lostFiles().all()).containsExactly(declaration(NUMBER_1, List.of(FIRST)));
        assertThat(output.lostFiles().of(new Named(EAST, 2))).isEmpty();
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void aFileOfThatNameIsAStrangerAndIsTakenAway() throws IOException {
        Declaration declaration = declaration(NUMBER_1, List.of(FIRST));
        output.lostFiles().declare(declaration);
        assertThat(output.strangers()).containsExactly(FIRST);
        assertThat(output.lostFiles().withdraw(declaration)).containsExactly(FIRST);
        assertThat(output.strangers()).isEmpty();
        assertThat(output.lostFiles().withdraw(declaration)).isEmpty();

        files.create(DIRECTORY + "/" + FIRST).close(); // it comes back once more
        assertThat(output.lostFiles().withdraw(declaration)).containsExactly(FIRST);
        output.seal(EAST);
        files.crash();
        assertThat(files.list(DIRECTORY + "/_work/3-17.sealed"))
                .extracting(one -> OutputNames.last(one.path()))
                .contains("withdrawn-000001-0", "withdrawn-000001-1");
        assertThat(files.stat(DIRECTORY + "/" + FIRST)).isNull();
    }

    @Test
    void allFilesOfAManifestAreLookedAt() throws IOException {
        files.delete(DIRECTORY + "/late/" + HOUR + "3-17-000002.jsonl");
        LostFiles.Standing standing = output.lostFiles().look(new Named(EAST, 2)).orElseThrow();
        assertThat(standing.whole()).containsExactly(HOUR + "3-17-000002.jsonl");
        assertThat(standing.standing()).containsExactly(HOUR + "3-17-000002.jsonl");
        assertThat(standing.wrong())
                .containsExactly("late/" + HOUR + "3-17-000002.jsonl: it is missing");
        assertThat(output.lostFiles().look(new Named(EAST, 9))).isEmpty();
    }

    @Test
    void nothingOfAnIncarnationThatIsNotSealedIsDeclared() {
        Named open = new Named(new photon.core.id.Incarnation(3, 18), 1);
        assertThatThrownBy(() -> output.lostFiles().declare(declaration(open, List.of("x"))))
                .isInstanceOf(BugException.class);
    }
}
