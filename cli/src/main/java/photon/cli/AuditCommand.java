package photon.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.proto.v1.DescribeAuditResponse;
import photon.registry.admin.AuditView;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusPoll;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What was done to a registry. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what was done to a registry, by whom and when: pipelines made, changed and dropped, incarnations registered, fenced, closed and repaired, ids removed, reshards.",
            "Asks every server for what it knows; changes nothing and needs no majority. Servers that do not tell, and groups of which less is told than is decided, are named. The newest 4096 decisions of people and 4096 about incarnations are kept, and 64 removals of each shard that is there.",
            "Times are told by the server that put it into the log: information, by which nothing is decided."
        },
        exitCodeList = {
            "0:shown, perhaps with a NOTE of what may be missing",
            "1:no server answers",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry audit --since 2h --config photon.yaml")
final class AuditCommand implements Callable<Integer> {
    @Mixin private LookOptions look = new LookOptions();
    @Mixin private OutputFormat output = new OutputFormat();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Only what was later: a duration before now, such as 2h, or a time, such as 2026-11-21T18:00:00Z.")
    private @Nullable String since;

    @Override
    public Integer call() {
        long sinceMicros = sinceMicros();
        List<StatusPoll.Answer> servers = look.ask();
        List<HostPort> answering =
                servers.stream()
                        .filter(answer -> answer.server().isPresent())
                        .map(StatusPoll.Answer::asked)
                        .toList();
        List<DescribeAuditResponse> told = look.poll().askAudit(answering, sinceMicros);
        if (told.isEmpty()) {
            throw new FailedException("no server of the registry answers");
        }
        AuditView view = AuditView.of(told, RegistryView.of(servers));
        output.print(view::text, view::json);
        return CommandLine.ExitCode.OK;
    }

    private long sinceMicros() {
        String text = since;
        if (text == null) {
            return 0;
        }
        Instant from =
                DurationText.parse(text).map(Instant.now()::minus).orElseGet(() -> instant(text));
        return ChronoUnit.MICROS.between(Instant.EPOCH, from);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new ConfigException(
                    "--since is '%s': expected %s, or a time such as 2026-11-21T18:00:00Z"
                            .formatted(text, DurationText.EXPECTED));
        }
    }
}
