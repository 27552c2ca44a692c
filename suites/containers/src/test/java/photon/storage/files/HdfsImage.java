package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * Builds an image in which servers of HDFS run, without a registry of images: it holds the Java
 * runtime, a shell and the C libraries of this machine, and the jars that Maven has brought for the
 * tests.
 */
final class HdfsImage implements AutoCloseable {
    private static final Path SCRIPT = Path.of("image.py").toAbsolutePath();
    private static final Path ROOT = Path.of("target/hdfs-root.tar").toAbsolutePath();

    /** The servers, what they have in common with clients, and what writes their logs. */
    private static final Pattern JARS =
            Pattern.compile(
                    "(hadoop-client-(api|runtime|minicluster)|slf4j-api|commons-logging|logback-(classic|core))-\\d.*\\.jar");

    private final String name;

    HdfsImage() throws IOException {
        makeRoot();
        this.name =
                new ImageFromDockerfile("photon-hdfs-test:" + ProcessHandle.current().pid())
                        .withFileFromPath("root.tar", ROOT)
                        .withDockerfileFromBuilder(
                                file -> file.from("scratch").add("root.tar", "/"))
                        .get();
        Files.delete(ROOT);
    }

    String name() {
        return name;
    }

    /** What starts a server in a container. */
    static List<String> command(String type, Map<String, String> settings) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "/opt/java/bin/java",
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.net.preferIPv4Stack=true",
                                "-cp",
                                "/opt/hdfs/conf:/opt/hdfs/lib/*",
                                type));
        new TreeMap<>(settings).forEach((k, v) -> command.addAll(List.of("-D", k + "=" + v)));
        return command;
    }

    private static void makeRoot() throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "python3",
                                SCRIPT.toString(),
                                ROOT.toString(),
                                System.getProperty("java.home"),
                                Path.of("src/test/resources/logback-of-servers.xml").toString()));
        Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(p -> JARS.matcher(Path.of(p).getFileName().toString()).matches())
                .forEach(command::add);
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(python.getInputStream().readAllBytes(), UTF_8);
            if (python.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public void close() {
        DockerClientFactory.instance().client().removeImageCmd(name).withForce(true).exec();
    }
}
