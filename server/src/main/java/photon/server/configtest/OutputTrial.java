package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.OutputConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.Finding;
import photon.storage.output.format.OutputFormats;

/** Looks whether the output's columns take what the adapter gives. */
final class OutputTrial {
    private OutputTrial() {}

    static List<Finding> of(OutputConfig config, Optional<AdapterDecision> first) {
        if (!(first.orElse(null) instanceof AdapterDecision.Emit emit)) {
            return List.of();
        }
        OutputFormats formats = OutputFormats.of(config);
        List<Finding> findings = new ArrayList<>();
        emit.events()
                .forEach(
                        event ->
                                Optional.ofNullable(formats.refusal(event.output(), event.bytes()))
                                        .ifPresent(
                                                why ->
                                                        findings.add(
                                                                refused(
                                                                        config,
                                                                        event.output(),
                                                                        why))));
        return findings;
    }

    private static Finding refused(OutputConfig config, String output, String why) {
        boolean own = config.named().containsKey(output);
        return new Finding(
                Finding.Severity.ERROR,
                (own ? "output.named[" + output + "]" : "output")
                        + (config.of(output).format().hasSchema() ? ".fields" : ".format"),
                "the output%s refuses the first joined pair: %s"
                        .formatted(output.isEmpty() ? "" : " " + output, why),
                "A run would dead-letter such events: change the column's type or where it is from");
    }
}
