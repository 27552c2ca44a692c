package photon.joiner.adapters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.testing.CompiledJar;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;

/** An adapter in a jar of its own, as users ship it. */
class AdapterJarTest {
    private static final String MINE = "com.example.Mine";
    private static final Event EVENT =
            Event.newBuilder().setIdText("c1").setJson(ByteString.copyFromUtf8("{}")).build();

    /** Emits what {@code %s} evaluates to, a text. */
    private static final String EMITTING =
            """
            package com.example;
            import photon.adapter.*;
            public class Mine implements Adapter {
                public void join(SourceEvent foreign, SourceEvent primary, Result result) {
                    result.emit(String.valueOf(%s).getBytes(java.nio.charset.StandardCharsets.UTF_8));
                }
            }
            """;

    @TempDir private Path directory;

    private CompiledJar jar() {
        return new CompiledJar(directory.resolve("made"));
    }

    private Path emitting(String expression) throws IOException {
        return jar().source(MINE, EMITTING.formatted(expression)).write(directory.resolve("a.jar"));
    }

    private static PipelineConfig.Adapter config(Map<String, String> options, Object... jars) {
        return new PipelineConfig.Adapter(
                MINE,
                Arrays.stream(jars).map(Object::toString).toList(),
                Optional.empty(),
                options,
                PipelineConfig.Adapter.DEFAULT_TIMEOUT,
                50,
                200);
    }

    private static PairAdapter load(Map<String, String> options, Object... jars) {
        return Adapters.load(config(options, jars), AdapterHost.joiner("ads", "east"));
    }

    private static String emitted(PairAdapter adapter) {
        AdapterDecision decision = adapter.join(EVENT, 1, EVENT, 2);
        assertThat(decision).isInstanceOf(AdapterDecision.Emit.class);
        return ((AdapterDecision.Emit) decision).events().get(0).bytes().toStringUtf8();
    }

    @Test
    void joinsWithAClassOfAJar() throws Exception {
        try (PairAdapter adapter =
                load(Map.of(), emitting("foreign.id() + primary.timestampMicros()"))) {
            assertThat(emitted(adapter)).isEqualTo("c12");
            assertThat(adapter.runsInline()).isFalse();
        }
    }

    /** Photon has a class of this name, which has no such method. */
    @Test
    void itsLibrariesAreItsOwn() throws Exception {
        Path library =
                new CompiledJar(directory.resolve("library"))
                        .source(
                                "com.fasterxml.jackson.databind.ObjectMapper",
                                """
                                package com.fasterxml.jackson.databind;
                                public class ObjectMapper {
                                    public static String whose() { return "the adapter's"; }
                                }
                                """)
                        .source(
                                MINE,
                                EMITTING.formatted(
                                        "com.fasterxml.jackson.databind.ObjectMapper.whose()"))
                        .write(directory.resolve("a.jar"));
        try (PairAdapter adapter = load(Map.of(), library)) {
            assertThat(emitted(adapter)).isEqualTo("the adapter's");
        }
        assertThat(new ObjectMapper().readTree("{\"a\":1}").path("a").asInt()).isEqualTo(1);
    }

    @Test
    void photonsLibrariesAndClassesAreNotToBeSeen() throws Exception {
        String look =
                """
                new Object() {
                    String at(String name) {
                        try {
                            return Class.forName(name).getName();
                        } catch (ClassNotFoundException e) {
                            return "none";
                        }
                    }
                }.at("%s") + getClass().getClassLoader().getResource("%s")\
                """;
        for (Class<?> ours : List.of(ObjectMapper.class, ByteString.class, Adapters.class)) {
            String resource = ours.getName().replace('.', '/') + ".class";
            try (PairAdapter adapter =
                    load(Map.of(), emitting(look.formatted(ours.getName(), resource)))) {
                assertThat(emitted(adapter)).isEqualTo("nonenull");
            }
        }
        String jdk = "java.sql.Date";
        try (PairAdapter adapter = load(Map.of(), emitting(look.formatted(jdk, "none")))) {
            assertThat(emitted(adapter)).startsWith(jdk);
        }
    }

    @Test
    void aListOfJarsHoldsItsLibraries() throws Exception {
        Path library =
                new CompiledJar(directory.resolve("library"))
                        .source(
                                "com.example.Library",
                                "package com.example; public class Library { public static int n()"
                                        + " { return 7; } }")
                        .write(directory.resolve("library.jar"));
        Path mine =
                jar().source(MINE, EMITTING.formatted("Library.n()"))
                        .sourceLeftOut(
                                "com.example.Library",
                                "package com.example; public class Library { public static int n()"
                                        + " { return 0; } }")
                        .write(directory.resolve("a.jar"));
        try (PairAdapter adapter = load(Map.of(), mine, library)) {
            assertThat(emitted(adapter)).isEqualTo("7");
        }
    }

    /** Libraries look there for their parts. */
    @Test
    void theThreadsLoaderIsTheAdapters() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (PairAdapter adapter =
                load(
                        Map.of(),
                        emitting(
                                "Thread.currentThread().getContextClassLoader() =="
                                        + " getClass().getClassLoader()"))) {
            assertThat(emitted(adapter)).isEqualTo("true");
        }
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void whatIsNoJarIsNamed() throws Exception {
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        Path whole = emitting("1");
        byte[] bytes = Files.readAllBytes(whole);
        Path cut =
                Files.write(directory.resolve("cut.jar"), Arrays.copyOf(bytes, bytes.length / 2));
        refused(
                "expected a jar at " + directory.resolve("no.jar") + ", but there is none",
                "no.jar");
        refused(text + " is not a whole jar", text);
        refused(cut + " is not a whole jar", cut);
        refused("expected a jar at " + directory + ", but that is no file", directory);
        assertThatThrownBy(() -> load(Map.of(), text, cut))
                .isInstanceOfSatisfying(
                        ConfigException.class, e -> assertThat(e.problems()).hasSize(2));
    }

    private void refused(String why, Object jar) {
        assertThatThrownBy(() -> load(Map.of(), directory.resolve(jar.toString())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("adapter.jar: " + why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "com.example.Other|public class Other {}|there is no class com.example.Mine in |",
                "org.acme.Mine|public class Mine {}|did you mean 'org.acme.Mine'?|",
                "com.example.Mine|public class Mine {}|expected a class that implements"
                        + " photon.adapter.Adapter, but com.example.Mine does not",
                "com.example.Mine|public abstract class Mine implements Adapter {}|expected a"
                        + " public class with a public constructor without parameters",
                "com.example.Mine|public class Mine implements Adapter { public Mine(int n) {} JOIN"
                        + " }|but com.example.Mine has none",
                "com.example.Mine|public class Mine implements Adapter { public Mine() { throw new"
                        + " IllegalStateException(`boom`); } JOIN }|the constructor of com.example.Mine"
                        + " threw java.lang.IllegalStateException: boom",
                "com.example.Mine|public class Mine implements Adapter { static int n = 1 /"
                        + " Integer.parseInt(`0`); JOIN }|the static initializer of com.example.Mine"
                        + " threw java.lang.ArithmeticException",
                "com.example.Mine|public class Mine implements Adapter { public void"
                        + " start(AdapterContext c) { c.options().duration(`wait`); } JOIN"
                        + " }|adapter.options.wait is 'soon': expected a duration above 0",
                "com.example.Mine|public class Mine implements Adapter { public void"
                        + " start(AdapterContext c) { c.options().text(`url`); } JOIN"
                        + " }|adapter.options.url is missing: expected a text",
                "com.example.Mine|public class Mine implements Adapter { public void"
                        + " start(AdapterContext c) { c.options().text(`wayt`, `x`); } JOIN"
                        + " }|adapter.options.wait is no option of com.example.Mine: did you mean"
                        + " 'wayt'?",
                "com.example.Mine|public class Mine implements Adapter { public void"
                        + " start(AdapterContext c) { } JOIN }|adapter.options.wait is no option of"
                        + " com.example.Mine: it has none",
                "com.example.Mine|public class Mine implements Adapter { public void"
                        + " start(AdapterContext c) { throw new IllegalStateException(`away`); } JOIN"
                        + " }|com.example.Mine cannot start with its options [wait]:"
                        + " java.lang.IllegalStateException: away",
                "com.example.Mine|public class Mine implements Adapter { public Effect effect() {"
                        + " return Effect.POTENT; } JOIN }|com.example.Mine is potent",
            })
    void aClassThatCannotJoinIsNamed(String name, String text, String why) throws Exception {
        String source =
                "package %s; import photon.adapter.*; %s"
                        .formatted(name.substring(0, name.lastIndexOf('.')), text)
                        .replace('`', '"')
                        .replace(
                                "JOIN",
                                "public void join(SourceEvent f, SourceEvent p, Result r) {}");
        Path made = jar().source(name, source).write(directory.resolve("a.jar"));
        assertThatThrownBy(() -> load(Map.of("wait", "soon"), made))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("adapter")
                .hasMessageContaining(why);
    }

    @Test
    void aLibraryThatIsNotInTheListIsNamed() throws Exception {
        Path mine =
                jar().source(
                                MINE,
                                EMITTING.formatted("1")
                                        .replace("implements", "extends Base implements"))
                        .sourceLeftOut("com.example.Base", "package com.example; class Base {}")
                        .write(directory.resolve("a.jar"));
        assertThatThrownBy(() -> load(Map.of(), mine))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "com.example.Mine needs the class com.example.Base, which is in none of"
                                + " adapter.jar");
    }

    @Test
    void anAdapterOfTheFirstApiRuns() throws Exception {
        Path made =
                jar().source(
                                MINE,
                                """
                                package com.example;
                                import java.util.Map;
                                import photon.adapter.*;
                                public class Mine implements Adapter {
                                    private String word = "";
                                    @Override public void configure(Map<String, String> options) {
                                        word = options.get("word");
                                    }
                                    @Override public Effect effect() { return Effect.IDEMPOTENT; }
                                    @Override public void join(SourceEvent f, SourceEvent p, Result r) {
                                        r.emit("side", (word + f.id() + p.field("none").isEmpty()).getBytes());
                                    }
                                }
                                """)
                        .sourceLeftOut("photon.adapter.Adapter", api("Adapter-1.0"))
                        .sourceLeftOut("photon.adapter.SourceEvent", api("SourceEvent-1.0"))
                        .manifest("Photon-Adapter-Api", "1.0.0")
                        .write(directory.resolve("a.jar"));
        try (PairAdapter adapter = load(Map.of("word", "hello "), made)) {
            assertThat(emitted(adapter)).isEqualTo("hello c1true");
        }
    }

    @Test
    void anAdapterOfANewerApiIsNamed() throws Exception {
        String newer =
                api("SourceEvent-1.0").replace("String id();", "String id(); String key(int n);");
        CompiledJar uses =
                jar().source(MINE, EMITTING.formatted("foreign.key(1)"))
                        .sourceLeftOut("photon.adapter.SourceEvent", newer)
                        .sourceLeftOut("photon.adapter.Adapter", api("Adapter-1.0"));
        Path used = uses.write(directory.resolve("uses.jar"));
        refused(
                used
                        + " was built for another adapter API than this Photon's, 1.3.0:"
                        + " com.example.Mine uses the method photon.adapter.SourceEvent.key, which"
                        + " is not in it",
                used);
        CompiledJar brings =
                new CompiledJar(directory.resolve("brings"))
                        .source(
                                MINE,
                                EMITTING.formatted("1")
                                        .replace("Mine implements", "Mine implements Closer,"))
                        .source(
                                "photon.adapter.Closer",
                                "package photon.adapter; public interface Closer {}");
        refused(
                "%s was built for another adapter API than this Photon's, 1.3.0: com.example.Mine uses the class photon.adapter.Closer, which is not in it"
                        .formatted(directory.resolve("brings.jar")),
                brings.write(directory.resolve("brings.jar")));
    }

    @ParameterizedTest
    @CsvSource({
        "1.0.0,true",
        "1.2.0,true",
        "1.1,true",
        "1.3.0,true",
        "1.4.0,false",
        "2.0.0,false",
        "new,false"
    })
    void theManifestMayAskForAVersion(String version, boolean served) throws Exception {
        Path made =
                jar().source(MINE, EMITTING.formatted("1"))
                        .manifest("Photon-Adapter-Api", version)
                        .write(directory.resolve("a.jar"));
        if (served) {
            load(Map.of(), made).close();
        } else {
            refused(
                    made
                            + " was built for another adapter API than this Photon's, 1.3.0: its"
                            + " manifest has Photon-Adapter-Api: "
                            + version,
                    made);
        }
    }

    private static String api(String name) throws IOException {
        try (InputStream in = AdapterJarTest.class.getResourceAsStream(name + ".java.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        }
    }

    @Test
    void theContextCountsTimesAndIsClosed() throws Exception {
        Path mark = directory.resolve("closed");
        Path made =
                jar().source(
                                MINE,
                                """
                                package com.example;
                                import photon.adapter.*;
                                public class Mine implements Adapter {
                                    private AdapterContext context;
                                    private AdapterContext.Counter calls;
                                    private AdapterContext.Timer waits;
                                    @Override public void start(AdapterContext context) {
                                        this.context = context;
                                        calls = context.counter("calls", "Calls.");
                                        waits = context.timer("waits", "Waits.");
                                        context.logger().log(System.Logger.Level.INFO, "starts in {0}", context.datacenter());
                                    }
                                    @Override public void join(SourceEvent f, SourceEvent p, Result r) {
                                        calls.increment();
                                        waits.record(2_000_000);
                                        r.emit((context.pipeline() + context.datacenter() + context.capabilities().size()).getBytes());
                                    }
                                    @Override public void close() {
                                        try {
                                            java.nio.file.Files.createFile(java.nio.file.Path.of("MARK"));
                                        } catch (java.io.IOException e) {
                                            throw new IllegalStateException(e);
                                        }
                                    }
                                }
                                """
                                        .replace("MARK", mark.toString()))
                        .write(directory.resolve("a.jar"));
        try (PairAdapter adapter = load(Map.of(), made)) {
            assertThat(emitted(adapter)).isEqualTo("adseast3");
            emitted(adapter);
            assertThat(adapter.figures()).hasSize(2);
            assertThat(adapter.figures().get(0))
                    .isEqualTo(new AdapterFigure.Count("calls", "Calls.", 2));
            AdapterFigure.Delays waits = (AdapterFigure.Delays) adapter.figures().get(1);
            assertThat(waits.byMicros()).hasSize(1).containsValue(2L);
            assertThat(waits.byMicros().firstKey()).isBetween(2_000L, 2_125L);
            assertThat(mark).doesNotExist();
        }
        assertThat(mark).exists();
    }

    @Test
    void theFingerprintIsOfClassVersionOptionsAndJars() throws Exception {
        CompiledJar one =
                jar().source(MINE, EMITTING.formatted("1"))
                        .manifest("Implementation-Version", "1.4");
        Path first = one.write(directory.resolve("a.jar"));
        Path copy = Files.copy(first, directory.resolve("copy.jar"));
        Path changed = emitting("2");
        AdapterFingerprint print = print(Map.of("a", "b"), copy);
        assertThat(print.adapterClass()).isEqualTo(MINE);
        assertThat(print.version()).isEqualTo("1.4");
        assertThat(print.jars().get(0).sha256()).hasSize(64);
        assertThat(print.text()).matches("com.example.Mine 1.4 \\([0-9a-f]{16}\\)");
        assertThat(print.digest())
                .isEqualTo(
                        print(Map.of("a", "b"), Files.copy(copy, directory.resolve("b.jar")))
                                .digest())
                .isNotEqualTo(print(Map.of("a", "c"), copy).digest())
                .isNotEqualTo(print(Map.of("a", "b"), changed).digest())
                .isNotEqualTo(print(Map.of("a", "b"), copy, changed).digest());
        assertThat(print.toString()).doesNotContain("a=b");
    }

    private static AdapterFingerprint print(Map<String, String> options, Object... jars) {
        try (PairAdapter adapter = load(options, jars)) {
            return adapter.fingerprint();
        }
    }
}
