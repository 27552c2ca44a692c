package photon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.dispatcher.rules.ResetTarget;
import photon.server.resets.ResetSession;
import photon.server.resets.ResetSession.Planned;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes how far a datacenter's dispatcher counts as having read its logs. */
@Command(
        name = "reset",
        mixinStandardHelpOptions = true,
        description = {
            "Resets how far the dispatcher of the configuration's datacenter has read the foreign logs. It prints a plan first: how much is read again or skipped, how much of that the registry knows, and what cannot be reset.",
            "Events that are read again are never joined twice: the registry knows those that are joined. Rows in the retry journal stay.",
            "With --to latest this datacenter never joins the events that it has not read. Each of them gets an entry in the ledger; another datacenter may still join it.",
            "Stop all dispatchers of the datacenter first: the command refuses while one works. If it was interrupted, run it again."
        },
        exitCodeList = {
            "0:reset, or nothing to reset; with --dry-run: planned",
            "1:not reset: a dispatcher works, you did not confirm, no log matches, the state is not here, or the registry does not answer",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon dispatcher reset --to earliest --dry-run --config photon.yaml",
            "  photon dispatcher reset --to 2026-11-26T10:00:00Z --files \"/logs/clicks-*.csv\" --config photon.yaml",
            "  photon dispatcher reset --to latest --skip-unread --yes --config photon.yaml"
        })
final class DispatcherResetCommand implements Callable<Integer> {
    @CommandLine.Mixin private ConfigOption configured = new ConfigOption();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "WHERE",
            description =
                    "earliest: the start of each log. latest: its end. A time in the past, such as 2026-11-26T10:00:00Z: where the dispatcher was then, or somewhat before; no log goes forward.")
    private String to = "";

    @Option(
            names = "--files",
            paramLabel = "GLOB",
            description = "Reset only the logs that GLOB matches. Default: all.")
    private @Nullable String glob;

    @Option(
            names = "--skip-unread",
            description =
                    "With --to latest: this datacenter shall not join the events that it has not read. --yes alone does not confirm that.")
    private boolean skipUnread;

    @Option(names = "--dry-run", description = "Print the plan, and change nothing.")
    private boolean dryRun;

    @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "How long to wait for the registry; default 10s.")
    private Duration timeout = Duration.ofSeconds(10);

    @Override
    public Integer call() {
        ResetTarget target = target();
        Path config = configured.file();
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
        try {
            ResetSession session =
                    ResetSession.open(
                            loaded.pipeline(),
                            deployment,
                            new HadoopFileStore(loaded.hadoop()),
                            ClientSecurity.of(loaded),
                            timeout,
                            new SystemClock(ChronyClock.BOUND_WITHOUT));
            Planned planned = session.plan(target, Optional.ofNullable(glob).map(this::absolute));
            ResetText text = new ResetText(deployment.datacenter(), session.identity(), planned);
            if (dryRun || planned.changesNothing()) {
                print(text, dryRun ? "planned" : "nothing to reset");
                return CommandLine.ExitCode.OK;
            }
            output.say(text.plan().stripTrailing());
            confirm(target, deployment.datacenter());
            session.apply(planned, output::say);
            output.print(
                    () -> "reset: the next dispatcher that starts goes on from there\n",
                    () -> text.json("reset"));
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            throw new FailedException("not reset, or not all of it: " + IoText.of(e));
        }
    }

    private void print(ResetText text, String outcome) {
        output.print(() -> text.plan() + outcome + "\n", () -> text.json(outcome));
    }

    private ResetTarget target() {
        ResetTarget target =
                ResetTarget.parse(to)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "--to is '%s': expected earliest, latest or a time such as 2026-11-26T10:00:00Z"
                                                        .formatted(to)));
        if (target.at().isAfter(Instant.now())) {
            throw new ConfigException(
                    "--to is '%s', which is yet to come: expected a time in the past"
                            .formatted(to));
        }
        return target;
    }

    /** As the paths of a configuration are, but seen from where the command runs. */
    private String absolute(String pattern) {
        return pattern.startsWith("/") || pattern.contains("://")
                ? pattern
                : Path.of("").toAbsolutePath() + "/" + pattern;
    }

    private void confirm(ResetTarget target, String datacenter) throws IOException {
        boolean skips = target.kind() == ResetTarget.Kind.LATEST;
        if (skips && confirmation.isYes() && !skipUnread) {
            throw new FailedException(
                    "not reset: --yes alone does not confirm that events are skipped. Add --skip-unread, or leave --yes out");
        }
        String question =
                "Type the datacenter's name to %s: "
                        .formatted(skips ? "skip these events" : "reset its dispatcher");
        if (!confirmation.isGiven(datacenter, question)) {
            throw new FailedException(
                    "not reset: expected the name %s, or --yes".formatted(datacenter));
        }
    }
}
