package photon.cli;

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
                "Lists the servers of a registry, adds and removes one, and replaces one whose disk is lost.",
        subcommands = {
            MembersCommand.ListThem.class,
            RosterCommands.Add.class,
            RosterCommands.Remove.class,
            MembersCommand.Replace.class
        })
final class MembersCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected a command: list, add, remove or replace");
    }

    /** The servers. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists servers, the disk behind each name and its number, and the groups that each is a member of.",
                "Asks every server for what it knows; changes nothing and needs no majority."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {"0:listed", "1:no server answers", "2:wrong usage or configuration"})
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Option(names = "--json", description = "One JSON object, with the role in each group.")
        private boolean json;

        @Override
        public Integer call() {
            MembersView view = registry.members();
            System.out.print(json ? view.toJson().toPrettyString() + "\n" : view.toText());
            System.out.flush();
            return CommandLine.ExitCode.OK;
        }
    }

    /** Another disk behind a name. */
    @Command(
            name = "replace",
            mixinStandardHelpOptions = true,
            description = {
                "Declares the disk of a server lost for ever, so that the server may start with an empty data directory.",
                "The new disk is another member of the groups: it learns what there is before it has a vote, one group after the other.",
                "The lost disk is refused from then on, should it come back. Nothing is deleted on it."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:declared lost, now or before; with --dry-run: it could be",
                "1:not, or with --dry-run: it should not be: the server runs, a group would have no majority, others are being replaced, or the registry does not answer",
                "2:wrong usage or configuration"
            })
    static final class Replace implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Parameters(paramLabel = "NAME", description = "The server's name.")
        private String name = "";

        @Option(
                names = "--dry-run",
                description = "Only tells what would be done, and whether it is safe.")
        private boolean dryRun;

        @Option(names = "--yes", description = "Without asking for the name again.")
        private boolean yes;

        @Option(
                names = "--force",
                description =
                        "Although the server answers, or a group's other members are not all there: that group waits for them.")
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
                        "%s is no member of the registry: expected one of %s"
                                .formatted(name, view.roster().getServersList()));
            }
            MemberDisk disk = view.disk(name);
            if (disk.getNumber() > 1 && disk.getDisk().isEmpty()) {
                System.out.printf(
                        "%s: disk number %d is declared lost already, and a blank one is awaited: start the server with an empty data directory%n",
                        name, disk.getNumber() - 1);
                return CommandLine.ExitCode.OK;
            }
            boolean safe = print(view, disk);
            if (dryRun) {
                return safe ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
            }
            if (!safe && !force) {
                throw new FailedException(
                        "not replaced, since it is not safe now: mend what is told above, or use --force");
            }
            if (!yes
                    && !PipelinesCommand.confirmed(
                            name, "Type its name to declare its disk lost: ")) {
                throw new FailedException(
                        "not replaced: expected the name %s, or --yes".formatted(name));
            }
            return tell(replace(disk.getNumber()));
        }

        private boolean print(MembersView view, MemberDisk disk) {
            boolean safe = true;
            System.out.printf(
                    "%s: disk %s, number %d, is to be declared lost for ever%n",
                    name,
                    disk.getDisk().isEmpty() ? "(not known)" : MembersView.text(disk.getDisk()),
                    disk.getNumber());
            if (view.isThere(name)) {
                safe = false;
                System.out.printf(
                        "not safe: %s runs with that disk. A disk that works is not lost: stop the server first%n",
                        name);
            }
            for (MembersView.Step step : view.plan(name)) {
                safe &= step.trouble().isEmpty();
                System.out.printf(
                        "group %s: %s goes, %s comes: %s%n",
                        step.group(),
                        step.out(),
                        step.in(),
                        step.trouble().isEmpty() ? "safe" : "not safe: " + step.trouble());
            }
            return safe;
        }

        private ReplaceMemberResponse replace(int number) {
            return registry.askMembers(session -> session.replace(name, number));
        }

        private int tell(ReplaceMemberResponse answer) {
            switch (answer.getVerdict()) {
                case AWAITED ->
                        System.out.printf(
                                "%s: declared lost. Start the server with an empty data directory: it becomes number %d, and 'photon registry members list' tells when it is in every group%n",
                                name, answer.getMember().getNumber());
                case OTHER_NUMBER ->
                        throw new FailedException(
                                "not replaced: the disk behind %s is number %d by now"
                                        .formatted(name, answer.getMember().getNumber()));
                case TOO_MANY ->
                        throw new FailedException(
                                "not replaced: half of the servers or more would be without their disk, %s being replaced. Expected these to be in every group first, or a registry of more servers"
                                        .formatted(
                                                answer.getOthersList().isEmpty()
                                                        ? "none other"
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
