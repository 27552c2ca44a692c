package photon.simulation.bugs;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles a few sources against the class path of this JVM, without a file. Keeps the class path
 * open between calls, which is most of the time of a compilation. Not thread-safe.
 */
final class InMemoryCompiler {
    // Not --release: the compiler refuses it with a file manager that is not its own.
    private static final List<String> OPTIONS =
            List.of(
                    "-source",
                    "17",
                    "-target",
                    "17",
                    "-proc:none",
                    "-implicit:none",
                    "-Xlint:none",
                    "-nowarn",
                    "-parameters",
                    "-g",
                    "-classpath",
                    System.getProperty("java.class.path"));

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

    /**
     * @param sources by name of the top-level class
     * @return the classes by name, nested ones too
     * @throws AssertionError if it does not compile, with what the compiler says
     */
    Map<String, byte[]> compile(String what, Map<String, String> sources) {
        Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
        JavaFileManager inMemory = new Outputs(files, compiled);
        StringWriter messages = new StringWriter();
        List<Source> units =
                sources.entrySet().stream()
                        .map(source -> new Source(source.getKey(), source.getValue()))
                        .toList();
        boolean fine = compiler.getTask(messages, inMemory, null, OPTIONS, null, units).call();
        if (!fine) {
            throw new AssertionError("'%s' does not compile: %s".formatted(what, messages));
        }
        Map<String, byte[]> classes = new HashMap<>();
        compiled.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> compiled;

        Outputs(JavaFileManager files, Map<String, ByteArrayOutputStream> compiled) {
            super(files);
            this.compiled = compiled;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    compiled.put(name, bytes);
                    return bytes;
                }
            };
        }
    }
}
