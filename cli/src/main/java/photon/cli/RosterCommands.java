package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import photon.core.error.FailedException;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.registry.admin.MembersView;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Another server, and one less. */
final class RosterCommands {
    private RosterCommands() {}

    /** What both have in common. */
    abstract static class Change implements Callable<Integer> {
        @CommandLine.Mixin PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Parameters(paramLabel = "NAME", description = "The server's name.")
        String name = "";

        @Option(
                names = "--dry-run",
                description =
                        "Print what the command would do and whether that is safe, and change nothing.")
        private boolean dryRun;

        @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

        @CommandLine.Mixin OutputOption output = new OutputOption();

        private final ChangeRosterRequest.Change change;

        /** As in "not added". */
        private final String done;

        Change(ChangeRosterRequest.Change change, String done) {
            this.change = change;
            this.done = done;
        }

        @Override
        public final Integer call() throws IOException {
            MembersView view = registry.members();
            if (!view.names().contains(name)) {
                throw new FailedException(
                        "no server of the registry knows server %s: expected a server that their configuration lists, one of %s"
                                .formatted(name, view.names()));
            }
            if (view.roster().getVersion() == 0) {
                throw new FailedException(
                        "not %s: no server that answers knows the members yet. Wait until the control group has a leader"
                                .formatted(done));
            }
            if (view.isMember(name) == (change == ChangeRosterRequest.Change.ADD)) {
                end("nothing to be done", already(view), view.roster().getServersList());
                return CommandLine.ExitCode.OK;
            }
            boolean safe = print(view);
            if (dryRun) {
                if (output.isJson()) {
                    end(safe ? "could be " + done : "not safe", "", view.roster().getServersList());
                }
                return safe ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
            }
            if (!safe && !isForced()) {
                throw new FailedException(
                        "not %s: it is not safe now. Fix the problems listed above, or use --force"
                                .formatted(done));
            }
            if (!confirmation.isGiven(name, "Type the server's name to continue: ")) {
                throw new FailedException(
                        "not %s: expected the name %s as confirmation, or --yes"
                                .formatted(done, name));
            }
            return tell(ask(view.roster().getVersion()));
        }

        abstract boolean isForced();

        /** Nothing is to be done. */
        abstract String already(MembersView view);

        /** What came of it. */
        abstract String changed(ChangeRosterResponse answer);

        /** What would be done; true: it is safe. */
        abstract boolean print(MembersView view);

        /** True if nobody else is in the way. */
        final boolean isAlone(MembersView view) {
            List<String> others = view.inTheWayOf(name);
            if (!others.isEmpty()) {
                output.say(
                        "not safe: %s are joining, leaving or being replaced. Wait until they are done: change one server at a time"
                                .formatted(others));
            }
            return others.isEmpty();
        }

        final boolean print(List<MembersView.Step> steps) {
            boolean safe = true;
            for (MembersView.Step step : steps) {
                safe &= step.trouble().isEmpty();
                output.say(
                        "group %s: %s: %s"
                                .formatted(
                                        step.group(),
                                        step.out().isEmpty()
                                                ? step.in() + " joins"
                                                : step.out() + " leaves",
                                        step.trouble().isEmpty()
                                                ? "safe"
                                                : "not safe: " + step.trouble()));
            }
            return safe;
        }

        final void warnOfEven(int servers) {
            if (servers % 2 == 0) {
                output.say(
                        "warning: %d servers tolerate the loss of %d, the same as %d servers"
                                .formatted(servers, (servers - 1) / 2, servers - 1));
            }
        }

        private void end(String outcome, String text, List<String> members) {
            output.print(
                    () -> text + "\n",
                    () -> {
                        ObjectNode document =
                                new ObjectMapper()
                                        .createObjectNode()
                                        .put("server", name)
                                        .put("dryRun", dryRun)
                                        .put("outcome", outcome);
                        ArrayNode list = document.putArray("members");
                        members.forEach(list::add);
                        return document + "\n";
                    });
        }

        private ChangeRosterResponse ask(long version) {
            return registry.askMembers(session -> session.change(change, name, version));
        }

        private int tell(ChangeRosterResponse answer) {
            switch (answer.getVerdict()) {
                case CHANGED -> end(done, changed(answer), answer.getRoster().getServersList());
                case OTHER_VERSION ->
                        throw new FailedException(
                                "not %s: someone changed the members in the meantime, and they are now %s. Run the command again"
                                        .formatted(done, answer.getRoster().getServersList()));
                case BUSY ->
                        throw new FailedException(
                                answer.getOthersList().equals(List.of(name))
                                                && answer.getMember().getJoining()
                                        ? "not %s: groups have begun with %s since it was added, and have no majority without it. Start it, and remove it when it is in every group"
                                                .formatted(done, name)
                                        : "not %s: %s are joining, leaving or being replaced. Wait until they are done: change one server at a time"
                                                .formatted(done, answer.getOthersList()));
                case LAST ->
                        throw new FailedException(
                                "not %s: %s is the last server".formatted(done, name));
                case NO_ADDRESS ->
                        throw new FailedException(
                                "not %s: the configuration of the server that leads the control group does not list %s. Add it to the configuration of all servers, and restart them"
                                        .formatted(done, name));
                default ->
                        throw new FailedException(
                                "not %s: the registry's server does not know this request. Check whether it runs an older release"
                                        .formatted(done));
            }
            return CommandLine.ExitCode.OK;
        }
    }

    /** One more. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a server a member of the registry. The configuration of all servers must list it, and its data directory must be empty.",
                "The server catches up in a group before it votes there, one group after another."
            },
            exitCodeList = {
                "0:added, now or before; with --dry-run: the change is safe",
                "1:not added, or with --dry-run: the change is not safe: a server does not know the new server's address, a group has no majority, other servers are joining, leaving or being replaced, you did not confirm, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry members add r5 --dry-run --config photon.yaml")
    static final class Add extends Change {
        @Option(
                names = "--force",
                description =
                        "Add the server although a server does not answer or does not know its address, or although members of a group are missing: that group waits for them.")
        private boolean force;

        Add() {
            super(ChangeRosterRequest.Change.ADD, "added");
        }

        @Override
        boolean isForced() {
            return force;
        }

        @Override
        String already(MembersView view) {
            return "%s is already a member%s"
                    .formatted(
                            name,
                            view.disk(name).getJoining()
                                    ? ", or is joining: start it with an empty data directory, unless it runs"
                                    : ". To replace its disk, use 'photon registry members replace'");
        }

        @Override
        String changed(ChangeRosterResponse answer) {
            return "%s: added, the members are now %s. Start it with an empty data directory, unless it already waits. 'photon registry members list' shows when it is in every group"
                    .formatted(name, answer.getRoster().getServersList());
        }

        @Override
        boolean print(MembersView view) {
            output.say(
                    "%s will join the members %s".formatted(name, view.roster().getServersList()));
            warnOfEven(view.roster().getServersCount() + 1);
            List<String> without = view.withoutAddress(name);
            if (!without.isEmpty()) {
                output.say(
                        "not safe: the address of %s may be unknown to %s. Add it to the configuration of all servers, and restart them"
                                .formatted(name, without));
            }
            boolean alone = isAlone(view);
            return print(view.planToAdd(name)) && alone && without.isEmpty();
        }
    }

    /** One less. */
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {
                "Removes a server from the registry, whether it runs or never comes back.",
                "A server that runs gives its leadership away, follows until it is a member of no group, and ends. Photon deletes nothing on its disk, but the registry refuses that disk from then on.",
                "Remove the server from the configuration afterwards."
            },
            exitCodeList = {
                "0:removed, now or before; with --dry-run: the change is safe",
                "1:not removed, or with --dry-run: the change is not safe: a group would have no majority that is up to date, only one server would be left, other servers are joining, leaving or being replaced, you did not confirm, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry members remove r4 --config photon.yaml")
    static final class Remove extends Change {
        @Option(
                names = "--force",
                description =
                        "Remove the server although only one would be left, or although other members of a group are missing: that group waits for them.")
        private boolean force;

        Remove() {
            super(ChangeRosterRequest.Change.REMOVE, "removed");
        }

        @Override
        boolean isForced() {
            return force;
        }

        @Override
        String already(MembersView view) {
            return view.disk(name).getLeaving()
                    ? name + " is already removed, and leaves one group after another"
                    : name + " is not a member of the registry";
        }

        @Override
        String changed(ChangeRosterResponse answer) {
            return "%s: removed, the members are now %s. 'photon registry members list' shows when it has left every group"
                    .formatted(name, answer.getRoster().getServersList());
        }

        @Override
        boolean print(MembersView view) {
            int left = view.roster().getServersCount() - 1;
            output.say(
                    "%s, with disk %s, number %d, will be removed from the registry"
                            .formatted(
                                    name,
                                    view.disk(name).getDisk().isEmpty()
                                            ? "(unknown)"
                                            : MembersView.text(view.disk(name).getDisk()),
                                    view.disk(name).getNumber()));
            if (left <= 1) {
                output.say(
                        "not safe: %s would be left. If its disk fails, everything is lost"
                                .formatted(left == 1 ? "only one server" : "no server"));
            } else {
                warnOfEven(left);
            }
            boolean alone = isAlone(view);
            return print(view.planToRemove(name)) && alone && left > 1;
        }
    }
}
