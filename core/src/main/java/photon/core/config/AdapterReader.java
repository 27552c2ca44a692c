package photon.core.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import photon.core.config.PipelineConfig.Adapter;
import photon.core.config.PipelineConfig.Remote;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/**
 * Reads {@code adapter}: the built-in one by {@code type}, a user's own by {@code jar} and {@code
 * class}, or by {@code address} or {@code command} if it is a process of its own.
 */
final class AdapterReader {
    private static final String OWN = "your own class is named by adapter.class, with adapter.jar";

    private AdapterReader() {}

    /**
     * @param resolve makes a path of the file absolute
     * @param security how an address is reached
     */
    static Adapter read(ConfigNode root, UnaryOperator<String> resolve, SecurityConfig security) {
        return root.child("adapter")
                .map(node -> of(node, resolve, security))
                .orElseGet(() -> new Adapter(Adapter.MERGE, Map.of()));
    }

    private static Adapter of(
            ConfigNode node, UnaryOperator<String> resolve, SecurityConfig security) {
        boolean own = node.has("jar") || node.has("class");
        boolean command = node.has("command");
        boolean remote = node.has("address") || command;
        if (remote && (own || node.has("type"))) {
            String key = command ? "command" : "address";
            node.problem(
                    key, "no %s beside adapter.jar, adapter.class and adapter.type".formatted(key));
        }
        return new Adapter(
                own ? ownClass(node) : remote ? Adapter.REMOTE : builtIn(node),
                own ? jars(node, resolve) : List.of(),
                remote ? Optional.of(remote(node, resolve, security)) : Optional.empty(),
                node.textByKey("options"),
                node.duration("timeout", Adapter.DEFAULT_TIMEOUT),
                node.number("failuresMaxPercent", Adapter.DEFAULT_FAILURES_MAX_PERCENT, 1, 100),
                node.number("failuresWindow", Adapter.DEFAULT_FAILURES_WINDOW, 1, 1_000_000));
    }

    private static Remote remote(
            ConfigNode node, UnaryOperator<String> resolve, SecurityConfig security) {
        if (!node.has("command")) {
            return Remote.at(addresses(node), security);
        }
        if (node.has("address")) {
            node.problem("command", "no command beside adapter.address");
            return Remote.at(addresses(node), security);
        }
        String expected = "a program and its arguments as a list, such as [python3, adapter.py]";
        List<String> command = node.texts("command", expected);
        if (!command.isEmpty()
                && (command.get(0).isBlank()
                        || (command.size() == 1 && command.get(0).contains(" ")))) {
            node.problem("command", expected);
        }
        return Remote.of(command, resolve.apply("."));
    }

    private static List<HostPort> addresses(ConfigNode node) {
        String expected = "host:port, such as 127.0.0.1:7410, or a list of them";
        List<HostPort> addresses = new ArrayList<>();
        for (String text : node.texts("address", expected)) {
            try {
                addresses.add(HostPort.parse(text));
            } catch (ConfigException e) {
                node.problem("address", expected);
                return List.of();
            }
        }
        if (new LinkedHashSet<>(addresses).size() != addresses.size()) {
            node.problem("address", "each address once");
        }
        return addresses;
    }

    private static String builtIn(ConfigNode node) {
        String type = node.text("type", Adapter.MERGE, Adapter.MERGE);
        if (type != null && !type.equals(Adapter.MERGE)) {
            node.problem("type", "merge; " + OWN);
        }
        return Adapter.MERGE;
    }

    private static String ownClass(ConfigNode node) {
        if (node.has("type")) {
            node.problem("type", "nothing beside adapter.jar and adapter.class");
        }
        return Objects.requireNonNullElse(
                node.text(
                        "class",
                        null,
                        "the full name of the adapter's class, such as com.example.MyAdapter"),
                "");
    }

    private static List<String> jars(ConfigNode node, UnaryOperator<String> resolve) {
        List<String> jars =
                node.texts(
                        "jar",
                        "the path of the adapter's jar, or a list: its own jar first, then its libraries");
        if (new LinkedHashSet<>(jars).size() != jars.size()) {
            node.problem("jar", "each jar once");
        }
        if (jars.stream().anyMatch(jar -> jar.isBlank() || jar.contains("://"))) {
            node.problem("jar", "paths of local files");
        }
        return jars.stream().map(resolve).toList();
    }
}
