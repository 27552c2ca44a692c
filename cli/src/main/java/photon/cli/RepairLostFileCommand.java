package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.registry.admin.ControlSession;
import photon.registry.admin.IncarnationsText;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.output.LostFiles;
import photon.storage.output.LostFiles.Declaration;
import photon.storage.output.LostFiles.Named;
import photon.storage.output.LostFiles.Standing;
import photon.storage.output.OutputDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A published file that is gone for good. */
@Command(
        name = "declare-file-lost",
        mixinStandardHelpOptions = true,
        description = {
            "Declares a published file that is missing or damaged permanently lost: Photon joins its events again and publishes them in another file.",
            "If consumers have read that file, first remove what they took from it. You cannot undo the declaration. From then on, a file of that name no longer counts; Photon moves a damaged file to the incarnation's directory below _work.",
            "The declaration includes the files of the other outputs with the same number. While one of them exists undamaged, Photon declares nothing.",
            "Events that are older than the retention do not come back: the verifier writes each of them off in its ledger.",
            "Run it again after a crash: it continues where it stopped."
        },
        exitCodeList = {
            "0:declared lost, now or before; with --dry-run: shown",
            "1:not declared lost: no published file ever had this name, the file is undamaged, its incarnation is live, its events are older than the retention, or the registry does not answer",
            "2:wrong usage or configuration"
        },
        footer =
                "  photon repair declare-file-lost 3-17-000042.jsonl --reason \"the disk is lost\" --config photon.yaml")
final class RepairLostFileCommand implements Callable<Integer> {
    @CommandLine.Mixin private RepairCommand.Of of = new RepairCommand.Of();

    @Parameters(
            paramLabel = "FILE",
            description =
                    "The published file: its name, such as 3-17-000042.jsonl, or its path in the output directory, such as dt=2026-11-23/hour=07/3-17-000042.jsonl.")
    private String file = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description =
                    "The reason, for people who look at the file later. Photon keeps it beside the manifest.")
    private String reason = "";

    @Option(
            names = "--dry-run",
            description = "Print which events Photon would join again, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        RepairCommand.checkReason(reason);
        Named named =
                LostFiles.named(file)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "FILE is '%s': expected a published file, such as 3-17-000042.jsonl"
                                                        .formatted(file)));
        IncarnationInfo info = of.find(named.incarnation().toString()).info();
        if (!info.fenced()) {
            throw new FailedException(
                    "not declared lost: %s is live. First stop its joiner, or fence its slot"
                            .formatted(IncarnationsText.name(info)));
        }
        try {
            return declare(named, info);
        } catch (IOException e) {
            throw new FailedException("not declared lost: " + e.getMessage());
        }
    }

    private int declare(Named named, IncarnationInfo info) throws IOException {
        OutputDirectory output = of.output();
        if (!output.identity().outputId().equals(info.outputId())) {
            throw new FailedException(
                    "not declared lost: %s wrote into output directory %s, but this one is %s"
                            .formatted(
                                    IncarnationsText.name(info),
                                    info.outputId(),
                                    output.identity().outputId()));
        }
        of.mustNotBeRetired(info, "not declared lost");
        if (!dryRun) {
            // From here on nobody publishes; what only a crash has kept from it is published now.
            output.seal(named.incarnation());
        }
        LostFiles files = output.lostFiles();
        Standing standing =
                files.look(named)
                        .orElseThrow(
                                () ->
                                        new FailedException(
                                                "not declared lost: no manifest of %s has number %d, so it never published %s"
                                                        .formatted(
                                                                IncarnationsText.name(info),
                                                                named.sequence(),
                                                                file)));
        Declaration before = files.of(named).orElse(null);
        if (before == null) {
            mustBeLost(standing);
        }
        Declaration declaration = before == null ? declaration(named, standing, info) : before;
        if (!dryRun) {
            files.declare(declaration);
            declaration = files.of(named).orElse(declaration); // another person's words may stand
            List<String> moved = files.withdraw(declaration);
            if (before == null
                    || !moved.isEmpty()
                    || info.rows().timesReopened() <= before.timesReopened()) {
                reopen(info);
            }
        }
        print(declaration, info, before != null);
        return CommandLine.ExitCode.OK;
    }

    private void mustBeLost(Standing standing) {
        long kept =
                of.pipelineConfig()
                        .keptSinceMicros(
                                new SystemClock(ChronyClock.BOUND_WITHOUT).now().earliestMicros());
        if (!standing.whole().isEmpty()) {
            throw new FailedException(
                    standing.wrong().isEmpty()
                            ? "not declared lost: %s exists and is undamaged"
                                    .formatted(standing.whole())
                            : "not declared lost: %s, but %s exists undamaged and has the same events. If its readers can do without it, move it away first"
                                    .formatted(standing.wrong(), standing.whole()));
        }
        if (standing.manifest().isOlderThan(kept)) {
            throw new FailedException(
                    "not declared lost: all events of %s are older than the retention, so Photon cannot join them again. You can remove what is left of the file"
                            .formatted(file));
        }
    }

    private Declaration declaration(Named named, Standing standing, IncarnationInfo info) {
        return new Declaration(
                named,
                standing.manifest().published().stream().map(one -> one.path()).toList(),
                standing.manifest().entries().size(),
                reason,
                ControlSession.actor(),
                System.currentTimeMillis(),
                info.rows().timesReopened());
    }

    /** Until the registry says so: a repair that began before would not look for these events. */
    private void reopen(IncarnationInfo info) {
        IncarnationState stands =
                of.ask(
                        connection ->
                                connection
                                        .states()
                                        .reopenForLostFile(
                                                of.pipeline(),
                                                info.incarnation(),
                                                info.rows().timesReopened()));
        if (stands != IncarnationState.OPEN) {
            throw new FailedException(
                    "declared lost, but %s was reopened and repaired in the meantime: run the command again"
                            .formatted(IncarnationsText.name(info)));
        }
    }

    private String outcome(boolean before) {
        return before
                ? "was declared lost before"
                : dryRun ? "would be declared lost" : "is declared lost";
    }

    private void print(Declaration declaration, IncarnationInfo info, boolean before) {
        of.print(() -> text(declaration, info, before), () -> json(declaration, info, before));
    }

    private String text(Declaration declaration, IncarnationInfo info, boolean before) {
        return String.format(
                Locale.ROOT,
                "%s of %s %s: %,d events %s joined again%n",
                String.join(" and ", declaration.paths()),
                IncarnationsText.name(info),
                outcome(before),
                declaration.events(),
                dryRun ? "would be" : "are");
    }

    private String json(Declaration declaration, IncarnationInfo info, boolean before) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("incarnation", info.incarnation().toString()).put("slot", info.slotName());
        json.put("dryRun", dryRun).put("outcome", outcome(before));
        declaration.paths().forEach(json.putArray("files")::add);
        json.put("events", declaration.events()).put("reason", declaration.reason());
        return json.put("actor", declaration.actor()) + "\n";
    }
}
