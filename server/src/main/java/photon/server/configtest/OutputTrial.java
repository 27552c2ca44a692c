package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.OutputConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.Finding;
import photon.storage.output.format.OutputFormat;
import photon.storage.output.format.OutputFormats;

/** Looks whether the output's columns take what the adapter gives. */
final class OutputTrial {
    private OutputTrial() {}

    static List<Finding> of(OutputConfig config, Optional<AdapterDecision> first) {
        if (!(first.orElse(null) instanceof AdapterDecision.Emit emit)) {
            return List.of();
        }
        OutputFormat format = OutputFormats.of(config);
        List<Finding> findings = new ArrayList<>();
        emit.events()
                .forEach(
                        event ->
                                Optional.ofNullable(format.refusal(event.bytes()))
                                        .ifPresent(why -> findings.add(refused(config, why))));
        return findings;
    }

    private static Finding refused(OutputConfig config, String why) {
        return new Finding(
                Finding.Severity.ERROR,
                config.format().hasSchema() ? "output.fields" : "output.format",
                "the output refuses the first joined pair: " + why,
                "A run would dead-letter such events: change the column's type or where it is from");
    }
}
