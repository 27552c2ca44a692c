package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.registry.api.RetiredDatacenter;
import photon.server.datacenters.DatacenterFacts;
import photon.server.datacenters.RetirementRule;
import photon.server.lifecycle.StateLock;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a datacenter out of a pipeline, forever. */
@Command(
        name = "retire",
        mixinStandardHelpOptions = true,
        description = {
            "Retires a datacenter of the pipeline, for good: from then on its joiners are refused, and configurations may leave it out."
                    + " Its output stays as it is and counts; keep it. The name does not come back.",
            "Stop the datacenter's parts with SIGTERM first. It is refused while a joiner is live or not repaired, and while events of"
                    + " repaired joiners wait in its dispatcher's retry journal: only this datacenter can join those. The other"
                    + " datacenters read all other events that wait there from their own logs.",
            "Run it with the configuration of the datacenter, where its state and output are."
        },
        exitCodeList = {
            "0:retired, now or before; with --dry-run: it would be",
            "1:refused, not confirmed, or the registry does not answer",
            "2:wrong usage or configuration, there is no such datacenter, or its dispatcher or photon local runs"
        },
        footer = {
            "  photon datacenter retire west --dry-run --config photon.yaml",
            "  photon datacenter retire west --config photon.yaml"
        })
final class DatacenterRetireCommand implements Callable<Integer> {
    @CommandLine.Mixin private DatacenterCommand.Of of = new DatacenterCommand.Of();

    @Parameters(paramLabel = "NAME", description = "The datacenter's name.")
    private String name = "";

    @Option(
            names = "--dry-run",
            description =
                    "Print what it has left and whether it may be retired, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--unfinished-is-lost",
            description =
                    "Retire it although its state or output is lost for good. Gives up its fenced incarnations whose output is not here, and the events"
                            + " of repaired joiners in its journal. No datacenter joins these events any more.")
    private boolean unfinishedIsLost;

    @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

    @Override
    public Integer call() throws IOException {
        return of.with(this::retire);
    }

    @SuppressWarnings("try") // A lock is held, not used.
    private int retire(DatacenterCommand.Of.Open open) throws IOException {
        if (!open.session().names().contains(name)) {
            throw new ConfigException(
                    "NAME is '%s': expected a datacenter of pipeline %s, one of %s"
                            .formatted(name, open.pipeline(), open.session().names()));
        }
        Optional<StateLock> lock = DatacenterCommand.dispatcherLock(open, name);
        try (AutoCloseableLock held = new AutoCloseableLock(lock)) {
            return retire(open, open.session().look(name, true));
        }
    }

    private int retire(DatacenterCommand.Of.Open open, DatacenterFacts facts) throws IOException {
        if (facts.retired().isPresent()) {
            print(open, facts, "retired before", facts.retired(), List.of());
            return CommandLine.ExitCode.OK;
        }
        List<String> refusals = RetirementRule.refusals(facts, unfinishedIsLost, open.parts(name));
        if (dryRun || !refusals.isEmpty()) {
            print(
                    open,
                    facts,
                    refusals.isEmpty() ? "would be retired" : "not retired",
                    Optional.empty(),
                    refusals);
            refusals.forEach(why -> System.err.println("photon: not retired: " + why));
            return refusals.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
        of.say(DatacenterCommand.text(open.pipeline(), facts).stripTrailing());
        if (!facts.open().isEmpty()) {
            of.say(
                    "What %d incarnations had taken and not published is lost for good"
                            .formatted(facts.open().size()));
        }
        if (!confirmation.isGiven(name, "Type its name to retire it for good: ")) {
            throw new FailedException(
                    "not retired: expected the name %s, or --yes".formatted(name));
        }
        open.session().giveUp(facts.open());
        RetiredDatacenter retired = open.session().retire(facts);
        print(open, facts, "retired", Optional.of(retired), List.of());
        return CommandLine.ExitCode.OK;
    }

    private void print(
            DatacenterCommand.Of.Open open,
            DatacenterFacts facts,
            String outcome,
            Optional<RetiredDatacenter> retired,
            List<String> refusals) {
        of.print(
                () -> text(open, facts, outcome, retired),
                () -> {
                    ObjectNode document = DatacenterCommand.json(facts);
                    document.put("pipeline", open.pipeline()).put("outcome", outcome);
                    retired.ifPresent(one -> document.set("retired", DatacenterCommand.json(one)));
                    refusals.forEach(document.putArray("refusals")::add);
                    return document + "\n";
                });
    }

    private String text(
            DatacenterCommand.Of.Open open,
            DatacenterFacts facts,
            String outcome,
            Optional<RetiredDatacenter> retired) {
        if (retired.isEmpty()) {
            return DatacenterCommand.text(open.pipeline(), facts) + outcome + "\n";
        }
        return "%s %s. Keep its output%s: it counts. Leave %s out of datacenters in every configuration\n"
                .formatted(
                        outcome,
                        retired.get().text(),
                        facts.published().map(p -> " in " + p.directory()).orElse(""),
                        name);
    }

    /** Of a lock that need not be there. */
    private record AutoCloseableLock(Optional<StateLock> lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (lock.isPresent()) {
                lock.get().close();
            }
        }
    }
}
