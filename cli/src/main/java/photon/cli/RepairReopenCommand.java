package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import photon.core.error.FailedException;
import photon.registry.admin.IncarnationsText;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.server.roles.RepairReport.Repair;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes write-offs back. */
@Command(
        name = "reopen",
        mixinStandardHelpOptions = true,
        description = {
            "Reopens a repaired incarnation, so that the verifier repairs it once more. Use it when events were written off and the logs that contain them are back, or when the incarnation was given up.",
            "The verifier looks again for the events that the incarnation's tokens still hold, under the same rules as the first time. It does not touch an event that was joined since. An event that is older than the retention does not come back.",
            "Until the incarnation is repaired, the registry keeps ids that it would otherwise drop."
        },
        exitCodeList = {
            "0:reopened, or already open; with --dry-run: shown",
            "1:the incarnation does not exist, was closed clean or is retired, or the registry does not answer",
            "2:wrong usage or configuration"
        },
        footer = "  photon repair reopen 3-17 --dry-run --config photon.yaml")
final class RepairReopenCommand implements Callable<Integer> {
    @CommandLine.Mixin private RepairCommand.Of of = new RepairCommand.Of();

    @Parameters(
            paramLabel = "INCARNATION",
            description =
                    "The incarnation as 'photon repair list' prints it, such as 3-17, or its slot's name and generation, such as east/joiner-0/17.")
    private String which = "";

    @Option(
            names = "--dry-run",
            description = "Print what the verifier would look for again, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        Repair repair = of.find(which);
        IncarnationInfo info = repair.info();
        if (info.state() == IncarnationState.CLEAN) {
            throw new FailedException(
                    "not reopened: %s was closed clean and had lost nothing"
                            .formatted(IncarnationsText.name(info)));
        }
        try {
            of.mustNotBeRetired(info, "not reopened");
        } catch (IOException e) {
            throw new FailedException("not reopened: " + e.getMessage());
        }
        if (info.state() == IncarnationState.REPAIRED && !dryRun) {
            IncarnationState stands =
                    of.ask(
                            connection ->
                                    connection
                                            .states()
                                            .reopen(
                                                    of.pipeline(),
                                                    info.incarnation(),
                                                    info.rows().timesReopened()));
            if (stands != IncarnationState.OPEN) {
                throw new FailedException(
                        "%s was reopened and repaired again in the meantime: see 'photon repair show %s'"
                                .formatted(IncarnationsText.name(info), info.incarnation()));
            }
        }
        of.print(() -> text(repair), () -> json(repair));
        return CommandLine.ExitCode.OK;
    }

    private String outcome(IncarnationInfo info) {
        return info.state() == IncarnationState.OPEN
                ? "is open already"
                : dryRun ? "would be reopened" : "is reopened";
    }

    private String text(Repair repair) {
        return String.format(
                Locale.ROOT,
                "%s (%s) %s: of %,d events that it had lost, %,d are written off and %s looked for again%n",
                IncarnationsText.name(repair.info()),
                repair.info().incarnation(),
                outcome(repair.info()),
                repair.lost().size(),
                repair.writtenOff(),
                dryRun ? "would be" : "are");
    }

    private String json(Repair repair) {
        return new ObjectMapper()
                        .createObjectNode()
                        .put("incarnation", repair.info().incarnation().toString())
                        .put("slot", repair.info().slotName())
                        .put("dryRun", dryRun)
                        .put("outcome", outcome(repair.info()))
                        .put("lost", repair.lost().size())
                        .put("writtenOff", repair.writtenOff())
                + "\n";
    }
}
