package photon.simulation.bugs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which packages of this checkout know which, by the names in their sources. */
final class PackageGraph {
    private static final String SOURCES = "src/main/java";
    private static final Pattern NAME = Pattern.compile("\\bphoton(\\.[a-z]\\w*)+");

    /** By package: those whose sources name it. */
    private final Map<String, Set<String>> namedBy = new TreeMap<>();

    private PackageGraph() {}

    /** All modules' production sources; words in comments count, too. */
    static PackageGraph of(Path root) {
        Map<String, Set<String>> named = new TreeMap<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                Path sources = module.resolve(SOURCES);
                if (Files.isDirectory(sources)) {
                    read(sources, named);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PackageGraph graph = new PackageGraph();
        named.keySet().forEach(name -> graph.namedBy.put(name, new TreeSet<>()));
        named.forEach((name, names) -> names.forEach(other -> graph.add(name, other)));
        return graph;
    }

    private static void read(Path sources, Map<String, Set<String>> named) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String className = sources.relativize(file).toString().replace('/', '.');
                Set<String> names =
                        named.computeIfAbsent(
                                packageOf(packageOf(className)), key -> new TreeSet<>());
                Matcher name = NAME.matcher(Files.readString(file));
                while (name.find()) {
                    names.add(name.group());
                }
            }
        }
    }

    /**
     * @param name of a package, perhaps with more behind it
     */
    private void add(String by, String name) {
        String known = name;
        while (!namedBy.containsKey(known)) {
            int dot = known.lastIndexOf('.');
            if (dot < 0) {
                return;
            }
            known = known.substring(0, dot);
        }
        namedBy.getOrDefault(known, new TreeSet<>()).add(by);
    }

    /** True if the package has production sources. */
    boolean has(String name) {
        return namedBy.containsKey(name);
    }

    Set<String> all() {
        return namedBy.keySet();
    }

    /** These, and all that know one of them, or one that does. */
    Set<String> knowing(Collection<String> packages) {
        Set<String> knowing = new TreeSet<>(packages);
        ArrayDeque<String> left = new ArrayDeque<>(knowing);
        while (!left.isEmpty()) {
            for (String by : namedBy.getOrDefault(left.remove(), Set.of())) {
                if (knowing.add(by)) {
                    left.add(by);
                }
            }
        }
        return knowing;
    }

    /** Of a class, nested or not. */
    static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }
}
