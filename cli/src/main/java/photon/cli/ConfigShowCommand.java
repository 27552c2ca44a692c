package photon.cli;

import java.util.concurrent.Callable;
import photon.core.config.EffectiveConfig;
import photon.core.config.EffectiveJson;
import photon.core.config.EffectiveYaml;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the configuration that all verbs work with. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the configuration that Photon works with: the keys of the file, the environment variables that override them, and the defaults. It reads no log and starts nothing.",
            "The variable PHOTON_CONFIG_limits_publishEvery sets limits.publishEvery, and so for each key: '_' replaces each '.', and upper and lower case are kept. Its value is YAML, as behind the key's colon in the file. The result is a configuration file that means the same; relative paths in it stay relative to the directory of FILE. A key whose default depends on other keys is left out."
        },
        exitCodeList = {
            "0:the configuration is on stdout",
            "1:it could not be printed",
            "2:wrong usage, configuration or environment variable"
        },
        footer = {
            "  photon config show --origin",
            "  PHOTON_CONFIG_limits_publishEvery=10s photon config show --config photon.yaml"
        })
final class ConfigShowCommand implements Callable<Integer> {
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--origin",
            description =
                    "Adds a comment to each key that says where its value comes from: FILE:LINE, the environment variable, or default.")
    private boolean origin;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        EffectiveConfig effective = EffectiveConfig.load(config.file());
        output.print(
                () -> EffectiveYaml.of(effective, origin),
                () -> EffectiveJson.of(effective, origin));
        return CommandLine.ExitCode.OK;
    }
}
