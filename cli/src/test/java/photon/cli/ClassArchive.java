package photon.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Class data sharing for the processes that tests start, as the launcher has it: each start costs a
 * third less processor time. Made once a module and build, by a run on an example. Without it all
 * works as well, but slower.
 */
final class ClassArchive {
    private static final Path DIRECTORY = Path.of("target", "class-archive");
    private static final int SECONDS_MAX = 300;
    private static final ClassArchive MADE = made();

    private final String classPath;
    private final List<String> options;

    private ClassArchive(String classPath, List<String> options) {
        this.classPath = classPath;
        this.options = options;
    }

    /** The class path of this process, with jars first, as the archive has it. */
    static String classPath() {
        return MADE.classPath;
    }

    /** Options that let a Java VM with {@link #classPath()} use the archive. */
    static List<String> options() {
        return MADE.options;
    }

    private static ClassArchive made() {
        List<Path> jars = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith(".jar")) {
                jars.add(Path.of(entry));
            } else if (!entry.isEmpty() && Files.isDirectory(Path.of(entry))) {
                directories.add(Path.of(entry));
            }
        }
        try {
            return made(jars, directories);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassArchive made(List<Path> jars, List<Path> directories) throws IOException {
        String key = key(jars, directories);
        // An archive cannot be made with directories on the class path, and knows none.
        Path own = DIRECTORY.resolve(key + ".jar").toAbsolutePath();
        Path archive = DIRECTORY.resolve(key + ".jsa").toAbsolutePath();
        List<Path> path = new ArrayList<>(jars);
        path.add(own);
        String classPath =
                String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
        Files.createDirectories(DIRECTORY);
        try (FileChannel lock =
                FileChannel.open(
                        DIRECTORY.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            // Until the channel is closed: a module's tests may run in several processes.
            lock.lock();
            if (!Files.exists(archive)) {
                pack(directories, own);
                train(classPath, archive);
            }
        }
        List<String> options =
                Files.size(archive) == 0
                        ? List.of()
                        : List.of(
                                "-XX:SharedArchiveFile=" + archive,
                                "-Xlog:cds=off",
                                "-Xlog:cds+dynamic=off");
        return new ClassArchive(classPath, options);
    }

    private static void pack(List<Path> directories, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Path directory : directories) {
                for (Path content : files(directory)) {
                    String name = directory.relativize(content).toString();
                    if (!name.equals("META-INF/MANIFEST.MF")) {
                        out.putNextEntry(new JarEntry(name));
                        Files.copy(content, out);
                    }
                }
            }
        }
    }

    /** An empty archive says that none can be made. */
    private static void train(String classPath, Path archive) throws IOException {
        Path work = Files.createTempDirectory(DIRECTORY, "training-").toAbsolutePath();
        Path made = work.resolve("archive");
        Path example = Repository.root().resolve("docs/examples/ads/photon.yaml");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LocalProcess.SMALL);
        command.add("-XX:ArchiveClassesAtExit=" + made);
        command.add("-Dphoton.home=" + Repository.root());
        command.addAll(List.of("-cp", classPath, "photon.cli.Photon", "local"));
        command.addAll(List.of("--config", example.toString(), "--until-idle", "1s"));
        command.addAll(List.of("--output", work.resolve("out").toString()));
        command.addAll(List.of("--state", work.resolve("state").toString()));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(work.resolve("log").toFile())
                        .start();
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!Files.exists(made)) {
            Files.createFile(made);
        }
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Of all that is on the class path, as it is now. */
    private static String key(List<Path> jars, List<Path> directories) throws IOException {
        List<Path> all = new ArrayList<>(jars);
        for (Path directory : directories) {
            all.addAll(files(directory));
        }
        long hash = 17;
        for (Path path : all) {
            long[] facts = {
                path.toString().hashCode(),
                Files.size(path),
                Files.getLastModifiedTime(path).toMillis()
            };
            hash = 31 * hash + Arrays.hashCode(facts);
        }
        return HexFormat.of().toHexDigits(hash);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
