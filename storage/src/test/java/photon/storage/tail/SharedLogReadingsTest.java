package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;

class SharedLogReadingsTest {
    private final ManualLoop loop = new ManualLoop();
    private final List<LogsRequest> asked = new ArrayList<>();
    private final List<Consumer<LogsResponse>> answers = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();
    private final SharedLogReadings readings =
            new SharedLogReadings(
                    loop,
                    (request, respond) -> {
                        asked.add(request);
                        answers.add(respond);
                    });

    private static LogsRequest request(int filesMax) {
        return LogsRequest.newBuilder().setFilesMax(filesMax).build();
    }

    private void ask(int filesMax) {
        readings.handle(request(filesMax), answer -> told.add(answer.getFiles()));
    }

    private void answer(long files) {
        answers.get(answers.size() - 1).accept(LogsResponse.newBuilder().setFiles(files).build());
        loop.runUntilIdle();
    }

    @Test
    void thoseWhoAskMeanwhileShareTheNextAnswer() {
        for (int i = 0; i < 1_000; i++) {
            ask(20);
        }
        assertThat(asked).hasSize(1);
        answer(7);
        assertThat(told).containsExactly(7L);
        assertThat(asked).hasSize(2);
        answer(8);
        assertThat(told).hasSize(1_000).endsWith(8L, 8L);
        assertThat(asked).as("all are answered").hasSize(2);
        ask(20);
        answer(9);
        assertThat(told).endsWith(9L);
    }

    @Test
    void otherQuestionsAreAskedOneAfterTheOther() {
        for (int filesMax = 1; filesMax <= 3; filesMax++) {
            ask(filesMax);
            ask(filesMax);
        }
        List<Integer> expected = List.of(1, 1, 2, 3);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(asked).hasSize(i + 1);
            assertThat(asked.get(i)).isEqualTo(request(expected.get(i)));
            answer(i);
        }
        assertThat(asked).hasSize(expected.size());
        assertThat(told).containsExactly(0L, 1L, 2L, 2L, 3L, 3L);
    }

    /** As where a partition was handed over before it could answer. */
    @Test
    void anAnswerThatNeverComesHoldsUpNoOther() {
        ask(1);
        ask(2);
        loop.advance(Duration.ofSeconds(9));
        assertThat(asked).hasSize(1);
        loop.advance(Duration.ofSeconds(1));
        assertThat(asked).containsExactly(request(1), request(2));
        answer(5);
        assertThat(told).containsExactly(5L);
        ask(3);
        answers.get(0).accept(LogsResponse.newBuilder().setFiles(4).build());
        loop.runUntilIdle();
        assertThat(told).as("late").containsExactly(5L, 4L);
        ask(4);
        assertThat(asked).as("the third is under way").hasSize(3);
    }

    /** As where a dispatcher works on no partition. */
    @Test
    void answersThatComeAtOnceGoToAll() {
        SharedLogReadings atOnce =
                new SharedLogReadings(
                        loop,
                        (request, respond) -> respond.accept(LogsResponse.getDefaultInstance()));
        for (int filesMax = 0; filesMax < 100; filesMax++) {
            atOnce.handle(request(filesMax), answer -> told.add(answer.getFiles()));
        }
        loop.runUntilIdle();
        assertThat(told).hasSize(100);
    }
}
