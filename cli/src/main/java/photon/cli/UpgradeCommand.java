package photon.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import photon.core.error.FailedException;
import photon.idregistry.replicated.FeatureLevel;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.registry.admin.UpgradeView;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** From one version to the next, and back until it is finalized. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        description =
                "Shows how far an upgrade of a deployment is, and finalizes it. Until then every process may go back to the version before (docs/upgrade.md).",
        subcommands = {UpgradeCommand.Status.class, UpgradeCommand.Finalize.class})
final class UpgradeCommand {
    /** How it stands. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the registry's feature level, which is what its servers may write, and the level that the version of each server understands.",
                "It asks every server, needs no majority, and changes nothing."
            },
            exitCodeList = {
                "0:no upgrade is under way",
                "1:an upgrade is under way or waits to be finalized, a server has not told what it understands, or no server answers",
                "2:wrong usage or configuration"
            },
            footer = "  photon upgrade status --config photon.yaml")
    static final class Status implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            UpgradeView view = UpgradeView.of(registry.members());
            output.print(view::toText, () -> view.toJson() + "\n");
            return view.phase() == UpgradeView.Phase.DONE
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** The end of the way back. */
    @Command(
            name = "finalize",
            mixinStandardHelpOptions = true,
            description = {
                "Finalizes an upgrade: raises the feature level to what every server of the registry understands, so that servers write what only the new version can read.",
                "From then on no process may go back to the version before. A server of that version is refused when it starts."
            },
            exitCodeList = {
                "0:finalized, now or before; with --dry-run: it could be",
                "1:not finalized: a server runs an earlier version or has not told what it understands, you did not confirm, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = {
                "  photon upgrade finalize --dry-run --config photon.yaml",
                "  photon upgrade finalize --config photon.yaml"
            })
    static final class Finalize implements Callable<Integer> {
        private static final String WORD = "finalize";

        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Option(
                names = "--dry-run",
                description =
                        "Print what the command would do and whether it is possible, and change nothing.")
        private boolean dryRun;

        @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() throws IOException {
            UpgradeView view = UpgradeView.of(registry.members());
            switch (view.phase()) {
                case DONE -> {
                    print(view);
                    return CommandLine.ExitCode.OK;
                }
                case NOT_KNOWN, UNDER_WAY ->
                        throw new FailedException("not finalized: " + view.summary());
                case TO_BE_FINALIZED -> {}
            }
            int wanted = view.understoodByAll();
            output.say(
                    "the feature level will be raised from %d to %d: from then on no process may go back to the version before"
                            .formatted(view.level(), wanted));
            if (dryRun) {
                if (output.isJson()) {
                    print(view);
                }
                return CommandLine.ExitCode.OK;
            }
            if (!confirmation.isGiven(WORD, "Type '%s' to continue: ".formatted(WORD))) {
                throw new FailedException(
                        "not finalized: expected the word %s as confirmation, or --yes"
                                .formatted(WORD));
            }
            FinalizeUpgradeResponse answer =
                    registry.askMembers(session -> session.finalizeUpgrade(wanted));
            switch (answer.getVerdict()) {
                case FINALIZED -> print(new UpgradeView(answer.getFeatureLevel(), view.members()));
                case HELD_BACK ->
                        throw new FailedException(
                                "not finalized: %s run an earlier version, as far as they have told the registry. Upgrade them, and run the command again"
                                        .formatted(answer.getBehindList()));
                case RAISED_BY_ITSELF ->
                        throw new FailedException(
                                "not finalized: the feature level is %d, and the servers raise it to %d by themselves first. Run the command again"
                                        .formatted(
                                                answer.getFeatureLevel(),
                                                FeatureLevel.RAISED_BY_OPERATOR));
                default ->
                        throw new FailedException(
                                "not finalized: the registry's server does not know this request. Check whether it runs an older release");
            }
            return CommandLine.ExitCode.OK;
        }

        private void print(UpgradeView view) {
            output.print(() -> view.summary() + "\n", () -> view.toJson() + "\n");
        }
    }
}
