package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.LocalProcess;
import photon.core.testing.Await;

/** What {@code photon} cannot use: exit status 2, a message that says what would be right. */
class RefusedTest {
    private static final Duration STARTED_WITHIN = Duration.ofMinutes(4);
    private static final String[] LINES = {
        "pipeline: clicks",
        "datacenters: [east, west]",
        "primary:",
        "  paths: [\"links*.csv\"]",
        "  format: {type: csv, columns: [link, made]}",
        "  id: {from: [link]}",
        "  timestamp: {field: made, unit: micros}",
        "foreign:",
        "  paths: [\"clicks*.csv\"]",
        "  format: {type: csv, columns: [click, at, link]}",
        "  id: {from: [click]}",
        "  timestamp: {field: at, unit: micros}",
        "  primaryId: {from: [link]}",
        "adapter: {type: merge}",
    };

    @TempDir Path directory;

    private Path config(String name, String... replaced) throws IOException {
        String text = String.join("\n", LINES) + "\n";
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(text).contains(replaced[i]);
            text = text.replace(replaced[i], replaced[i + 1]);
        }
        return Files.writeString(directory.resolve(name), text);
    }

    private static void refused(Captured run, String... parts) {
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(parts).doesNotContain("\tat ");
        assertThat(run.stdout()).isEmpty();
    }

    private Captured local(Path config, String... more) {
        return Captured.run(
                Stream.concat(
                                Stream.of(
                                        "local",
                                        "--config",
                                        config.toString(),
                                        "--until-idle",
                                        "1s",
                                        "--json"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private void nothingWasMade() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(
                            files.map(f -> f.getFileName().toString())
                                    .filter(f -> f.contains("photon-")))
                    .isEmpty();
        }
    }

    @Test
    void aUriIsTakenForNoDirectory() throws IOException {
        Path config = config("uri.yaml");
        String path = "expected a path of this machine, not a URI";
        refused(local(config, "--state", "hdfs://nn1/st"), "--state is 'hdfs://nn1/st': " + path);
        refused(
                local(config, "--output", "file:///data/out"),
                "--output is 'file:///data/out': expected the path alone, /data/out");
        refused(
                local(config, "--output", "hdfs:/out"),
                "--output is 'hdfs:/out': expected a URI that names its host or name service, such as hdfs://namenode/photon");
        nothingWasMade();
    }

    @Test
    void wrongUsage() throws Exception {
        Path config = config("photon.yaml");
        refused(
                Captured.run("local"),
                "--config is missing: expected it to name a configuration file, or the environment variable PHOTON_CONFIG to name one, or photon.yaml");
        for (String nonsense : List.of("5", "0s", "-1s", "soon", "")) {
            refused(
                    Captured.run(
                            "run",
                            "verifier",
                            "--config",
                            config.toString(),
                            "--status-every",
                            nonsense),
                    "--status-every is '" + nonsense + "'",
                    "expected a duration");
        }
        refused(
                Captured.run("local", "--config", config.toString(), "--until-idle", "0"),
                "--until-idle is '0': expected a duration above 0");
        refused(
                Captured.run("local", "--config", config.toString(), "--until-idle", "5"),
                "--until-idle is '5': expected a duration with its unit, such as 5s");
        refused(Captured.run("run", "regstry", "--config", config.toString()), "registry");
        refused(
                Captured.run("run", "joiner", "--config", config.toString()),
                "deployment is missing");
        refused(
                Captured.run(
                        "run",
                        "joiner",
                        "--config",
                        config.toString(),
                        "--state-is-lost",
                        "0b5f3c8e-1d2a-4f6b-9c7d-3e8a5b6c7d8e"),
                "--state-is-lost is only for the dispatcher");
        refused(
                Captured.run("local", "--config", config.toString(), "--state-is-lost", "the-disk"),
                "--state-is-lost is 'the-disk'");
        assertThat(Captured.run("run", "--help").stdout()).doesNotContain("null");
        nothingWasMade();
    }

    @Test
    void aMessageSaysWhatWouldBeRightAndWhichHelpToRead() {
        says("local", "unknown option '--jsn': did you mean '--json'?", "--jsn");
        says("", "unknown command 'locl': did you mean 'local'?", "locl");
        says("", "expected a command: local, run, init, config");
        says("registry pipelines", "expected a command: list, create, set, drop");
        says("config test", "unexpected argument 'x'", "x");
        says("config test", "-o is 'yaml': expected one of table, json", "-o", "yaml");
        says("config test", "--records is 'ten': expected a whole number", "--records", "ten");
        says("registry backup", "expected (--to=DIR | [--into=FOLDER [--keep=N]])");
        says("registry backup", "--to has no value: expected --to DIR", "--to");
        says("registry members add", "NAME is missing");
        says(
                "registry transfer",
                "expected (--away-from=SERVER | [--to=SERVER (GROUP | --all)])",
                "--to",
                "r1");
    }

    @Test
    void whatIsMisspeltIsNamedBeforeWhatIsMissing() {
        says("registry backup", "unknown option '--too': did you mean '--to'?", "--too=there");
        says("registry members add", "unknown option '--forc': did you mean '--force'?", "--forc");
    }

    private static void says(String verb, String message, String... more) {
        Captured run =
                Captured.run(
                        Stream.concat(
                                        Stream.of(verb.split(" ", -1))
                                                .filter(word -> !word.isEmpty()),
                                        Stream.of(more))
                                .toArray(String[]::new));
        refused(run, message);
        assertThat(run.stderr())
                .startsWith("photon: " + message)
                .endsWith("photon: see '" + ("photon " + verb).strip() + " --help'\n");
        assertThat(run.stderr().lines()).as("no usage").hasSize(2);
    }

    @Test
    void aPartThatTheDeploymentDoesNotName() throws Exception {
        String deployment =
                """
                adapter: {type: merge}
                deployment:
                  datacenter: east
                  registry:
                    - {name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}
                  eventStore: 127.0.0.1:7401
                  dispatcher: 127.0.0.1:7402
                """;
        String joiners =
                """
                  joiners:
                    - {name: joiner-0, address: "127.0.0.1:7403"}
                    - {name: joiner-1, address: "127.0.0.1:7404"}
                """;
        Path named = config("named.yaml", "adapter: {type: merge}\n", deployment + joiners);
        refused(
                Captured.run("run", "joiner", "--config", named.toString(), "--name", "joiner-2"),
                "--name is 'joiner-2': expected a joiner of deployment.joiners, one of joiner-0, joiner-1");
        refused(
                Captured.run("run", "registry", "--config", named.toString(), "--name", "r7"),
                "--name is 'r7': expected a replica of deployment.registry, one of r0");
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "127.0.0.1:" + taken.getLocalPort();
            String[] verifier = {"run", "verifier", "--config", named.toString()};
            refused(
                    Captured.run(
                            Stream.concat(Stream.of(verifier), Stream.of("--metrics", address))
                                    .toArray(String[]::new)),
                    "Cannot listen on " + address + " for metrics",
                    "metrics.listen, or --metrics");
            refused(
                    Captured.run(
                            Stream.concat(Stream.of(verifier), Stream.of("--metrics", "9400"))
                                    .toArray(String[]::new)),
                    "--metrics is wrong: Expected host:port",
                    "'9400'");
        }
        Path old =
                config(
                        "old.yaml",
                        "adapter: {type: merge}\n",
                        deployment + "  joiner: 127.0.0.1:7403\n");
        refused(
                Captured.run("run", "joiner", "--config", old.toString()),
                "deployment.joiner is '127.0.0.1:7403': expected the key joiners");
        nothingWasMade();
    }

    /** An id with a wrong date stays, so each daemon refuses to make one. */
    @Test
    void aPartOfWhoseStreamTheDatesAreNotPlausible() throws Exception {
        Files.writeString(directory.resolve("links.csv"), "l1,1760000000\n");
        Files.writeString(directory.resolve("clicks.csv"), "c1,1760000000,l1\n");
        Path config =
                config(
                        "photon.yaml",
                        "adapter: {type: merge}\n",
                        """
                        adapter: {type: merge}
                        deployment:
                          datacenter: east
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}
                          eventStore: 127.0.0.1:7401
                          dispatcher: 127.0.0.1:7402
                          joiners: [{name: joiner-0, address: "127.0.0.1:7403"}]
                        """);
        refused(
                Captured.run("run", "eventstore", "--config", config.toString()),
                "primary.timestamp: 1 of 1 sampled events are dated before 2000",
                "Write primary.timestamp: {field: made, unit: seconds}");
        refused(
                Captured.run("run", "dispatcher", "--config", config.toString()),
                "foreign.timestamp: 1 of 1 sampled events are dated before 2000",
                "Write foreign.timestamp: {field: at, unit: seconds}");
        assertThat(directory.resolve("photon-state/east").toFile().list())
                .as("no state, which would make the next start a second one")
                .containsExactly("locks");
    }

    @Test
    void aConfigurationThatCannotBeUsed() throws Exception {
        refused(local(directory.resolve("absent.yaml")), "absent.yaml", "there is none");
        refused(local(directory), "Cannot read the configuration file");
        refused(
                local(Files.writeString(directory.resolve("no.yaml"), "pipeline: [\n")),
                "no.yaml is not YAML",
                "line");
        refused(
                local(config("keys.yaml", "pipeline:", "pipelin:", "unit: micros", "unt: micros")),
                "pipelin is not a known key: did you mean 'pipeline'?",
                "primary.timestamp.unt is not a known key: did you mean 'unit'?",
                "foreign.timestamp.unt");
        refused(
                local(config("adapter.yaml", "type: merge", "type: mrege")),
                "adapter.type",
                "'mrege'",
                "expected merge; your own class is named by adapter.class");
        refused(
                local(config("columns.yaml", "[click, at, link]", "[clik, at, link]")),
                "foreign: ",
                "'click'",
                "[clik, at, link]");
        nothingWasMade();
    }

    @Test
    void directoriesThatAreNotOurs() throws Exception {
        Path config = config("photon.yaml");
        Path file = Files.writeString(directory.resolve("a-file"), "");
        refused(local(config, "--state", file.toString()), "state directory", file.toString());
        refused(local(config, "--output", file.toString()), "output directory", file.toString());
        Path strange = Files.createDirectory(directory.resolve("strange"));
        Files.writeString(strange.resolve("thesis.tex"), "");
        refused(
                local(config, "--state", strange.toString()),
                strange.toString(),
                "is not Photon's",
                "thesis.tex");
        assertThat(strange.toFile().list()).containsExactly("thesis.tex");
    }

    @Test
    @Tag("slow")
    void directoriesOfAnotherPipelineOrOtherIdentitySettings() throws Exception {
        Path config = config("photon.yaml");
        try (LocalProcess run = start(config)) {
            // No file matches the globs: nothing to do, which is no error.
            JsonNode books = run.awaitBooks();
            assertThat(books.get("foreignEvents").asInt()).isZero();
            assertThat(run.stderr())
                    .contains("photon: foreign.paths: '" + in("clicks*.csv") + "' matches no file");
        }
        Path settings = directory.resolve("photon-state/pipeline.json");
        String settingsBefore = Files.readString(settings);

        Path otherId = config("other-id.yaml", "from: [click]", "from: [click, at]");
        Path otherName = config("other-name.yaml", "pipeline: clicks", "pipeline: visits");
        Path strange = Files.createDirectories(directory.resolve("strange/west"));
        Files.writeString(strange.resolve("thesis.tex"), "");
        refused(
                local(otherId),
                "foreign.id was [click] and is now [click, at]; events already joined would be joined again");
        Path fewer = config("fewer.yaml", "[east, west]", "[west]");
        refused(
                local(fewer),
                "datacenters is [west], but east has output here, in " + in("photon-out/east"),
                "write datacenters: [west, east]");
        refused(local(otherName), "state directory", "clicks", "visits");
        // Side by side: they share no directory.
        try (LocalProcess notOurs =
                        start(otherName, "--state", in("state-2"), "--output", in("strange"));
                LocalProcess outputOfOther = start(otherName, "--state", in("state-3"));
                LocalProcess moved = start(config, "--output", in("out-2"))) {
            refused(notOurs, "is not ours", "thesis.tex");
            refused(outputOfOther, in("photon-out/"), "belongs to pipeline");
            refused(moved, in("out-2/"), "is not the one of its datacenter");
        }
        assertThat(settings).hasContent(settingsBefore);
    }

    @Test
    @Tag("slow")
    void whatAnotherProcessUses() throws Exception {
        Path config = config("photon.yaml");
        Path ports = directory.resolve("photon-state/registry/ports.json");
        Path settings = directory.resolve("photon-state/pipeline.json");
        try (LocalProcess run =
                LocalProcess.start(directory, "", "local", "--config", config.toString())) {
            Await.until(
                    STARTED_WITHIN,
                    "the registry's ports, and all parts to serve",
                    run::messagesOrTrouble,
                    () -> Files.exists(ports) && Files.exists(settings));
            refused(local(config), "state directory", "in use by another photon process");
            refused(
                    local(config, "--state", in("state-2")),
                    "output directory",
                    "in use by another photon process");
            run.terminate();
            assertThat(run.await()).as(run.messages()).isZero();
        }
        int port = new ObjectMapper().readTree(ports.toFile()).get(3).asInt();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            refused(local(config), "Port " + port, "is in use", ports.toString());
        }
    }

    private String in(String name) {
        return directory.resolve(name).toString() + (name.endsWith("/") ? "/" : "");
    }

    private LocalProcess start(Path config, String... more) throws IOException {
        List<String> args =
                Stream.concat(
                                Stream.of(
                                        "local",
                                        "--config",
                                        config.toString(),
                                        "--until-idle",
                                        "1s",
                                        "--json"),
                                Stream.of(more))
                        .toList();
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    private static void refused(LocalProcess run, String... parts) throws Exception {
        int status = run.await();
        refused(new Captured(status, run.stdout(), run.stderr()), parts);
    }
}
