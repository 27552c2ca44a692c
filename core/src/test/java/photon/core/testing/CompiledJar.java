package photon.core.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes a jar of sources, as users do, against the class path of the test. */
public final class CompiledJar {
    private final Path directory;
    private final Map<String, String> sources = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final Manifest manifest = new Manifest();

    /**
     * @param directory for sources and classes; may be there already
     */
    public CompiledJar(Path directory) {
        this.directory = directory;
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    }

    public CompiledJar source(String className, String text) {
        sources.put(className, text);
        return this;
    }

    /** Compiled with the others, and not put into the jar. */
    public CompiledJar sourceLeftOut(String className, String text) {
        leftOut.add(className.replace('.', '/'));
        return source(className, text);
    }

    public CompiledJar manifest(String name, String value) {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    /**
     * @return the file
     */
    public Path write(Path file) throws IOException {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        compile(classes);
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest);
                Stream<Path> all = Files.walk(classes)) {
            for (Path one : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(one).toString();
                if (leftOut.stream().noneMatch(left -> name.matches("\\Q" + left + "\\E[.$].*"))) {
                    jar.putNextEntry(new JarEntry(name));
                    Files.copy(one, jar);
                    jar.closeEntry();
                }
            }
        }
        return file;
    }

    private void compile(Path classes) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = directory.resolve("src/" + source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean done =
                    compiler.getTask(
                                    said,
                                    manager,
                                    null,
                                    List.of(
                                            "-proc:none",
                                            "-d",
                                            classes.toString(),
                                            "-cp",
                                            System.getProperty("java.class.path")),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files))
                            .call();
            if (!done) {
                throw new IOException("The sources do not compile: " + said);
            }
        }
    }
}
