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
            "Shows who changed what in a registry, and when: pipelines created, changed and dropped, incarnations registered, fenced, closed and repaired, ids removed, reshards.",
            "It asks every server, needs no majority, and changes nothing. It names servers that do not report, and groups whose reports lag behind what is decided. The registry keeps the newest 4096 decisions of operators, the newest 4096 about incarnations, and the newest 64 removals of each existing shard.",
            "Each time is from the clock of the server that wrote the record to the log. The registry decides nothing by these times."
        },
        exitCodeList = {
            "0:shown; a NOTE names what may be missing",
            "1:no server answers",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry audit --since 2h --config photon.yaml")
final class AuditCommand implements Callable<Integer> {
    @Mixin private LookOptions look = new LookOptions();
    @Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Show only what happened later: a duration before now, such as 2h, or a time, such as 2026-11-21T18:00:00Z.")
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
            throw new FailedException(
                    "no server of the registry answers: check that its servers run, and the addresses in --servers or in the configuration");
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
