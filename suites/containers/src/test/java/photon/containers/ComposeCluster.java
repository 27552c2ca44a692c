package photon.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;

/**
 * A deployment of {@code deploy/compose} under a name of its own, started as a user starts it. All
 * that was made for it is removed at the end.
 */
final class ComposeCluster implements AutoCloseable {
    private static final Path COMPOSE = Images.REPOSITORY.resolve("deploy/compose");
    private static final String PROJECT_LABEL = "com.docker.compose.project";
    private static final Duration COMMAND_MAX = Duration.ofMinutes(8);
    private static final int STOP_SECONDS_MAX = 120;

    private final String project;
    private final boolean hdfs;
    private final Path work;
    private final DockerClient engine = DockerClientFactory.instance().client();

    /**
     * @param work where the output of commands goes
     */
    ComposeCluster(String name, boolean hdfs, Path work) {
        this.project = "photon-test-%s-%s".formatted(name, ProcessHandle.current().pid());
        this.hdfs = hdfs;
        this.work = work;
    }

    /** Loads the images, makes certificates, and starts all containers. */
    void up() throws Exception {
        Images.load();
        run(command(List.of("./up"), files()));
    }

    /** Runs a verb of photon as an operator does. */
    String operator(String... words) throws Exception {
        return compose(command(List.of("run", "--rm", "operator"), List.of(words)));
    }

    List<Container> containers() {
        return engine.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(PROJECT_LABEL, project))
                .exec();
    }

    /** Those of one place, such as east. */
    List<Container> of(String place) {
        return containers().stream()
                .filter(c -> place.equals(c.getLabels().get("photon.datacenter")))
                .toList();
    }

    private static String service(Container container) {
        return container.getLabels().get("com.docker.compose.service");
    }

    private Container only(String service) {
        return containers().stream().filter(c -> service(c).equals(service)).findFirst().get();
    }

    /** All daemons of Photon have said that they serve, since they were made. */
    boolean allServe() throws Exception {
        for (Container container : containers()) {
            String service = service(container);
            if (service.contains("-") && !service.contains("node")) {
                String log = docker("logs", container.getId());
                if (!log.contains("serves on")) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Kills all of a place at once. */
    void kill(String place) {
        of(place).parallelStream().forEach(c -> engine.killContainerCmd(c.getId()).exec());
    }

    /** Starts again what was killed of a place; with HDFS, that first. */
    void start(String place) throws Exception {
        if (hdfs) {
            run(command(List.of("./up"), files()));
        } else {
            of(place).parallelStream().forEach(c -> engine.startContainerCmd(c.getId()).exec());
        }
    }

    /** Joined events that a datacenter has published. */
    int joined(String place) throws Exception {
        String lines =
                hdfs
                        ? "docker exec %s /opt/hdfs/hdfs fs -cat 'hdfs://%2$s-namenode:8020/photon/output/%2$s/dt=*/hour=*/*.jsonl'"
                                .formatted(only(place + "-namenode").getId(), place)
                        : "docker cp %s:/var/lib/photon/output/%s - | tar -xO --wildcards '*/dt=*/*.jsonl'"
                                .formatted(only(place + "-joiner").getId(), place);
        return Integer.parseInt(
                run(List.of("sh", "-c", "{ %s; } 2> /dev/null | wc -l".formatted(lines))).strip());
    }

    /** Ends the load. */
    Path stopLoad() throws Exception {
        engine.stopContainerCmd(only("load").getId()).withTimeout(STOP_SECONDS_MAX).exec();
        docker(
                "cp",
                only("load").getId() + ":/var/lib/photon/logs",
                work.resolve("logs").toString());
        return work.resolve("logs");
    }

    /**
     * Ends services of a kind, such as joiner, in good order.
     *
     * @return those that ended in another way, each with its exit status
     */
    List<String> stop(String kind) {
        List<Container> some =
                containers().stream().filter(c -> service(c).contains("-" + kind)).toList();
        some.parallelStream()
                .forEach(
                        c ->
                                engine.stopContainerCmd(c.getId())
                                        .withTimeout(STOP_SECONDS_MAX)
                                        .exec());
        List<String> wrong = new ArrayList<>();
        for (Container container : some) {
            Long status =
                    engine.inspectContainerCmd(container.getId())
                            .exec()
                            .getState()
                            .getExitCodeLong();
            if (status == null || (status != 0 && status != 128 + 15)) {
                wrong.add(service(container) + ": " + status);
            }
        }
        return wrong;
    }

    /** Copies what both datacenters have published. */
    Path copyOutput() throws Exception {
        Path copy = Files.createDirectories(work.resolve("output"));
        for (String place : List.of("east", "west")) {
            if (hdfs) {
                // The user in the container is another one.
                run(List.of("chmod", "a+rwx", copy.toString()));
                compose(
                        List.of(
                                "run",
                                "--rm",
                                "-v",
                                copy + ":/copy",
                                "hdfs",
                                "-copyToLocal",
                                "hdfs://%1$s-namenode:8020/photon/output/%1$s".formatted(place),
                                "/copy/" + place));
            } else {
                docker(
                        "cp",
                        "%s:/var/lib/photon/output/%s"
                                .formatted(only(place + "-joiner").getId(), place),
                        copy.resolve(place).toString());
            }
        }
        return copy;
    }

    /** The last lines of each container, for people. */
    String logs() {
        StringBuilder all = new StringBuilder();
        for (Container container : containers()) {
            all.append("\n== %s: %s\n".formatted(service(container), container.getStatus()));
            try {
                all.append(docker("logs", "--tail", "8", container.getId()));
            } catch (Exception e) {
                all.append(e);
            }
        }
        return all.toString();
    }

    private List<String> files() {
        return hdfs ? List.of("-f", "compose.yaml", "-f", "hdfs.yaml") : List.of();
    }

    private String compose(List<String> words) throws Exception {
        boolean plugin =
                new ProcessBuilder("docker", "compose", "version")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
        List<String> compose = plugin ? List.of("docker", "compose") : List.of("docker-compose");
        return run(command(command(compose, files()), words));
    }

    private String docker(String... words) throws Exception {
        return run(command(List.of("docker"), Arrays.asList(words)));
    }

    private static List<String> command(List<String> program, List<String> words) {
        List<String> all = new ArrayList<>(program);
        all.addAll(words);
        return all;
    }

    /** Returns what it prints. */
    String run(List<String> command) throws Exception {
        Path printed = Files.createTempFile(work, "command", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(COMPOSE.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile());
        builder.environment().put("COMPOSE_PROJECT_NAME", project);
        Process process = builder.start();
        boolean ended = process.waitFor(COMMAND_MAX.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        Files.delete(printed);
        if (!ended || process.exitValue() != 0) {
            throw new IOException(
                    "%s %s: %s"
                            .formatted(
                                    String.join(" ", command),
                                    ended
                                            ? "ended with exit status " + process.exitValue()
                                            : "did not end within " + COMMAND_MAX,
                                    text));
        }
        return text;
    }

    @Override
    public void close() {
        for (Container container : containers()) {
            engine.removeContainerCmd(container.getId()).withForce(true).exec();
        }
        for (var volume :
                engine.listVolumesCmd()
                        .withFilter("label", List.of(PROJECT_LABEL + "=" + project))
                        .exec()
                        .getVolumes()) {
            engine.removeVolumeCmd(volume.getName()).exec();
        }
        for (var network :
                engine.listNetworksCmd()
                        .withFilter("label", List.of(PROJECT_LABEL + "=" + project))
                        .exec()) {
            engine.removeNetworkCmd(network.getId()).exec();
        }
    }
}
