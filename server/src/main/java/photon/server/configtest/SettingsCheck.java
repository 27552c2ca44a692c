package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.load.Adapters;
import photon.storage.format.EventParser;

/** Whether the settings of a file fit each other; looks at no log. */
public final class SettingsCheck {
    private SettingsCheck() {}

    /**
     * To be called before anything is made or waited for.
     *
     * @param joins whether the process joins events: no other needs the adapter, whose jars,
     *     program or host may be out of its reach
     * @throws ConfigException if settings do not fit each other, or name an adapter that is not
     *     there: names every problem
     */
    public static void check(PipelineConfig config, boolean joins) {
        List<String> problems = new ArrayList<>();
        collect(problems, "primary: ", () -> EventParser.of(config.primary()));
        collect(problems, "foreign: ", () -> EventParser.of(config.foreign()));
        if (joins) {
            collect(problems, "", () -> loadAdapter(config));
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** Its constructor, or its process, may take as long as it likes. */
    @SuppressWarnings("try") // The notice is held, not used.
    private static void loadAdapter(PipelineConfig config) {
        try (WaitingNotice notice =
                WaitingNotice.of(
                        "waiting for the adapter %s to start".formatted(name(config.adapter())))) {
            Adapters.load(
                            config.adapter(),
                            config.unmatched().isPresent(),
                            AdapterHost.trial(config.pipeline()))
                    .close();
        }
    }

    private static String name(PipelineConfig.Adapter adapter) {
        return adapter.remote()
                .map(
                        remote ->
                                remote.command().isEmpty()
                                        ? remote.addresses().toString()
                                        : String.join(" ", remote.command()))
                .orElse(adapter.type());
    }

    private static void collect(List<String> problems, String where, Runnable check) {
        try {
            check.run();
        } catch (ConfigException e) {
            e.problems().forEach(problem -> problems.add(where + problem));
        }
    }
}
