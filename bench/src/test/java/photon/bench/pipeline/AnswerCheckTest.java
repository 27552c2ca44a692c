package photon.bench.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerCheckTest {
    @TempDir Path directory;

    private AnswerCheck.Verdict judge(String... lines) throws IOException {
        Path joinable =
                Files.writeString(directory.resolve("joinable.tsv"), "c1\tq1\nc2\tq1\nc3\tq2\n");
        Path first = directory.resolve("part-1");
        Path second = directory.resolve("part-2");
        Files.writeString(first, String.join("\n", lines) + "\n");
        Files.writeString(second, line("c3", "q2") + "\n");
        return AnswerCheck.of(joinable).judge(List.of(first, second));
    }

    private static String line(String foreign, String primary) {
        return "{\"id\": \"%s\", \"primaryId\": \"%s\", \"foreign\": {\"id\":\"x\",\"primaryId\":[1]}}"
                .formatted(foreign, primary);
    }

    @Test
    void eachPairOnceIsRight() throws IOException {
        AnswerCheck.Verdict verdict = judge(line("c2", "q1"), line("c1", "q1"));
        assertThat(verdict).isEqualTo(new AnswerCheck.Verdict(3, 0, 0, 0, List.of()));
        assertThat(verdict.right()).isTrue();
    }

    @Test
    void aLostPairIsMissing() throws IOException {
        AnswerCheck.Verdict verdict = judge(line("c2", "q1"));
        assertThat(verdict.missing()).isEqualTo(1);
        assertThat(verdict.right()).isFalse();
    }

    @Test
    void aSecondLineOfAPairIsADuplicateThoughItIsInAnotherFile() throws IOException {
        AnswerCheck.Verdict verdict = judge(line("c1", "q1"), line("c2", "q1"), line("c3", "q2"));
        assertThat(verdict.duplicates()).isEqualTo(1);
        assertThat(verdict.missing()).isZero();
        assertThat(verdict.told()).containsExactly("twice: c3\tq2");
        assertThat(verdict.right()).isFalse();
    }

    @Test
    void aPairThatIsNotInTheAnswerIsWrongAndDoesNotReplaceTheRightOne() throws IOException {
        AnswerCheck.Verdict verdict = judge(line("c1", "q2"), line("c2", "q1"));
        assertThat(verdict.wrong()).isEqualTo(1);
        assertThat(verdict.missing()).isEqualTo(1);
        assertThat(verdict.told()).containsExactly("not in the answer: c1\tq2");
        assertThat(verdict.right()).isFalse();
    }
}
