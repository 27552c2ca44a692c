package photon.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.time.SystemClock;
import photon.server.configinit.ConfigInit;
import photon.server.configinit.InitJson;
import photon.server.configinit.InitRequest;
import photon.server.configinit.InitText;
import photon.server.configinit.rules.Stated;
import photon.server.configtest.rules.Finding;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a first configuration from samples of two logs. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Creates a first configuration from a sample of each log: it reads the beginning of the logs, guesses formats, ids, the join key and timestamps with their units, tests the result as photon config test does, and writes it with a comment on each setting.",
            "It prints each guess, how certain it is, and why. If it cannot determine a setting, it names the options that state it, and writes nothing. You cannot change ids and timestamps after the first run, so check them before it."
        },
        exitCodeList = {
            "0:Photon wrote the configuration, and with it sampled foreign events match primary events",
            "1:a setting is not known, and stderr names the options that state it; or Photon wrote the configuration, and photon config test finds an error in it",
            "2:wrong usage: a file or a field does not exist, or the configuration exists and --force is missing"
        },
        footer = "  photon init --foreign clicks.jsonl --primary impressions.csv")
final class InitCommand implements Callable<Integer> {
    /** How far this machine's clock may be from true time. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(250);

    @Option(
            names = "--foreign",
            required = true,
            paramLabel = "FILE",
            description =
                    "A log of the events to join, such as clicks: a file, or a glob in quotes.")
    private String foreign = "";

    @Option(
            names = "--primary",
            required = true,
            paramLabel = "FILE",
            description =
                    "A log of the events that foreign events name, such as impressions. It may be the same file, with --foreign-where and --primary-where.")
    private String primary = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Where to write the configuration; default ${DEFAULT-VALUE}.")
    private Path output = Path.of("photon.yaml");

    @Option(names = "--force", description = "Replace the configuration if it exists.")
    private boolean force;

    @Option(
            names = "--pipeline",
            paramLabel = "NAME",
            description =
                    "The pipeline's name: lowercase letters, digits and '-'. Default: derived from the name of the foreign file.")
    private @Nullable String pipeline;

    @Option(
            names = "--foreign-id",
            split = ",",
            paramLabel = "FIELD",
            description = "The fields that make up a foreign event's own id.")
    private List<String> foreignId = List.of();

    @Option(
            names = "--primary-id",
            split = ",",
            paramLabel = "FIELD",
            description = "The fields that make up a primary event's id.")
    private List<String> primaryId = List.of();

    @Option(
            names = "--foreign-key",
            split = ",",
            paramLabel = "FIELD",
            description =
                    "The fields of a foreign event that name its primary event, in the order of --primary-id.")
    private List<String> foreignKey = List.of();

    @Option(
            names = "--foreign-timestamp",
            paramLabel = "FIELD[:UNIT]",
            description =
                    "The field that holds the time of a foreign event. UNIT: seconds, millis, micros, or a pattern such as yyyy-MM-dd HH:mm:ss.")
    private @Nullable String foreignTimestamp;

    @Option(
            names = "--primary-timestamp",
            paramLabel = "FIELD[:UNIT]",
            description =
                    "The field that holds the time of a primary event. UNIT: as for --foreign-timestamp.")
    private @Nullable String primaryTimestamp;

    @Option(
            names = "--foreign-where",
            paramLabel = "FIELD=VALUE,...",
            description =
                    "Only records whose field has one of these values are foreign events. You may repeat the option: a record must match all of them.")
    private List<String> foreignWhere = List.of();

    @Option(
            names = "--primary-where",
            paramLabel = "FIELD=VALUE,...",
            description = "The same for primary events.")
    private List<String> primaryWhere = List.of();

    @Option(
            names = "--foreign-columns",
            split = ",",
            paramLabel = "NAME",
            description = "The columns of the foreign log, which is CSV without a header.")
    private List<String> foreignColumns = List.of();

    @Option(
            names = "--primary-columns",
            split = ",",
            paramLabel = "NAME",
            description = "The same for the primary log.")
    private List<String> primaryColumns = List.of();

    @Option(
            names = "--foreign-separator",
            paramLabel = "CHARACTER",
            description = "The separator of the foreign log, which is CSV.")
    private @Nullable Character foreignSeparator;

    @Option(
            names = "--primary-separator",
            paramLabel = "CHARACTER",
            description = "The same for the primary log.")
    private @Nullable Character primarySeparator;

    @CommandLine.Mixin private OutputOption format = new OutputOption();

    @Override
    public Integer call() {
        refuseOutput();
        ConfigInit.Result result =
                new ConfigInit(new HadoopFileStore(), new SystemClock(CLOCK_BOUND)).run(request());
        result.yaml().ifPresent(this::write);
        Optional<String> written = result.yaml().map(yaml -> output.toString());
        format.print(() -> InitText.of(result, written), () -> InitJson.of(result, written));
        result.troubles().forEach(trouble -> System.err.println("photon: " + trouble));
        result.needs().forEach(need -> System.err.println("photon: " + need.text()));
        result.test()
                .ifPresent(
                        test ->
                                test.findings().stream()
                                        .filter(Finding::isError)
                                        .forEach(
                                                finding ->
                                                        System.err.println(
                                                                "photon: " + finding.text())));
        return result.good() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private InitRequest request() {
        return new InitRequest(
                primary,
                new Stated(
                        Optional.ofNullable(primarySeparator),
                        primaryColumns,
                        where("--primary-where", primaryWhere),
                        primaryId,
                        List.of(),
                        Optional.ofNullable(primaryTimestamp)),
                foreign,
                new Stated(
                        Optional.ofNullable(foreignSeparator),
                        foreignColumns,
                        where("--foreign-where", foreignWhere),
                        foreignId,
                        foreignKey,
                        Optional.ofNullable(foreignTimestamp)),
                Optional.ofNullable(pipeline),
                output);
    }

    private static Map<String, List<String>> where(String option, List<String> filters) {
        Map<String, List<String>> where = new LinkedHashMap<>();
        for (String filter : filters) {
            int equals = filter.indexOf('=');
            if (equals < 1) {
                throw new ConfigException(
                        "%s is '%s': expected FIELD=VALUE,... such as type=click"
                                .formatted(option, filter));
            }
            where.put(
                    filter.substring(0, equals),
                    List.of(filter.substring(equals + 1).split(",", -1)));
        }
        return where;
    }

    /** Before anything is read. */
    private void refuseOutput() {
        Path parent = output.toAbsolutePath().normalize().getParent();
        if (Files.isDirectory(output)) {
            throw new ConfigException(
                    "--config is %s, which is a directory: name a file in it, such as %s"
                            .formatted(output, output.resolve("photon.yaml")));
        }
        if (!force && Files.exists(output, LinkOption.NOFOLLOW_LINKS)) {
            throw isThere();
        }
        if (parent == null || !Files.isDirectory(parent)) {
            throw new ConfigException(
                    "--config is %s: the directory %s does not exist. Create it first"
                            .formatted(output, parent));
        }
    }

    private ConfigException isThere() {
        return new ConfigException(
                "%s already exists: name another file with --config, or replace it with --force"
                        .formatted(output));
    }

    private void write(String yaml) {
        try {
            if (force && Files.exists(output)) {
                replace(output.toRealPath(), yaml);
            } else {
                writeNew(output, yaml);
            }
        } catch (FileAlreadyExistsException e) {
            throw isThere();
        } catch (IOException e) {
            throw new FailedException("cannot write %s: %s".formatted(output, e));
        }
    }

    /** What is there goes only when all of the new one is. */
    private static void replace(Path file, String yaml) throws IOException {
        Path aside =
                Files.createTempFile(requireNonNull(file.getParent()), "photon-init-", ".yaml");
        try {
            Files.writeString(aside, yaml);
            Files.setPosixFilePermissions(aside, Files.getPosixFilePermissions(file));
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void writeNew(Path file, String yaml) throws IOException {
        try {
            Files.writeString(file, yaml, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            Files.deleteIfExists(file); // the next try would find it there already
            throw e;
        }
    }
}
