package photon.core.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import photon.core.config.PipelineConfig.Limits;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/**
 * Reads a configuration file. Reports every problem of the file at once; docs/configuration.md
 * describes each key.
 */
public final class ConfigLoader {
    static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final String RETENTION = "a duration such as 7d, or unlimited";
    private static final int COUNT_MAX = 10_000_000;

    private final Path baseDirectory;
    private final List<String> problems = new ArrayList<>();
    private final List<ConfigKey> keys = new ArrayList<>();

    private ConfigLoader(Path baseDirectory) {
        this.baseDirectory = baseDirectory;
    }

    /** What a file says, or what is wrong with it; and every key that was asked for on the way. */
    record Reading(List<String> problems, List<ConfigKey> keys) {}

    static Reading reading(JsonNode tree) {
        ConfigLoader loader = new ConfigLoader(Path.of("/"));
        Loaded unused = loader.read(tree);
        return new Reading(loader.problems, loader.keys);
    }

    /**
     * What one file holds.
     *
     * @param metricsListen where a daemon tells its metrics
     * @param hadoop how files that a URI names are reached
     * @param security how processes talk to each other
     */
    public record Loaded(
            PipelineConfig pipeline,
            Optional<DeploymentConfig> deployment,
            Optional<HostPort> metricsListen,
            HadoopConfig hadoop,
            SecurityConfig security) {
        /** Of every server of which it is known. */
        public Map<HostPort, String> datacenters() {
            return deployment.map(DeploymentConfig::datacentersByAddress).orElse(Map.of());
        }
    }

    /**
     * @throws ConfigException that names every problem
     */
    public static Loaded load(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "Expected a configuration file at " + file + ", but there is none");
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot read the configuration file " + file + ": " + e.getMessage());
        }
        return parse(text, file);
    }

    /**
     * Reads the text as if it were that file's, which need not exist.
     *
     * @throws ConfigException that names every problem
     */
    public static Loaded parse(String text, Path file) {
        JsonNode tree;
        try {
            tree = new ObjectMapper(new YAMLFactory()).readTree(text);
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    "%s is not YAML: %s (line %d, column %d)"
                            .formatted(
                                    file,
                                    e.getOriginalMessage().lines().findFirst().orElse(""),
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                                    e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
        }
        Path absolute = file.toAbsolutePath().normalize();
        ConfigLoader loader = new ConfigLoader(Objects.requireNonNull(absolute.getParent()));
        Loaded loaded = loader.read(tree);
        if (!loader.problems.isEmpty()) {
            throw new ConfigException(loader.problems.stream().map(p -> file + ": " + p).toList());
        }
        return loaded;
    }

    private Loaded read(JsonNode tree) {
        ConfigNode root = ConfigNode.root(tree, problems, keys::add);
        String pipeline = name(root, "pipeline", "a name of small letters, digits and '-'");
        List<String> datacenters = datacenters(root);
        SecurityConfig security =
                root.child("security")
                        .map(s -> SecurityReader.read(s, this::resolve))
                        .orElse(SecurityConfig.DEFAULT);
        PipelineConfig config =
                new PipelineConfig(
                        pipeline,
                        datacenters,
                        retention(root),
                        root.duration("stagger", Duration.ofSeconds(2)),
                        stream(root, "primary"),
                        stream(root, "foreign"),
                        AdapterReader.read(root, this::resolve, security),
                        limits(root),
                        repair(root),
                        OutputReader.read(root));
        refuseShortRetention(root, config);
        Optional<DeploymentConfig> deployment =
                root.child("deployment")
                        .map(d -> DeploymentReader.read(d, datacenters, this::resolve));
        deployment.ifPresent(d -> refuseLogsOfOneMachine(root, d, config));
        Optional<HostPort> metrics =
                root.child("metrics").map(m -> DeploymentReader.address(m, "listen"));
        HadoopConfig hadoop = root.child("hadoop").map(this::hadoop).orElse(HadoopConfig.NONE);
        root.refuseUnknownKeys();
        if (problems.isEmpty()) {
            SecurityReader.refusal(security, config, deployment).ifPresent(problems::add);
        }
        return new Loaded(config, deployment, metrics, hadoop, security);
    }

    private HadoopConfig hadoop(ConfigNode node) {
        Optional<HadoopConfig.Login> login =
                node.child("security")
                        .map(
                                security ->
                                        new HadoopConfig.Login(
                                                Objects.requireNonNullElse(
                                                        security.text(
                                                                "principal",
                                                                null,
                                                                "a principal, such as photon/host@REALM"),
                                                        ""),
                                                resolve(
                                                        DeploymentReader.localPath(
                                                                security,
                                                                "keytab",
                                                                null,
                                                                "the file with the principal's keys"))));
        return new HadoopConfig(node.otherTexts(), login);
    }

    private String name(ConfigNode node, String key, String expected) {
        String name = node.text(key, null, expected);
        if (name != null && !NAME.matcher(name).matches()) {
            node.problem(key, expected);
        }
        return name == null ? "" : name;
    }

    private List<String> datacenters(ConfigNode root) {
        String expected = "a list of names of small letters, digits and '-', such as [east, west]";
        List<String> names = root.texts("datacenters", expected);
        if (names.stream().anyMatch(n -> !NAME.matcher(n).matches())
                || new LinkedHashSet<>(names).size() != names.size()) {
            root.problem("datacenters", expected + ", each once");
        }
        return names;
    }

    private Optional<Duration> retention(ConfigNode root) {
        if ("unlimited".equals(root.text("retention", "unlimited", RETENTION))) {
            return Optional.empty();
        }
        return Optional.of(root.duration("retention", Duration.ofDays(3)));
    }

    private static void refuseShortRetention(ConfigNode root, PipelineConfig config) {
        PipelineConfig.Limits limits = config.limits();
        if (config.retention().filter(kept -> !limits.leavesFirstTries(kept)).isPresent()) {
            root.problem(
                    "retention",
                    "more than limits.expiryMargin, "
                            + DurationText.of(limits.expiryMargin())
                            + ", or every event is too old at once");
        }
    }

    /** A log that only one machine sees may be in no part that this machine works on. */
    private static void refuseLogsOfOneMachine(
            ConfigNode root, DeploymentConfig deployment, PipelineConfig config) {
        boolean divided = deployment.partitions() > 1 && LocalPath.isUri(deployment.shared());
        if (divided && config.foreign().paths().stream().anyMatch(path -> !LocalPath.isUri(path))) {
            String expected =
                    "what all machines read, such as hdfs://namenode/logs/*.log, since dispatchers share the work by %s; or partitions: 1 in deployment"
                            .formatted(deployment.shared());
            root.child("foreign").ifPresent(foreign -> foreign.problem("paths", expected));
        }
    }

    private StreamConfig stream(ConfigNode root, String name) {
        Optional<ConfigNode> found = root.child(name);
        if (found.isEmpty()) {
            if (!root.has(name)) {
                root.problem(name, "a stream: its paths, format, id and timestamp");
            }
            return new StreamConfig(
                    List.of(),
                    new FormatConfig.JsonLines(),
                    Map.of(),
                    Map.of(),
                    new IdConfig.User(List.of()),
                    Optional.empty(),
                    Optional.empty());
        }
        ConfigNode node = found.get();
        List<String> paths =
                node.texts("paths", "one or more globs, such as [\"data/*.csv.gz\"]").stream()
                        .map(this::resolve)
                        .toList();
        FormatConfig format = format(node);
        Optional<IdConfig> id = id(node, "id", format);
        if (id.isEmpty() && !node.has("id")) {
            node.problem("id", "where the id stands, such as {from: [field]}");
        }
        Optional<IdConfig> primaryId = Optional.empty();
        if (name.equals("foreign")) {
            primaryId = id(node, "primaryId", format);
            if (primaryId.isEmpty() && !node.has("primaryId")) {
                node.problem(
                        "primaryId",
                        "where the primary event's id stands, such as {from: [field]}");
            }
        }
        boolean ownTime = id.isPresent() && !(id.get() instanceof IdConfig.User);
        Optional<TimestampConfig> timestamp = TimestampReader.read(node);
        if (ownTime && timestamp.isPresent()) {
            node.problem("timestamp", "nothing: a native id has its own timestamp");
        }
        if (!ownTime && timestamp.isEmpty() && !node.has("timestamp")) {
            node.problem("timestamp", "where the time stands, such as {field: time, unit: millis}");
        }
        return new StreamConfig(
                paths,
                format,
                node.valuesByField("where"),
                node.valuesByField("whereNot"),
                id.orElse(new IdConfig.User(List.of())),
                timestamp,
                primaryId,
                node.child("input").map(ConfigLoader::input).orElse(InputConfig.DEFAULTS));
    }

    private static InputConfig input(ConfigNode node) {
        String members = node.text("openMembers", "verify", "verify or trust");
        if (members != null && !members.equals("verify") && !members.equals("trust")) {
            node.problem("openMembers", "verify or trust");
        }
        Duration finishedAfter =
                node.duration(
                        "finishedAfter",
                        InputConfig.DEFAULTS.finishedAfter(),
                        InputConfig.FINISHED_AFTER_MIN,
                        InputConfig.FINISHED_AFTER_MAX);
        Duration listEvery =
                node.duration(
                        "listEvery",
                        InputConfig.DEFAULTS.listEvery(),
                        InputConfig.LIST_EVERY_MIN,
                        InputConfig.LIST_EVERY_MAX);
        return new InputConfig(
                "trust".equals(members)
                        ? InputConfig.OpenMembers.TRUST
                        : InputConfig.OpenMembers.VERIFY,
                finishedAfter,
                listEvery,
                exclude(node));
    }

    private static List<String> exclude(ConfigNode node) {
        String expected = "patterns of names, without a slash, such as [\"*.tmp\"]";
        if (!node.has("exclude")) {
            return List.of();
        }
        List<String> patterns = node.texts("exclude", expected);
        if (patterns.stream().anyMatch(pattern -> pattern.isEmpty() || pattern.contains("/"))) {
            node.problem("exclude", expected);
        }
        return patterns;
    }

    /** Relative paths are relative to the file. A URI is left as it is. */
    private String resolve(String path) {
        return LocalPath.isUri(path) || path.startsWith("/") ? path : baseDirectory + "/" + path;
    }

    private static FormatConfig format(ConfigNode stream) {
        String types = "{type: csv}, {type: json-lines}, {type: avro} or {type: framed}";
        Optional<ConfigNode> found = stream.child("format");
        if (found.isEmpty()) {
            if (!stream.has("format")) {
                stream.problem("format", types);
            }
            return new FormatConfig.JsonLines();
        }
        ConfigNode node = found.get();
        String type = node.text("type", null, "csv, json-lines, avro or framed");
        if ("csv".equals(type)) {
            boolean header = node.flag("header", !node.has("columns"));
            String separator = node.text("separator", ",", "one character");
            if (separator != null && (separator.length() != 1 || "\"\r\n".contains(separator))) {
                node.problem("separator", "one character, such as \",\" or \"\\t\", but no quote");
                separator = ",";
            }
            List<String> columns = List.of();
            if (node.has("columns")) {
                columns = node.texts("columns", "the names of the columns, in order");
                if (header) {
                    node.problem("columns", "no columns beside header: true, which names them");
                }
                if (new LinkedHashSet<>(columns).size() != columns.size()) {
                    node.problem("columns", "each name once");
                }
            } else if (!header) {
                node.problem("columns", "the names of the columns, as there is no header");
            }
            String comment =
                    node.has("comment") ? node.text("comment", "", "a prefix, such as \"#\"") : "";
            return new FormatConfig.Csv(
                    header,
                    separator == null ? ',' : separator.charAt(0),
                    columns,
                    comment == null ? "" : comment);
        }
        if ("framed".equals(type)) {
            return new FormatConfig.Framed();
        }
        if ("avro".equals(type)) {
            return new FormatConfig.Avro();
        }
        if (type != null && !"json-lines".equals(type)) {
            node.problem("type", "csv, json-lines, avro or framed");
        }
        return new FormatConfig.JsonLines();
    }

    private static Optional<IdConfig> id(ConfigNode stream, String key, FormatConfig format) {
        String expected =
                "{from: [field, ...]}, {server: field, process: field, timestamp: field}, or native (framed only)";
        if (stream.has(key) && "native".equals(nativeText(stream, key))) {
            if (!(format instanceof FormatConfig.Framed)) {
                stream.problem(
                        key, "a native id only with format {type: framed}; else " + expected);
            }
            return Optional.of(new IdConfig.Native());
        }
        Optional<ConfigNode> found = stream.child(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ConfigNode node = found.get();
        if (node.has("server") || node.has("process")) {
            return Optional.of(
                    new IdConfig.NativeFields(
                            Objects.requireNonNullElse(
                                    node.text("server", null, "the address's field"), ""),
                            Objects.requireNonNullElse(
                                    node.text("process", null, "the process id's field"), ""),
                            Objects.requireNonNullElse(
                                    node.text(
                                            "timestamp",
                                            null,
                                            "the timestamp's field, microseconds"),
                                    "")));
        }
        List<String> from = node.texts("from", "one or more fields");
        if (new LinkedHashSet<>(from).size() != from.size()) {
            node.problem("from", "each field once");
        }
        return Optional.of(new IdConfig.User(from));
    }

    private static String nativeText(ConfigNode stream, String key) {
        return stream.isText(key) ? Objects.requireNonNullElse(stream.text(key, "", ""), "") : "";
    }

    private static PipelineConfig.Repair repair(ConfigNode root) {
        PipelineConfig.Repair d = PipelineConfig.Repair.DEFAULTS;
        return root.child("repair")
                .map(
                        n ->
                                new PipelineConfig.Repair(
                                        n.duration("giveUpAfter", d.giveUpAfter()), fenceAfter(n)))
                .orElse(d);
    }

    private static Optional<Duration> fenceAfter(ConfigNode repair) {
        Optional<Duration> otherwise = PipelineConfig.Repair.DEFAULTS.fenceAfter();
        String expected = "a duration from 5s to 1d, or off";
        // YAML reads a bare off as a truth value.
        String text =
                repair.text("fenceAfter", otherwise.map(DurationText::of).orElse("off"), expected);
        if (text == null) {
            return otherwise;
        }
        if (text.equals("off") || text.equals("false")) {
            return Optional.empty();
        }
        Optional<Duration> after =
                DurationText.parse(text).filter(PipelineConfig.Repair::isInRange);
        if (after.isEmpty()) {
            repair.problem("fenceAfter", expected);
            return otherwise;
        }
        return after;
    }

    /** Each costs a registration, which all clients of the registry share. */
    private static Duration rollEvery(ConfigNode limits, Limits defaults) {
        return limits.duration(
                "rollEvery", defaults.rollEvery(), Limits.ROLL_EVERY_MIN, DurationText.MAX);
    }

    private static Duration keepLedgers(ConfigNode limits, Limits defaults) {
        return limits.duration(
                "keepLedgers", defaults.keepLedgers(), Limits.KEEP_LEDGERS_MIN, DurationText.MAX);
    }

    private static OptionalInt shards(ConfigNode limits) {
        int told = limits.number("registryShards", 0, 1, 1_000);
        return told == 0 ? OptionalInt.empty() : OptionalInt.of(told);
    }

    private static Limits limits(ConfigNode root) {
        Limits d = Limits.DEFAULTS;
        return root.child("limits")
                .map(
                        n ->
                                new Limits(
                                        shards(n),
                                        n.number("heldEventsMax", d.heldEventsMax(), 1, COUNT_MAX),
                                        n.number(
                                                "eventsInFlightMax",
                                                d.eventsInFlightMax(),
                                                1,
                                                COUNT_MAX),
                                        n.duration("retryBackoffMin", d.retryBackoffMin()),
                                        n.duration("retryBackoffMax", d.retryBackoffMax()),
                                        n.number("retriesMax", d.retriesMax(), 1, COUNT_MAX),
                                        n.number(
                                                "joinerEventsMax",
                                                d.joinerEventsMax(),
                                                1,
                                                COUNT_MAX),
                                        n.number(
                                                "commitsInFlightMax",
                                                d.commitsInFlightMax(),
                                                1,
                                                COUNT_MAX),
                                        n.bytes("cacheBytes", d.cacheBytes()),
                                        n.duration("publishEvery", d.publishEvery()),
                                        n.bytes("publishBytes", d.publishBytes()),
                                        n.duration("expiryMargin", d.expiryMargin()),
                                        rollEvery(n, d),
                                        n.number("rollFiles", d.rollFiles(), 1, COUNT_MAX),
                                        keepLedgers(n, d)))
                .orElse(d);
    }
}
