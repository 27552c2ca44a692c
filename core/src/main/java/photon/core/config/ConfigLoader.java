package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
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
    private final ConfigProblems problems = new ConfigProblems();
    private final List<ConfigKey> keys = new ArrayList<>();

    private ConfigLoader(Path baseDirectory) {
        this.baseDirectory = baseDirectory;
    }

    /** What a tree says, or what is wrong with it; and every key that was asked for on the way. */
    record Reading(Loaded loaded, ConfigProblems found, List<ConfigKey> keys) {
        List<String> problems() {
            return found.texts();
        }
    }

    static Reading reading(JsonNode tree) {
        return reading(tree, Path.of("/"));
    }

    /**
     * @param baseDirectory where relative paths begin
     */
    static Reading reading(JsonNode tree, Path baseDirectory) {
        ConfigLoader loader = new ConfigLoader(baseDirectory);
        Loaded loaded = loader.read(tree);
        return new Reading(loaded, loader.problems, loader.keys);
    }

    /**
     * What one file holds.
     *
     * @param metricsListen where a daemon tells its metrics
     * @param hadoop how files that a URI names are reached
     * @param security how processes talk to each other
     * @param tracing which events are traced; empty: none
     */
    public record Loaded(
            PipelineConfig pipeline,
            Optional<DeploymentConfig> deployment,
            Optional<HostPort> metricsListen,
            HadoopConfig hadoop,
            SecurityConfig security,
            Optional<TracingConfig> tracing) {
        /** Of every server of which it is known. */
        public Map<HostPort, String> datacenters() {
            return deployment.map(DeploymentConfig::datacentersByAddress).orElse(Map.of());
        }
    }

    /**
     * Reads the file, and the variables of this process's environment that override its keys.
     *
     * @throws ConfigException that names every problem
     */
    public static Loaded load(Path file) {
        return load(file, System.getenv());
    }

    /**
     * Reads the file, and the variables that override its keys.
     *
     * @param environment such as {@code PHOTON_CONFIG_limits_publishEvery} to {@code 10s}
     * @throws ConfigException that names every problem
     */
    public static Loaded load(Path file, Map<String, String> environment) {
        return ConfigSource.load(file, environment).read().loaded();
    }

    /**
     * Reads the text as if it were that file's, which need not exist. No variable overrides it.
     *
     * @throws ConfigException that names every problem
     */
    public static Loaded parse(String text, Path file) {
        return ConfigSource.parse(text, file, Map.of()).read().loaded();
    }

    private Loaded read(JsonNode tree) {
        ConfigNode root = ConfigNode.root(tree, problems, keys::add);
        String pipeline = name(root, "pipeline", "a name of small letters, digits and '-'");
        List<String> datacenters = datacenters(root);
        SecurityConfig security =
                root.child("security")
                        .map(s -> SecurityReader.read(s, this::resolve))
                        .orElse(SecurityConfig.DEFAULT);
        Optional<ConfigNode> unmatched = root.child("unmatched");
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
                        OutputReader.read(root),
                        unmatched.map(UnmatchedReader::read));
        refuseShortRetention(root, config);
        unmatched.ifPresent(node -> UnmatchedReader.refuse(node, config));
        Optional<DeploymentConfig> deployment =
                root.child("deployment")
                        .map(d -> DeploymentReader.read(d, datacenters, this::resolve));
        deployment.ifPresent(d -> refuseLogsOfOneMachine(root, d, config));
        Optional<HostPort> metrics =
                root.child("metrics").map(m -> DeploymentReader.address(m, "listen"));
        HadoopConfig hadoop = root.child("hadoop").map(this::hadoop).orElse(HadoopConfig.NONE);
        Optional<TracingConfig> tracing =
                root.child("tracing").map(t -> TracingReader.read(t, security, this::resolve));
        root.refuseUnknownKeys();
        if (problems.isEmpty()) {
            SecurityReader.refusal(security, config, deployment)
                    .ifPresent(text -> problems.add("security", text));
        }
        return new Loaded(config, deployment, metrics, hadoop, security, tracing);
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
        List<String> globs = node.texts("paths", "one or more globs, such as [\"data/*.csv.gz\"]");
        if (globs.stream().anyMatch(glob -> List.of(glob.split("/", -1)).contains("**"))) {
            // As a name it would match each directory of one level, and no other.
            node.problem(
                    "paths",
                    "a * for each level of directories, such as \"data/*/*.csv\": ** is not known");
        }
        List<String> paths = globs.stream().map(this::resolve).toList();
        FormatConfig format = FormatReader.read(node);
        Optional<IdConfig> id = IdReader.read(node, "id", format);
        if (id.isEmpty() && !node.has("id")) {
            node.problem("id", "where the id stands, such as {from: [field]}");
        }
        Optional<IdConfig> primaryId = Optional.empty();
        if (name.equals("foreign")) {
            primaryId = IdReader.read(node, "primaryId", format);
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
                exclude(node),
                node.number(
                        "backlogPercent",
                        InputConfig.DEFAULTS.backlogPercent(),
                        InputConfig.BACKLOG_PERCENT_MIN,
                        InputConfig.BACKLOG_PERCENT_MAX));
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
