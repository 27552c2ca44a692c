package photon.server.adaptertest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import photon.adapter.Adapter;
import photon.adapter.AdapterApi;
import photon.core.config.PipelineConfig;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.rpc.HostPort;
import photon.joiner.adapters.AdapterClasses;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.remote.RemoteAdapter;

/**
 * What an adapter is, without starting it; one in a process of its own is greeted.
 *
 * @param effect as it declares
 * @param takesUnmatched whether it decides about foreign events without a primary event
 * @param processes addresses or the command of one in a process of its own; otherwise empty
 */
public record AdapterDescription(
        AdapterFingerprint fingerprint,
        Adapter.Effect effect,
        boolean takesUnmatched,
        List<String> processes) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @throws photon.core.error.ConfigException if it is the built-in one, cannot be loaded, or is
     *     away
     */
    public static AdapterDescription of(PipelineConfig.Adapter config) {
        if (config.remote().isPresent()) {
            return greeted(config, config.remote().get());
        }
        try (AdapterClasses classes = AdapterTest.open(config)) {
            Adapter adapter = classes.make();
            return new AdapterDescription(
                    classes.fingerprint(),
                    classes.within(adapter::effect),
                    AdapterApi.takesUnmatched(adapter),
                    List.of());
        } catch (IOException e) {
            throw new FailedException("The adapter's jars cannot be closed: " + IoText.of(e));
        }
    }

    private static AdapterDescription greeted(
            PipelineConfig.Adapter config, PipelineConfig.Remote remote) {
        List<String> processes =
                remote.command().isEmpty()
                        ? remote.addresses().stream().map(HostPort::toString).toList()
                        : List.of(String.join(" ", remote.command()));
        try (RemoteAdapter adapter = RemoteUnderTest.greeted(config)) {
            return new AdapterDescription(
                    adapter.fingerprint(),
                    RemoteUnderTest.effect(adapter),
                    adapter.takesUnmatched(),
                    processes);
        }
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        row(text, "class", fingerprint.adapterClass());
        row(text, "version", fingerprint.version().isEmpty() ? "-" : fingerprint.version());
        row(text, "effect", effectName());
        row(text, "left join", takesUnmatched ? "yes" : "no");
        row(text, "fingerprint", fingerprint.digest());
        for (AdapterFingerprint.Jar jar : fingerprint.jars()) {
            row(text, "jar", jar.path() + " sha256 " + jar.sha256());
        }
        processes.forEach(process -> row(text, "process", process));
        if (processes.isEmpty()) {
            row(text, "Photon's API", AdapterApi.VERSION);
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "%-13s %s%n", name, value));
    }

    private String effectName() {
        return effect.name().toLowerCase(Locale.ROOT);
    }

    public String json() {
        ObjectNode root = JSON.createObjectNode();
        describe(root, fingerprint);
        root.put("effect", effectName());
        root.put("takesUnmatched", takesUnmatched);
        if (processes.isEmpty()) {
            root.put("apiVersion", AdapterApi.VERSION);
        } else {
            processes.forEach(root.putArray("processes")::add);
        }
        return root.toPrettyString() + "\n";
    }

    static void describe(ObjectNode root, AdapterFingerprint fingerprint) {
        root.put("class", fingerprint.adapterClass());
        root.put("version", fingerprint.version());
        root.put("fingerprint", fingerprint.digest());
        ArrayNode jars = root.putArray("jars");
        fingerprint
                .jars()
                .forEach(
                        jar ->
                                jars.addObject()
                                        .put("path", jar.path())
                                        .put("sha256", jar.sha256()));
    }
}
