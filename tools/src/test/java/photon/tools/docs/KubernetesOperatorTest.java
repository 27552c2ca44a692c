package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Repository;

/** {@code deploy/kubernetes/operator/photon}, with a {@code kubectl} that only notes what it is. */
class KubernetesOperatorTest {
    private static final Path SCRIPT =
            Repository.root().resolve("deploy/kubernetes/operator/photon");
    private static final int SECONDS_MAX = 120;

    /**
     * The pod is known at the second look only, its container starts after that and ends later. As
     * the real one does, it refuses the log of a container that has not started.
     */
    private static final String KUBECTL =
            """
            #!/bin/sh
            echo "$*" >> calls
            case "$*" in
              *"get cronjob east-backup"*) cat nightly.json 2> /dev/null ;;
              *--dry-run=client*) echo '{"spec": {"template": {"spec": {"containers": [{"args": ["other"], "resources": {"requests": {"memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}}]}}}}' ;;
              *"create -f -") cat > created.json ;;
              *logs*) [ -e started ] || exit 1; echo said; [ ! -e breaks ] || exit 1 ;;
              *"get pods"*running*) [ ! -e looked ] || { touch started; printf now; }; touch looked ;;
              *"get pods"*terminated*) [ ! -e read ] || printf 3; [ ! -e started ] || touch read ;;
              *delete*) ;;
              *) exit 9 ;;
            esac
            """;

    @TempDir Path directory;

    private record Ran(int status, String out) {}

    private Ran run(String... words) throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "jq"))),
                "jq changes the job, and is not there");
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path kubectl = Files.writeString(bin.resolve("kubectl"), KUBECTL);
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readString(out));
    }

    @Test
    void aJobRunsTheCommandAndTheScriptEndsAsItDoes() throws Exception {
        Ran ran = run("east", "repair", "write-off", "3-17", "--reason", "it's \"lost\"", "--yes");
        assertThat(ran).isEqualTo(new Ran(3, "said\n"));
        JsonNode created = new ObjectMapper().readTree(directory.resolve("created.json").toFile());
        assertThat(created.at("/spec/template/spec/containers/0/args"))
                .map(JsonNode::asText)
                .containsExactly(
                        "repair", "write-off", "3-17", "--reason", "it's \"lost\"", "--yes");
        List<String> calls = Files.readAllLines(directory.resolve("calls"));
        assertThat(calls).allMatch(call -> call.startsWith("-n photon-east "));
        assertThat(calls).anyMatch(call -> call.contains("--from=cronjob/east-operator"));
        assertThat(calls.get(calls.size() - 1)).contains("delete job operator-");
    }

    /** To delete the job then would end a restore, say, in the midst. */
    @Test
    void aLogThatBreaksOffDoesNotEndTheCommand() throws Exception {
        Files.createFile(directory.resolve("breaks"));
        Ran ran = run("east", "registry", "restore", "--yes");
        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.out()).startsWith("said\n").contains("the command goes on");
        List<String> calls = Files.readAllLines(directory.resolve("calls"));
        assertThat(calls.get(calls.size() - 1)).contains("delete job operator-");
        assertThat(calls.get(calls.size() - 2)).contains("terminated.exitCode");
    }

    @Test
    void whatRestoresABackupHasTheBackupsAndTheirMemory() throws Exception {
        run("east", "registry", "restore", "--from", "/var/lib/photon/backups/x", "--yes");
        JsonNode pod =
                new ObjectMapper()
                        .readTree(directory.resolve("created.json").toFile())
                        .at("/spec/template/spec");
        assertThat(pod.at("/volumes/0/persistentVolumeClaim/claimName").asText())
                .isEqualTo("east-backups");
        JsonNode container = pod.at("/containers/0");
        assertThat(container.at("/volumeMounts/0/mountPath").asText())
                .isEqualTo("/var/lib/photon/backups");
        assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("4Gi");
        assertThat(container.at("/args/1").asText()).isEqualTo("restore");
    }

    /** A registry may have grown beyond what the manifests say. */
    @Test
    void whatRestoresABackupHasAsMuchAsTheNightlyJobHas() throws Exception {
        Files.writeString(
                directory.resolve("nightly.json"),
                """
                {"spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [
                  {"resources": {"requests": {"cpu": "2", "memory": "16Gi"}, "limits": {"memory": "17Gi"}}}]}}}}}}
                """);
        run("east", "registry", "restore", "--from", "hdfs://nn/backups/x", "--yes");
        JsonNode resources =
                new ObjectMapper()
                        .readTree(directory.resolve("created.json").toFile())
                        .at("/spec/template/spec/containers/0/resources");
        assertThat(resources.at("/requests/memory").asText()).isEqualTo("16Gi");
        assertThat(resources.at("/limits/memory").asText()).isEqualTo("17Gi");
        assertThat(resources.at("/limits").has("cpu")).as("nothing of its own").isFalse();
    }

    @Test
    void backupsOnHdfsNeedNoVolume() throws Exception {
        run("east", "registry", "restore-drill", "--from", "hdfs://nn/backups");
        JsonNode pod =
                new ObjectMapper()
                        .readTree(directory.resolve("created.json").toFile())
                        .at("/spec/template/spec");
        assertThat(pod.path("volumes")).isEmpty();
        assertThat(pod.at("/containers/0/resources/limits/memory").asText()).isEqualTo("4Gi");
    }

    @Test
    void withoutACommandItSaysHowItIsUsed() throws Exception {
        Ran ran = run("east");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.out()).contains("usage: ", "PLACE COMMAND", "east registry status");
        assertThat(directory.resolve("calls")).doesNotExist();
    }
}
