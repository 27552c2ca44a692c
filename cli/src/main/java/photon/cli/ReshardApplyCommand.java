package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.idregistry.batch.BatchLimits;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ReshardDocument;
import photon.registry.admin.ReshardOperator;
import photon.registry.admin.ReshardPlan;
import photon.registry.admin.ReshardState;
import photon.registry.admin.ReshardText;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ReshardClient;
import photon.registry.api.ReshardClient.Begun;
import photon.registry.api.ReshardClient.End;
import photon.registry.api.ReshardClient.Result;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Begins a reshard, and waits for the end. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description = {
            "Begins a reshard and waits until the registry has decided it and every shard has the"
                    + " new map and a leader.",
            "You may interrupt the command: the registry continues, and --nonce waits for the same"
                    + " attempt again."
        },
        exitCodeList = {
            "0:committed, and every shard has the new map and a leader",
            "1:refused or aborted; or the outcome is not known in time, and --nonce asks again",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry reshard apply --shards 8 --start-in 2m --config photon.yaml")
final class ReshardApplyCommand implements Callable<Integer> {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    @Mixin private ReshardCommand.Common common = new ReshardCommand.Common();
    @Mixin private ReshardCommand.Wanted wanted = new ReshardCommand.Wanted();

    @Option(
            names = "--nonce",
            paramLabel = "HEX",
            description =
                    "Resume the attempt for which an earlier 'apply' printed this nonce. You may"
                            + " then omit --shards, and --start-in counts only if the attempt never"
                            + " began.")
    private @Nullable String nonce;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for the outcome; default 2m.")
    private Duration patience = Duration.ofMinutes(2);

    /**
     * One run of the command.
     *
     * @param begun what there is: it may be another one than planned, if it was begun before
     * @param nonce of the attempt
     * @param begunAtNanos when it was asked for
     */
    private record Run(ReshardPlan plan, Begun begun, String nonce, long begunAtNanos) {
        boolean isResumed() {
            return !begun.isRefused() && begun.startMicros() != plan.startMicros();
        }
    }

    @Override
    public Integer call() {
        String known = nonce == null ? newNonce() : checked(nonce);
        if (nonce == null) {
            wanted.requireShards();
        }
        RegistryView view = common.look();
        ReshardPlan plan = wanted.plan(common, view);
        if (nonce == null && plan.isRefused()) {
            common.print(ReshardText.of(plan), ReshardDocument.of(plan));
            return CommandLine.ExitCode.SOFTWARE;
        }
        System.err.println("nonce " + known + " (to resume this attempt, use --nonce)");
        long deadline = System.nanoTime() + patience.toNanos();
        try (ReshardOperator operator =
                new ReshardOperator(common.addresses(view), common.pipeline(), common.security())) {
            return apply(operator, view, plan, known, deadline);
        } catch (RegistryUnavailableException e) {
            throw new FailedException(
                    e.getMessage()
                            + ". The registry continues: run 'apply' again with --nonce "
                            + known);
        }
    }

    private static String newNonce() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String checked(String hex) {
        if (!hex.matches("[0-9a-fA-F]{32}")) {
            throw new ConfigException("--nonce is '%s': expected 32 hex digits".formatted(hex));
        }
        return hex.toLowerCase(Locale.ROOT);
    }

    private Integer apply(
            ReshardOperator operator,
            RegistryView view,
            ReshardPlan plan,
            String known,
            long deadline) {
        UUID pipeline =
                Objects.requireNonNull(RegistryProtos.uuid(plan.pipeline().getUuid()), "uuid");
        long begunAt = System.nanoTime();
        // What would be refused is not begun, but may have been before.
        int shards = plan.isRefused() ? 0 : plan.shards();
        Begun begun =
                operator.begin(
                        new ReshardClient.Reshard(
                                pipeline,
                                plan.pipeline().getMap().getVersion(),
                                shards,
                                plan.startMicros(),
                                known),
                        left(deadline));
        Run run = new Run(plan, begun, known, begunAt);
        if (begun.isRefused()) {
            return ended(
                    run,
                    view,
                    "refused",
                    shards == 0 ? "no attempt began with this nonce" : begun.why());
        }
        if (wanted.hasShards() && wanted.shards() != begun.shards()) {
            throw new ConfigException(
                    "--shards is %s: expected %s, as in attempt %s of this nonce, or no --shards"
                            .formatted(wanted.shards(), begun.shards(), begun.attempt()));
        }
        Result result = operator.await(pipeline, begun.attempt(), left(deadline));
        if (result.end() != End.COMMITTED) {
            return ended(run, view, "aborted", result.why());
        }
        untilSettled(view, plan, result.mapVersion(), deadline);
        return ended(run, view, "committed", "");
    }

    /** Servers that do not answer, or lag, may do so yet. */
    private void untilSettled(
            RegistryView before, ReshardPlan plan, long mapVersion, long deadline) {
        while (true) {
            RegistryView view = common.lookOnce(common.addresses(before));
            boolean there =
                    ReshardState.of(view, common.pipeline())
                            .filter(
                                    state ->
                                            state.settled()
                                                    && state.pipeline().getMap().getVersion()
                                                            >= mapVersion)
                            .isPresent();
            if (there) {
                return;
            }
            if (view.dropped().stream()
                    .anyMatch(gone -> gone.getUuid().equals(plan.pipeline().getUuid()))) {
                throw new FailedException(
                        "the reshard is committed, but pipeline %s was dropped afterwards"
                                .formatted(common.pipeline()));
            }
            if (left(deadline).toNanos() <= 1_000_000) {
                throw new RegistryUnavailableException(
                        "The reshard is committed, but not every shard has yet reported the new map"
                                + " and a leader ('photon registry reshard status' shows them)");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    private Integer ended(Run run, RegistryView view, String end, String why) {
        boolean committed = end.equals("committed");
        long attempt = run.begun().attempt();
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - run.begunAtNanos());
        long refused =
                committed
                        ? refusedAtMostMillis(
                                took, run.begun().startMicros(), view.clocksAheadMicros().orElse(0))
                        : took;
        ObjectNode document =
                run.isResumed()
                        ? ReshardDocument.of(run.plan().pipeline(), run.begun())
                        : ReshardDocument.of(run.plan());
        document.put("nonce", run.nonce()).put("attempt", attempt).put("end", end).put("why", why);
        // Who began it has the times: since it was asked for again says nothing.
        document.put("tookMillis", run.isResumed() ? null : (Long) took)
                .put("refusedAtMostMillis", run.isResumed() ? null : (Long) refused);
        common.print(
                committed
                        ? committed(run, took, refused)
                        : "attempt %d %s: %s\n".formatted(attempt, end, why),
                document);
        return committed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static String committed(Run run, long took, long refused) {
        if (run.isResumed()) {
            return "attempt %d committed: every shard has the new map and a leader\n"
                    .formatted(run.begun().attempt());
        }
        return "attempt %d committed: every shard has the new map and a leader after %d ms\n%s\n"
                .formatted(
                        run.begun().attempt(),
                        took,
                        refused == 0
                                ? "no commit was refused: the new epoch begins later"
                                : "shards refused commits of ids of the new epoch, which clients"
                                        + " retry, for at most "
                                        + refused
                                        + " ms");
    }

    /**
     * Ids of the new epoch come from the start on at the earliest, less the greatest skew; by the
     * servers' clocks.
     */
    private static long refusedAtMostMillis(long tookMillis, long startMicros, long aheadMicros) {
        long skew = BatchLimits.DEFAULT_MAX_SKEW.toMillis();
        long now = System.currentTimeMillis() + TimeUnit.MICROSECONDS.toMillis(aheadMicros);
        long sinceFirst = now - (TimeUnit.MICROSECONDS.toMillis(startMicros) - skew);
        return Math.max(0, Math.min(tookMillis, sinceFirst));
    }
}
