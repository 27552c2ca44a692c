package photon.joiner.adapters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;

class AdaptersTest {
    /** Does what the foreign event's field "do" says. */
    public static final class Obedient implements Adapter {
        /** What user code gives that nobody has checked: null. */
        @SuppressWarnings("NullAway")
        private static <T> T absent(Class<T> type) {
            return type.cast(null);
        }

        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            switch (foreign.field("do").orElse("nothing")) {
                case "emit" -> result.emit(foreign.field("a.b").orElse("none").getBytes(UTF_8));
                case "named" -> result.emit("side-1", primary.json());
                case "skip" -> result.skip("not wanted");
                case "retry" -> result.retry("service away");
                case "reject" -> result.reject("broken");
                case "both" -> {
                    result.emit(primary.json());
                    result.skip("after all");
                }
                case "throw" -> throw new IllegalStateException("boom");
                case "error" -> throw new Error("not implemented");
                // As null as what a map or an exception gives that has no message.
                case "skip null" -> result.skip(absent(String.class));
                case "retry null" -> result.retry(absent(String.class));
                case "reject null" -> result.reject(absent(String.class));
                case "emit null" -> result.emit(absent(byte[].class));
                case "name null" -> result.emit(absent(String.class), primary.json());
                case "loop" -> join(foreign, primary, result);
                default -> {}
            }
        }
    }

    /** May run once only. */
    public static final class Potent implements Adapter {
        @Override
        public Effect effect() {
            return Effect.POTENT;
        }

        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {}
    }

    /** Wants an option. */
    public static final class Choosy implements Adapter {
        @Override
        public void configure(Map<String, String> options) {
            if (!options.containsKey("url")) {
                throw new IllegalArgumentException("Expected url");
            }
        }

        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {}
    }

    @Test
    void mergeRunsInTheLoopAndAUsersAdapterInThePool() {
        assertThat(load("merge").runsInline()).isTrue();
        assertThat(load(Obedient.class.getName()).runsInline()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "com.example.Missing|name of a class on the class path",
                "java.lang.String|a class that implements photon.adapter.Adapter",
                "photon.adapter.Adapter|public constructor without parameters",
                "photon.joiner.adapters.AdaptersTest$Potent|potent",
                "photon.joiner.adapters.AdaptersTest$Choosy|Expected url"
            })
    void whatCannotBeUsedIsRefusedWithAReason(String type, String reason) {
        assertThatThrownBy(() -> load(type))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(reason)
                .hasMessageStartingWith("adapter");
    }

    @Test
    void mergeTakesNoOptions() {
        assertThatThrownBy(
                        () ->
                                Adapters.load(
                                        new PipelineConfig.Adapter("merge", Map.of("x", "y")),
                                        AdapterHost.trial("ads")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("[x]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "emit|Emit[events=[JoinedEvent[output=, bytes=deep",
                "named|Emit[events=[JoinedEvent[output=side-1",
                "skip|Skip[reason=not wanted]",
                "retry|Retry[reason=service away]",
                "reject|Reject[reason=broken]",
                "both|Reject[reason=adapter contradicted itself",
                "throw|Retry[reason=adapter threw java.lang.IllegalStateException: boom]",
                "error|Retry[reason=adapter threw java.lang.Error: not implemented]",
                "skip null|Skip[reason=the adapter gave no reason]",
                "retry null|Retry[reason=the adapter gave no reason]",
                "reject null|Reject[reason=the adapter gave no reason]",
                "emit null|Reject[reason=the adapter emitted null",
                "name null|Reject[reason=the adapter emitted null",
                "loop|Retry[reason=adapter threw java.lang.StackOverflowError]",
                "nothing|Skip[reason=adapter emitted nothing]"
            })
    void everythingThatAnAdapterCanDoHasItsDecision(String order, String expected) {
        Event foreign =
                Event.newBuilder()
                        .setJson(
                                ByteString.copyFromUtf8(
                                        "{\"do\":\"" + order + "\",\"a\":{\"b\":\"deep\"}}"))
                        .build();
        Event primary = Event.newBuilder().setJson(ByteString.copyFromUtf8("{}")).build();
        AdapterDecision decision = load(Obedient.class.getName()).join(foreign, 1, primary, 2);
        String text = decision.toString();
        if (decision instanceof AdapterDecision.Emit emit) {
            text =
                    text.replaceAll(
                            "bytes=<.*>", "bytes=" + emit.events().get(0).bytes().toStringUtf8());
        }
        assertThat(text).startsWith(expected);
    }

    @Test
    void fieldsAreFoundByPathOrByAFullName() {
        SourceEvent event =
                new JsonSourceEvent(
                        Event.newBuilder()
                                .setIdText("x")
                                .setJson(
                                        ByteString.copyFromUtf8(
                                                "{\"a\":{\"b\":3},\"a.c\":true,\"n\":null,\"o\":[1]}"))
                                .build(),
                        9);
        assertThat(event.id()).isEqualTo("x");
        assertThat(event.timestampMicros()).isEqualTo(9);
        assertThat(event.field("a.b")).contains("3");
        assertThat(event.field("a.c")).contains("true");
        assertThat(event.field("o")).contains("[1]");
        assertThat(event.field("n")).isEmpty();
        assertThat(event.field("z.z")).isEmpty();
    }

    private static PairAdapter load(String type) {
        return Adapters.load(new PipelineConfig.Adapter(type, Map.of()), AdapterHost.trial("ads"));
    }
}
