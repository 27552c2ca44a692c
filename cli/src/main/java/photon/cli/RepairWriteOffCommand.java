package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import photon.core.error.FailedException;
import photon.registry.admin.ControlSession;
import photon.registry.admin.IncarnationsText;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.server.roles.RepairReport.Repair;
import photon.verifier.repair.WriteOffOrders;
import photon.verifier.repair.WriteOffOrders.Order;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives up what a repair does not find. */
@Command(
        name = "write-off",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the verifier give up the events that the repair of an incarnation looks for and does not find. Use it when the repair waits for a log that will never come back.",
            "The verifier looks once more, hands over what it finds, and writes off the rest, each event with this reason. Then the incarnation is repaired and no longer holds the boundary back.",
            "Running it again changes nothing. If the log is found after all, 'photon repair reopen' takes the write-off back."
        },
        exitCodeList = {
            "0:ordered, now or before; with --dry-run: shown",
            "1:the incarnation does not exist, its repair is not under way, the registry does not answer, or the order cannot be written",
            "2:wrong usage or configuration"
        },
        footer =
                "  photon repair write-off 3-17 --reason \"the disk of west is lost\" --config photon.yaml")
final class RepairWriteOffCommand implements Callable<Integer> {
    @CommandLine.Mixin private RepairCommand.Of of = new RepairCommand.Of();

    @Parameters(
            paramLabel = "INCARNATION",
            description =
                    "The incarnation as 'photon repair list' prints it, such as 3-17, or its slot's name and generation, such as east/joiner-0/17.")
    private String which = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description =
                    "The reason, which the ledger records with each event that is written off.")
    private String reason = "";

    @Option(
            names = "--dry-run",
            description = "Print what the repair looks for, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        RepairCommand.checkReason(reason);
        Repair repair = of.find(which);
        IncarnationInfo info = repair.info();
        if (info.state() != IncarnationState.OPEN || !info.fenced()) {
            throw new FailedException(
                    "nothing to write off: %s is %s, and only a repair that is under way looks for events"
                            .formatted(IncarnationsText.name(info), repair.state()));
        }
        boolean first = dryRun || order(info);
        of.print(() -> text(repair, first), () -> json(repair, first));
        return CommandLine.ExitCode.OK;
    }

    private boolean order(IncarnationInfo info) {
        try {
            return new WriteOffOrders(of.files(), of.paths().verifier())
                    .give(
                            info.incarnation(),
                            info.rows().timesReopened(),
                            new Order(reason, ControlSession.actor(), System.currentTimeMillis()));
        } catch (IOException e) {
            throw new FailedException(
                    "not ordered: cannot write the verifier's state in %s: %s"
                            .formatted(of.paths().verifier(), e));
        }
    }

    private static long lookedFor(Repair repair) {
        return repair.waiting().map(waiting -> waiting.path("ids").asLong()).orElse(0L);
    }

    private String outcome(boolean first) {
        return dryRun ? "would be ordered" : first ? "ordered" : "ordered before";
    }

    private String text(Repair repair, boolean first) {
        return String.format(
                Locale.ROOT,
                "%s (%s): write-off %s: of %,d events that it had lost, the verifier's last status shows %,d looked for and not found%n",
                IncarnationsText.name(repair.info()),
                repair.info().incarnation(),
                outcome(first),
                repair.lost().size(),
                lookedFor(repair));
    }

    private String json(Repair repair, boolean first) {
        return new ObjectMapper()
                        .createObjectNode()
                        .put("incarnation", repair.info().incarnation().toString())
                        .put("slot", repair.info().slotName())
                        .put("dryRun", dryRun)
                        .put("outcome", outcome(first))
                        .put("lost", repair.lost().size())
                        .put("lookedFor", lookedFor(repair))
                + "\n";
    }
}
