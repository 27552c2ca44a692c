package photon.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Photon;
import photon.core.testing.Await;

/** {@code photon local} on an HDFS with Kerberos, logged in from a keytab. */
class KerberosTest {
    private static final int FEW = 100;
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir Path directory;

    private Process cluster;
    private Process photon;
    private BufferedReader answers;
    private Writer commands;
    private String hdfs = "";
    private int written;

    @BeforeEach
    void startCluster() throws IOException {
        cluster =
                java(List.of(KerberizedHdfs.class.getName(), directory.toString()))
                        .redirectError(directory.resolve("cluster.log").toFile())
                        .start();
        answers = cluster.inputReader(UTF_8);
        commands = cluster.outputWriter(UTF_8);
        String said = answers.readLine();
        assertThat(said).as(Files.readString(directory.resolve("cluster.log"))).isNotNull();
        hdfs = said.substring("ready ".length());
        ask("home /pipeline");
        write("links", LocalOnHdfsRun.links());
        clicks();
    }

    @AfterEach
    void endProcesses() throws Exception {
        if (photon != null) {
            photon.destroyForcibly().waitFor();
        }
        if (!cluster.waitFor(0, TimeUnit.SECONDS)) {
            commands.close();
            if (!cluster.waitFor(1, TimeUnit.MINUTES)) {
                cluster.destroyForcibly();
            }
        }
    }

    @Test
    void aRunOutlivesItsTickets() throws Exception {
        Run run = new Run(directory.resolve("photon.keytab"));
        Await.until(LONG, "the first joined events", run::said, () -> published().size() == FEW);
        long end =
                System.nanoTime() + Duration.ofSeconds(2 * KerberizedHdfs.TICKET_SECONDS).toNanos();
        while (System.nanoTime() < end) {
            clicks();
            int all = written;
            Await.until(LONG, all + " joined events", run::said, () -> published().size() == all);
        }
        photon.destroy();
        assertThat(run.ended.get().exitValue()).as(run.said()).isZero();
        assertThat(new ObjectMapper().readTree(run.out()).get("joined").asInt()).isEqualTo(written);
        assertThat(published())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, written).mapToObj(i -> "c" + i).toList());
    }

    @Test
    void withoutItsKeysItSaysWhoCouldNotLogIn() throws Exception {
        Run run = new Run(directory.resolve("none.keytab"));
        assertThat(run.ended.get().exitValue()).isEqualTo(1);
        assertThat(run.said()).contains(KerberizedHdfs.USER, "none.keytab");
    }

    /** {@code photon local} as a process. */
    private final class Run {
        private final Path said = directory.resolve("photon.log");
        private final Path out = directory.resolve("photon.json");
        private final CompletableFuture<Process> ended;

        Run(Path keytab) throws IOException {
            Path config = directory.resolve("photon.yaml");
            Files.writeString(config, configuration(keytab));
            ProcessBuilder command =
                    java(List.of(
                                    "-Dlogback.configurationFile=logback.xml",
                                    "-Djava.security.krb5.conf=" + directory.resolve("krb5.conf"),
                                    Photon.class.getName(),
                                    "local",
                                    "--config",
                                    config.toString(),
                                    "--output",
                                    hdfs + "/pipeline/out/",
                                    "--state",
                                    directory.resolve("state").toString(),
                                    "--json"))
                            .redirectError(said.toFile())
                            .redirectOutput(out.toFile());
            command.environment().put("HADOOP_CONF_DIR", directory.resolve("conf").toString());
            photon = command.start();
            ended = photon.onExit();
        }

        String said() {
            return read(said);
        }

        String out() {
            return read(out);
        }

        private String read(Path path) {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                return e.toString();
            }
        }
    }

    private String configuration(Path keytab) {
        return LocalOnHdfsRun.configuration(
                hdfs + "/pipeline",
                Map.of(
                        // Connections that are idle for so long are closed: each needs a ticket.
                        "ipc.client.connection.maxidletime", "500",
                        "hadoop.kerberos.min.seconds.before.relogin", "1",
                        "security",
                                "{principal: %s, keytab: %s}"
                                        .formatted(KerberizedHdfs.USER, keytab)));
    }

    /** One log more, of events that can be joined. */
    private void clicks() throws IOException {
        int from = written;
        written += FEW;
        write("clicks-" + written, LocalOnHdfsRun.clicks(from, written));
    }

    private void write(String name, Stream<String> records) throws IOException {
        ask("write /pipeline/%s.csv %s".formatted(name, records.collect(Collectors.joining(" "))));
    }

    private List<String> published() throws IOException {
        List<String> clicks = new ArrayList<>();
        for (String record : ask("published /pipeline/out")) {
            JsonNode joined = new ObjectMapper().readTree(record);
            clicks.add(joined.get("foreign").get("click").asText());
        }
        return clicks;
    }

    private List<String> ask(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        List<String> answer = new ArrayList<>();
        for (String line = answers.readLine(); ; line = answers.readLine()) {
            assertThat(line).as("an answer to %s", command).isNotNull();
            if (line.equals("done")) {
                return answer;
            }
            answer.add(line);
        }
    }

    private static ProcessBuilder java(List<String> arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-Xmx512m",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path")));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
