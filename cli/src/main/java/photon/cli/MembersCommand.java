package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.Callable;
import photon.core.error.FailedException;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.ReplaceMemberResponse;
import photon.registry.admin.MembersView;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A registry's servers, and the disks behind their names. */
@Command(
        name = "members",
        mixinStandardHelpOptions = true,
        description =
                "Lists the servers of a registry, adds and removes servers, and replaces a server whose disk is lost.",
        subcommands = {
            MembersCommand.ListThem.class,
            RosterCommands.Add.class,
            RosterCommands.Remove.class,
            MembersCommand.Replace.class
        })
final class MembersCommand {
    /** The servers. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the servers, the disk of each and its number, and the groups that each server is a member of.",
                "It asks every server, needs no majority, and changes nothing."
            },
            exitCodeList = {"0:listed", "1:no server answers", "2:wrong usage or configuration"},
            footer = "  photon registry members list --config photon.yaml")
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            MembersView view = registry.members();
            output.print(view::toText, () -> view.toJson().toPrettyString() + "\n");
            return CommandLine.ExitCode.OK;
        }
    }

    /** Another disk behind a name. */
    @Command(
            name = "replace",
            mixinStandardHelpOptions = true,
            description = {
                "Declares the disk of a server permanently lost, so that the server may start with an empty data directory.",
                "The new disk is a new member of every group: it catches up in a group before it votes there, one group after another.",
                "If the lost disk comes back, the registry refuses it. Photon deletes nothing on it."
            },
            exitCodeList = {
                "0:declared lost, now or before; with --dry-run: the change is safe",
                "1:not declared lost, or with --dry-run: the change is not safe: the server runs, a group would have no majority, other disks are being replaced, you did not confirm, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry members replace r1 --config photon.yaml")
    static final class Replace implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Parameters(paramLabel = "NAME", description = "The server's name.")
        private String name = "";

        @Option(
                names = "--dry-run",
                description =
                        "Print what the command would do and whether that is safe, and change nothing.")
        private boolean dryRun;

        @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Option(
                names = "--force",
                description =
                        "Replace the disk although the server answers, or although other members of a group are missing: that group waits for them.")
        private boolean force;

        @Override
        public Integer call() throws IOException {
            MembersView view = registry.members();
            if (!view.names().contains(name)) {
                throw new FailedException(
                        "the registry has no server %s: expected one of %s"
                                .formatted(name, view.names()));
            }
            if (!view.isMember(name)) {
                throw new FailedException(
                        "%s is not a member of the registry: expected one of %s"
                                .formatted(name, view.roster().getServersList()));
            }
            MemberDisk disk = view.disk(name);
            if (disk.getNumber() > 1 && disk.getDisk().isEmpty()) {
                end(
                        "declared lost before",
                        "%s: disk number %d is already declared lost. Start the server with an empty data directory"
                                .formatted(name, disk.getNumber() - 1));
                return CommandLine.ExitCode.OK;
            }
            boolean safe = print(view, disk);
            if (dryRun) {
                if (output.isJson()) {
                    end(safe ? "could be declared lost" : "not safe", "");
                }
                return safe ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
            }
            if (!safe && !force) {
                throw new FailedException(
                        "not replaced: it is not safe now. Fix the problems listed above, or use --force");
            }
            if (!confirmation.isGiven(name, "Type the server's name to declare its disk lost: ")) {
                throw new FailedException(
                        "not replaced: expected the name %s as confirmation, or --yes"
                                .formatted(name));
            }
            return tell(replace(disk.getNumber()));
        }

        private boolean print(MembersView view, MemberDisk disk) {
            boolean safe = true;
            output.say(
                    "%s: disk %s, number %d, will be declared permanently lost"
                            .formatted(
                                    name,
                                    disk.getDisk().isEmpty()
                                            ? "(unknown)"
                                            : MembersView.text(disk.getDisk()),
                                    disk.getNumber()));
            if (view.isThere(name)) {
                safe = false;
                output.say(
                        "not safe: %s runs with that disk. A disk that works is not lost: stop the server first"
                                .formatted(name));
            }
            for (MembersView.Step step : view.plan(name)) {
                safe &= step.trouble().isEmpty();
                output.say(
                        "group %s: %s leaves, %s joins: %s"
                                .formatted(
                                        step.group(),
                                        step.out(),
                                        step.in(),
                                        step.trouble().isEmpty()
                                                ? "safe"
                                                : "not safe: " + step.trouble()));
            }
            return safe;
        }

        private ReplaceMemberResponse replace(int number) {
            return registry.askMembers(session -> session.replace(name, number));
        }

        private void end(String outcome, String text) {
            output.print(
                    () -> text + "\n",
                    () ->
                            new ObjectMapper()
                                            .createObjectNode()
                                            .put("server", name)
                                            .put("dryRun", dryRun)
                                            .put("outcome", outcome)
                                    + "\n");
        }

        private int tell(ReplaceMemberResponse answer) {
            switch (answer.getVerdict()) {
                case AWAITED ->
                        end(
                                "declared lost",
                                "%s: declared lost. Start the server with an empty data directory: its disk becomes number %d. 'photon registry members list' shows when it is in every group"
                                        .formatted(name, answer.getMember().getNumber()));
                case OTHER_NUMBER ->
                        throw new FailedException(
                                "not replaced: someone replaced the disk of %s in the meantime, and it is now number %d"
                                        .formatted(name, answer.getMember().getNumber()));
                case TOO_MANY ->
                        throw new FailedException(
                                "not replaced: half of the servers or more would be without their disk, with %s being replaced. Wait until these are in every group, or add servers first"
                                        .formatted(
                                                answer.getOthersList().isEmpty()
                                                        ? "no other"
                                                        : answer.getOthersList()));
                default ->
                        throw new FailedException(
                                "not replaced: the registry does not know server %s"
                                        .formatted(name));
            }
            return CommandLine.ExitCode.OK;
        }
    }
}
