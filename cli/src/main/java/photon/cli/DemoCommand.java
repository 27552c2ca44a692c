package photon.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import photon.cli.local.LocalRun;
import photon.core.config.ConfigLoader;
import photon.core.error.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The first minute: {@code local} on an example of the repository, in a temporary directory. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Joins the ad clicks of docs/examples/ads in two datacenters, and shows the books.")
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--json",
            description = "Print the books as one JSON object, and nothing else, on stdout.")
    private boolean json;

    @Option(names = "--keep", description = "Keep the temporary directory with state and output.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        Path home = Path.of(System.getProperty("photon.home", ".")).toAbsolutePath().normalize();
        Path config = home.resolve("docs/examples/ads/photon.yaml");
        if (!Files.exists(config)) {
            throw new ConfigException(
                    "Expected the example at "
                            + config
                            + ": run demo by the script in the repository");
        }
        Path work = Files.createTempDirectory("photon-demo-");
        try {
            int status =
                    LocalRun.run(
                            ConfigLoader.load(config).pipeline(),
                            work.resolve("out"),
                            work.resolve("state"),
                            Optional.of(Duration.ofSeconds(2)),
                            json,
                            HaltAt.fromSystemProperties());
            if (!json) {
                printSome(work.resolve("out"));
            }
            if (keep) {
                System.err.println("Kept: " + work);
            }
            return status;
        } finally {
            if (!keep) {
                delete(work);
            }
        }
    }

    private static void printSome(Path output) throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            List<Path> published =
                    files.filter(f -> f.toString().endsWith(".jsonl"))
                            .filter(DemoCommand::hasContent)
                            .sorted()
                            .toList();
            for (Path file : published.stream().limit(1).toList()) {
                System.out.println(
                        "One of the joined events, from " + output.relativize(file) + ":");
                try (Stream<String> lines = Files.lines(file)) {
                    lines.limit(1).forEach(line -> System.out.println("  " + line));
                }
            }
        }
    }

    private static boolean hasContent(Path file) {
        return file.toFile().length() > 0 && !file.toString().contains("/_");
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
