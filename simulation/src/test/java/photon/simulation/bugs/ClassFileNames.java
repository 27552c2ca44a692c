package photon.simulation.bugs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which packages the production classes of this JVM's class path know, by their constants. */
final class ClassFileNames {
    private static final Pattern NAME = Pattern.compile("photon/(?:[a-z]\\w*/)+");

    private final Map<String, Set<String>> named = new TreeMap<>();

    private ClassFileNames() {}

    static ClassFileNames ofThisClassPath() throws IOException {
        ClassFileNames names = new ClassFileNames();
        String path = System.getProperty("java.class.path");
        for (String entry : path.split(File.pathSeparator, -1)) {
            Path at = Path.of(entry);
            String name = String.valueOf(at.getFileName());
            if (Files.isDirectory(at) && !name.equals("test-classes")) {
                names.read(at);
            } else if (name.matches("photon-.*(?<!-tests)\\.jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(at)) {
                    names.read(jar.getPath("/"));
                }
            }
        }
        return names;
    }

    private void read(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                String folder = root.relativize(file).toString();
                Set<String> names =
                        named.computeIfAbsent(
                                PackageGraph.packageOf(
                                        folder.replace(".class", "").replace('/', '.')),
                                key -> new TreeSet<>());
                Matcher name = NAME.matcher(new String(Files.readAllBytes(file), ISO_8859_1));
                while (name.find()) {
                    String found = name.group().replace('/', '.');
                    names.add(found.substring(0, found.length() - 1));
                }
            }
        }
    }

    /** Empty if there are no such classes. */
    Set<String> of(String packageName) {
        return named.getOrDefault(packageName, Set.of());
    }
}
