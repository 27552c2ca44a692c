package photon.joiner.adapters.load;

import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.AdapterClasses;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.MergeAdapter;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.remote.RemoteAdapter;

/** Finds the adapter that the configuration names. */
public final class Adapters {
    private Adapters() {}

    /**
     * Loads and starts it.
     *
     * @param unmatched it must take events without a primary event, too
     * @throws ConfigException as the other, and if it joins pairs only
     */
    public static PairAdapter load(
            PipelineConfig.Adapter config, boolean unmatched, AdapterHost host) {
        PairAdapter adapter = start(config, unmatched, host);
        if (unmatched && !adapter.takesUnmatched()) {
            adapter.close();
            throw new ConfigException(
                    "unmatched: the adapter "
                            + config.type()
                            + " joins pairs only. Override Adapter.unmatched, which decides what"
                            + " becomes of an event whose primary event does not come, or take"
                            + " unmatched out of the configuration");
        }
        return adapter;
    }

    /**
     * Loads and starts it.
     *
     * @throws ConfigException if there is no such adapter, it does not start with these options, or
     *     it must not be called more than once
     */
    public static PairAdapter load(PipelineConfig.Adapter config, AdapterHost host) {
        return start(config, false, host);
    }

    private static PairAdapter start(
            PipelineConfig.Adapter config, boolean unmatched, AdapterHost host) {
        if (config.isMerge()) {
            if (!config.options().isEmpty()) {
                throw new ConfigException(
                        "adapter.options: expected none for merge, but got "
                                + config.options().keySet());
            }
            return new MergeAdapter();
        }
        if (config.remote().isPresent()) {
            return RemoteAdapter.connect(config, config.remote().get(), unmatched, host);
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
