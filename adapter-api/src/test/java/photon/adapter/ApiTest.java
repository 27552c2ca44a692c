package photon.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API is what its version says: {@code api-VERSION.txt} describes each version, and what
 * one has the next ones of the same major version have, too.
 */
class ApiTest {
    private static final String VERSION = AdapterApi.VERSION;

    @Test
    void theDescriptionOfThisVersionIsRight() throws Exception {
        if (System.getProperty("photon.docs.write") != null) {
            Files.writeString(description(VERSION), String.join("\n", now()) + "\n");
        }
        assertThat(now())
                .as(
                        "the public API differs from api-%s.txt: raise AdapterApi.VERSION, in the pom too, and describe the new version",
                        VERSION)
                .containsExactlyElementsOf(described(VERSION));
    }

    @Test
    void nothingOfAnEarlierVersionIsGone() throws Exception {
        assertThat(now()).containsAll(described("1.0.0"));
    }

    @Test
    void theJarsManifestSaysTheVersion() throws Exception {
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<Photon-Adapter-Api>" + VERSION + "</Photon-Adapter-Api>");
    }

    /** It brings nothing with it: an annotation that is not there is ignored. */
    @Test
    void itHasNoDependencyAtRuntime() throws Exception {
        assertThat(Files.readString(Path.of("pom.xml")).split("<dependency>", -1))
                .filteredOn(part -> part.contains("</dependency>"))
                .allMatch(
                        part ->
                                part.contains("<scope>test</scope>")
                                        || part.contains("<artifactId>jspecify</artifactId>"));
    }

    private static Path description(String version) {
        return Path.of("src/test/resources/photon/adapter/api-" + version + ".txt");
    }

    private static List<String> described(String version) throws IOException {
        return Files.readAllLines(description(version));
    }

    private static List<String> now() throws Exception {
        TreeSet<String> lines = new TreeSet<>();
        for (Class<?> type : classes()) {
            lines.add(
                    "%s %s".formatted(type.isInterface() ? "interface" : "class", type.getName()));
            List<String> members = new ArrayList<>();
            for (Method method : type.getDeclaredMethods()) {
                if (isPublic(method.getModifiers()) && !method.isSynthetic()) {
                    members.add(
                            "%s%s %s(%s)"
                                    .formatted(
                                            Modifier.isAbstract(method.getModifiers())
                                                    ? "abstract "
                                                    : "",
                                            method.getReturnType().getName(),
                                            method.getName(),
                                            names(method.getParameterTypes())));
                }
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (isPublic(constructor.getModifiers())) {
                    members.add("new(" + names(constructor.getParameterTypes()) + ")");
                }
            }
            for (Field field : type.getDeclaredFields()) {
                if (isPublic(field.getModifiers())) {
                    members.add(field.getType().getName() + " " + field.getName());
                }
            }
            members.forEach(member -> lines.add(type.getName() + ": " + member));
        }
        return List.copyOf(lines);
    }

    private static boolean isPublic(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String names(Class<?>[] types) {
        return String.join(", ", Arrays.stream(types).map(Class::getName).toList());
    }

    /** Of both packages; nested ones too. */
    private static List<Class<?>> classes() throws Exception {
        URL here = Adapter.class.getProtectionDomain().getCodeSource().getLocation();
        Path root = Path.of(here.toURI());
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
                String name = root.relativize(file).toString().replace('/', '.');
                Class<?> type = Class.forName(name.substring(0, name.length() - 6));
                if (Modifier.isPublic(type.getModifiers())) {
                    found.add(type);
                }
            }
        }
        return found;
    }
}
