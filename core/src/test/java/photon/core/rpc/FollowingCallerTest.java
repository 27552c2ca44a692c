package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowingCallerTest {
    private final List<String> seen = new ArrayList<>();
    private final List<Caller.Reply<String>> replies = new ArrayList<>();
    private HostPort peer = new HostPort("a", 1);
    private final FollowingCaller<String, String> caller =
            new FollowingCaller<>(
                    () -> {
                        seen.add("looks");
                        return peer;
                    },
                    Connected::new);

    private final class Connected implements Caller<String, String> {
        private final HostPort to;

        Connected(HostPort to) {
            this.to = to;
        }

        @Override
        public void call(String request, Reply<String> reply) {
            seen.add(to.host() + " is asked " + request);
            replies.add(reply);
        }

        @Override
        public void close() {
            seen.add(to.host() + " is left");
        }
    }

    private final Caller.Reply<String> told =
            new Caller.Reply<>() {
                @Override
                public void answered(String answer) {
                    seen.add("answer " + answer);
                }

                @Override
                public void broken(String why) {
                    seen.add("broken " + why);
                }
            };

    @Test
    void itStaysWithAPeerThatAnswers() {
        caller.call("1", told);
        replies.get(0).answered("one");
        peer = new HostPort("b", 1);
        caller.call("2", told);
        replies.get(1).answered("two");
        caller.close();
        assertThat(seen)
                .containsExactly(
                        "looks",
                        "a is asked 1",
                        "answer one",
                        "a is asked 2",
                        "answer two",
                        "a is left");
    }

    @Test
    void afterACallWithoutAnAnswerItGoesToWhereThePeerIsByThen() {
        caller.call("1", told);
        replies.get(0).broken("gone");
        caller.call("2", told);
        replies.get(1).broken("gone");
        peer = new HostPort("b", 1);
        caller.call("3", told);
        replies.get(2).answered("three");
        caller.call("4", told);
        assertThat(seen)
                .containsExactly(
                        "looks",
                        "a is asked 1",
                        "broken gone",
                        "looks",
                        "a is asked 2",
                        "broken gone",
                        "looks",
                        "a is left",
                        "b is asked 3",
                        "answer three",
                        "b is asked 4");
    }
}
