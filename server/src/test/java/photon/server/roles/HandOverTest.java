package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.core.rpc.Caller;

class HandOverTest {
    private final Deque<Caller.Reply<String>> asked = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private long now = 100;
    private final HandOver<String, String> rows =
            new HandOver<>(
                    new Caller<>() {
                        @Override
                        public void call(String request, Reply<String> reply) {
                            asked.add(reply);
                        }

                        @Override
                        public void close() {}
                    },
                    () -> now);

    private void call() {
        rows.call(
                "rows",
                new Caller.Reply<>() {
                    @Override
                    public void answered(String answer) {
                        heard.add(answer);
                    }

                    @Override
                    public void broken(String why) {
                        heard.add(why);
                    }
                });
    }

    @Test
    void itCountsFromTheFirstTryToTheAnswerAndNotBetween() {
        assertThat(rows.unansweredNanos()).as("nothing to hand over").isEmpty();
        call();
        now = 200;
        asked.remove().broken("unavailable");
        assertThat(rows.unansweredNanos()).isEqualTo(OptionalLong.of(100));
        call();
        assertThat(rows.unansweredNanos()).isEqualTo(OptionalLong.of(100));
        asked.remove().answered("durable");
        assertThat(rows.unansweredNanos()).as("nothing left").isEmpty();
        now = 300;
        call();
        assertThat(rows.unansweredNanos()).isEqualTo(OptionalLong.of(300));
        asked.remove().broken("unavailable");
        rows.nothingIsWanted();
        assertThat(rows.unansweredNanos()).as("given up by a person").isEmpty();
        now = 400;
        call();
        assertThat(rows.unansweredNanos()).isEqualTo(OptionalLong.of(400));
        assertThat(heard).containsExactly("unavailable", "durable", "unavailable");
    }
}
