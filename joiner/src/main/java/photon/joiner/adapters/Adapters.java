package photon.joiner.adapters;

import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.remote.RemoteAdapter;

/** Finds the adapter that the configuration names. */
public final class Adapters {
    private Adapters() {}

    /**
     * Loads and starts it.
     *
     * @throws ConfigException if there is no such adapter, it does not start with these options, or
     *     it must not be called more than once
     */
    public static PairAdapter load(PipelineConfig.Adapter config, AdapterHost host) {
        if (config.isMerge()) {
            if (!config.options().isEmpty()) {
                throw new ConfigException(
                        "adapter.options: expected none for merge, but got "
                                + config.options().keySet());
            }
            return new MergeAdapter();
        }
        if (config.remote().isPresent()) {
            return RemoteAdapter.connect(config, config.remote().get(), host);
        }
        AdapterClasses classes = AdapterClasses.open(config);
        try {
            return classes.start(host);
        } catch (RuntimeException | Error e) {
            classes.closeQuietly();
            throw e;
        }
    }
}
