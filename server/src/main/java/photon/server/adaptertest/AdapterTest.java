package photon.server.adaptertest;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import photon.adapter.testing.AdapterCases;
import photon.adapter.testing.AdapterCases.Pair;
import photon.adapter.testing.CaseReport;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.joiner.adapters.AdapterClasses;
import photon.joiner.adapters.AdapterFingerprint;

/** Runs the cases of the kit for authors with an adapter as a configuration names it. */
public final class AdapterTest {
    /** Of an adapter that may take as long as it likes. */
    private static final Duration TIMEOUT_MAX = Duration.ofMinutes(1);

    private AdapterTest() {}

    /**
     * What came of it.
     *
     * @param sample how many of the first pairs of the report are of the sample
     */
    public record Result(AdapterFingerprint adapter, CaseReport report, int sample) {}

    /**
     * @param sample pairs of the user's own; may be empty
     * @throws ConfigException if there is nothing to try, a jar or the class is of no use, or its
     *     process is away
     */
    public static Result run(PipelineConfig.Adapter config, List<Pair> sample) {
        if (config.remote().isPresent()) {
            return RemoteUnderTest.test(config, config.remote().get(), sample);
        }
        try (AdapterClasses classes = open(config)) {
            AdapterFingerprint adapter = classes.fingerprint();
            CaseReport report =
                    classes.within(
                            () ->
                                    new AdapterCases(classes::make, config.options())
                                            .timeout(
                                                    config.timeout().isZero()
                                                            ? TIMEOUT_MAX
                                                            : config.timeout())
                                            .sample(sample)
                                            .run());
            return new Result(adapter, report, sample.size());
        } catch (IOException e) {
            throw new FailedException("The adapter's jars cannot be closed: " + IoText.of(e));
        }
    }

    /**
     * @throws ConfigException if it is the built-in one, or cannot be loaded
     */
    static AdapterClasses open(PipelineConfig.Adapter config) {
        if (config.isMerge()) {
            throw new ConfigException(
                    "The adapter is merge, which is built in: expected one of your own, by adapter.jar and adapter.class, adapter.address or adapter.command of the configuration, or by --jar and --class, --address or --command");
        }
        return AdapterClasses.open(config);
    }
}
