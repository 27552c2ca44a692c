package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.registry.admin.GroupView;
import photon.registry.admin.LeaderMoves;
import photon.registry.admin.LeaderOperator;
import photon.registry.admin.RegistryView;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives leadership to another server. */
@Command(
        name = "transfer",
        mixinStandardHelpOptions = true,
        description = {
            "Moves the leadership of one group or of all groups to another server. With --away-from, it moves all leadership away from a server before you work on that server.",
            "Only a server whose replica is nearly caught up can take over. Commits of a group wait while its leadership moves, for about a second at most. Photon moves one group after another."
        },
        exitCodeList = {
            "0:the requested server leads every group; with --dry-run: every move is possible",
            "1:a group was not moved, or no server answers",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon registry transfer --all --to r1 --config photon.yaml",
            "  photon registry transfer --away-from r0 --hold 30m --config photon.yaml"
        })
final class TransferCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration HOLD_MAX = Duration.ofDays(1);

    /** Above what a leader takes for a transfer, or to give it up. */
    private static final Duration TRANSFER_WITHIN = Duration.ofSeconds(15);

    @Mixin private LookOptions look = new LookOptions();
    @Mixin private OutputOption output = new OutputOption();

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Option(
            names = "--hold",
            paramLabel = "DURATION",
            description =
                    "How long other servers must not move leadership back to the preferred leaders; default 15m, up to 1d. A server that restarts forgets it.")
    private Duration hold = Duration.ofMinutes(15);

    @Option(
            names = "--dry-run",
            description = "Print what the command would do, and change nothing.")
    private boolean dryRun;

    /** What is to go where. */
    static final class Wanted {
        @ArgGroup(exclusive = false)
        private @Nullable To to;

        @Option(
                names = "--away-from",
                required = true,
                paramLabel = "SERVER",
                description =
                        "Move everything that this server leads to other servers. The server takes no leadership back for as long as --hold says.")
        private @Nullable String awayFrom;
    }

    /** Groups and their next leader. */
    static final class To {
        @ArgGroup(multiplicity = "1")
        private Groups groups = new Groups();

        @Option(
                names = "--to",
                required = true,
                paramLabel = "SERVER",
                description = "Name of the server that becomes the leader.")
        private String server = "";
    }

    /** One, or all. */
    static final class Groups {
        @Parameters(
                paramLabel = "GROUP",
                description =
                        "The group as 'photon registry status' names it: control, or PIPELINE/EPOCH/SHARD.")
        private @Nullable String group;

        @Option(names = "--all", required = true, description = "Move every group.")
        private boolean all;
    }

    @Override
    public Integer call() {
        if (hold.compareTo(HOLD_MAX) > 0) {
            throw new ConfigException(
                    "--hold is '%s': expected up to 1d".formatted(DurationText.of(hold)));
        }
        RegistryView view = look.view();
        LeaderMoves moves = moves(view);
        List<LeaderOperator.Outcome> outcomes =
                dryRun
                        ? moves.moves().stream().map(TransferCommand::planned).toList()
                        : new LeaderOperator(TRANSFER_WITHIN, look.security())
                                .carryOut(moves, hold, Optional.ofNullable(wanted.awayFrom));
        print(outcomes);
        return outcomes.stream().allMatch(LeaderOperator.Outcome::done)
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }

    private LeaderMoves moves(RegistryView view) {
        To to = wanted.to;
        if (to == null) {
            return LeaderMoves.awayFrom(view, known(view, String.valueOf(wanted.awayFrom)));
        }
        String server = known(view, to.server);
        String name = to.groups.group;
        List<GroupView> groups =
                view.groups().stream()
                        .filter(group -> to.groups.all || group.name().equals(name))
                        .toList();
        if (groups.isEmpty()) {
            throw new FailedException(
                    "there is no group %s: expected control, or PIPELINE/EPOCH/SHARD as 'photon registry status' shows it"
                            .formatted(name));
        }
        return LeaderMoves.to(view, groups, server);
    }

    private static String known(RegistryView view, String server) {
        List<String> names =
                view.servers().stream()
                        .map(RegistryView.Server::name)
                        .filter(name -> !name.isEmpty())
                        .toList();
        if (!names.contains(server)) {
            throw new FailedException(
                    "there is no server %s: expected one of %s"
                            .formatted(server, String.join(", ", names)));
        }
        return server;
    }

    private static LeaderOperator.Outcome planned(LeaderMoves.Move move) {
        return new LeaderOperator.Outcome(
                move,
                move.trouble().isEmpty(),
                move.isThere()
                        ? "already there"
                        : move.trouble().isEmpty() ? "would be moved" : move.trouble());
    }

    private void print(List<LeaderOperator.Outcome> outcomes) {
        output.print(() -> text(outcomes), () -> document(outcomes).toPrettyString() + "\n");
    }

    private String text(List<LeaderOperator.Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return "%s leads no group\n".formatted(wanted.awayFrom);
        }
        StringBuilder text = new StringBuilder();
        for (LeaderOperator.Outcome outcome : outcomes) {
            LeaderMoves.Move move = outcome.move();
            text.append(
                    "%s: %s -> %s: %s%s\n"
                            .formatted(
                                    move.group(),
                                    move.from().orElse("?"),
                                    move.to().orElse("?"),
                                    outcome.done() ? "" : "NOT DONE: ",
                                    outcome.text()));
        }
        return text.toString();
    }

    @SuppressWarnings("NullAway") // Jackson takes null for the value null.
    private ObjectNode document(List<LeaderOperator.Outcome> outcomes) {
        ObjectNode document = JSON.createObjectNode();
        document.put("dryRun", dryRun);
        ArrayNode moves = document.putArray("moves");
        for (LeaderOperator.Outcome outcome : outcomes) {
            LeaderMoves.Move move = outcome.move();
            moves.addObject()
                    .put("group", move.group())
                    .put("from", move.from().orElse(null))
                    .put("to", move.to().orElse(null))
                    .put("done", outcome.done())
                    .put("text", outcome.text());
        }
        return document;
    }
}
