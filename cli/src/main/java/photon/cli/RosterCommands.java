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

        @CommandLine.Mixin OutputFormat output = new OutputFormat();

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
                        "no server of the registry knows a server %s: expected one that their configuration lists, one of %s"
                                .formatted(name, view.names()));
            }
            if (view.roster().getVersion() == 0) {
                throw new FailedException(
                        "not %s: no server that answers knows the members yet. Expected a control group with a leader"
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
                        "not %s, since it is not safe now: mend what is told above, or use --force"
                                .formatted(done));
            }
            if (!confirmation.isGiven(name, "Type its name to go on: ")) {
                throw new FailedException(
                        "not %s: expected the name %s, or --yes".formatted(done, name));
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
                        "not safe: %s are coming, going or being replaced: one after the other"
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
                                                ? step.in() + " comes"
                                                : step.out() + " goes",
                                        step.trouble().isEmpty()
                                                ? "safe"
                                                : "not safe: " + step.trouble()));
            }
            return safe;
        }

        final void warnOfEven(int servers) {
            if (servers % 2 == 0) {
                output.say(
                        "warning: %d servers tolerate the loss of %d, no more than %d servers do"
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
                                "not %s: somebody has changed the members meanwhile, they are %s"
                                        .formatted(done, answer.getRoster().getServersList()));
                case BUSY ->
                        throw new FailedException(
                                answer.getOthersList().equals(List.of(name))
                                                && answer.getMember().getJoining()
                                        ? "not %s: groups have begun with %s since it was added, and have no majority without it. Expected it to be started, and removed when it is in every group"
                                                .formatted(done, name)
                                        : "not %s: %s are coming, going or being replaced. Expected these to be done first, one after the other"
                                                .formatted(done, answer.getOthersList()));
                case LAST ->
                        throw new FailedException(
                                "not %s: %s is the last one".formatted(done, name));
                case NO_ADDRESS ->
                        throw new FailedException(
                                "not %s: the configuration of the server that leads the control group does not say where %s is. Expected it in the configuration of all servers, and them restarted"
                                        .formatted(done, name));
                default ->
                        throw new FailedException(
                                "not %s: the registry's server does not know that request"
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
            return "%s is a member already%s"
                    .formatted(
                            name,
                            view.disk(name).getJoining()
                                    ? ", or is becoming one: start it with an empty data directory, unless it runs"
                                    : ". To put another disk behind its name, use replace");
        }

        @Override
        String changed(ChangeRosterResponse answer) {
            return "%s: added, the members are %s. Start it with an empty data directory, unless it waits already; 'photon registry members list' tells when it is in every group"
                    .formatted(name, answer.getRoster().getServersList());
        }

        @Override
        boolean print(MembersView view) {
            output.say(
                    "%s is to be a member beside %s"
                            .formatted(name, view.roster().getServersList()));
            warnOfEven(view.roster().getServersCount() + 1);
            List<String> without = view.withoutAddress(name);
            if (!without.isEmpty()) {
                output.say(
                        "not safe: where %s is, is not known to be known by %s. Expected it in the configuration of all servers, and them restarted"
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
                    ? name + " is removed already, and leaves one group after the other"
                    : name + " is no member";
        }

        @Override
        String changed(ChangeRosterResponse answer) {
            return "%s: removed, the members are %s. 'photon registry members list' tells when no group has it any more"
                    .formatted(name, answer.getRoster().getServersList());
        }

        @Override
        boolean print(MembersView view) {
            int left = view.roster().getServersCount() - 1;
            output.say(
                    "%s is to be no member any more, with disk %s, number %d"
                            .formatted(
                                    name,
                                    view.disk(name).getDisk().isEmpty()
                                            ? "(not known)"
                                            : MembersView.text(view.disk(name).getDisk()),
                                    view.disk(name).getNumber()));
            if (left <= 1) {
                output.say(
                        "not safe: %s would be left: with its disk, everything is lost"
                                .formatted(left == 1 ? "one server" : "none"));
            } else {
                warnOfEven(left);
            }
            boolean alone = isAlone(view);
            return print(view.planToRemove(name)) && alone && left > 1;
        }
    }
}
