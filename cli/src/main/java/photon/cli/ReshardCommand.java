package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import photon.cli.registry.RegistryView;
import photon.cli.registry.ReshardDocument;
import photon.cli.registry.ReshardOperator;
import photon.cli.registry.ReshardPlan;
import photon.cli.registry.ReshardState;
import photon.cli.registry.ReshardText;
import photon.cli.registry.StatusPoll;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.idregistry.api.RegistryUnavailableException;
import photon.idregistry.api.ReshardClient;
import photon.idregistry.api.ReshardClient.Begun;
import photon.idregistry.api.ReshardClient.End;
import photon.idregistry.api.ReshardClient.Result;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.RegistryServerConfig;
import photon.proto.v1.ReshardAttempt;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Another number of shards for a pipeline, while ids flow. */
@Command(
        name = "reshard",
        mixinStandardHelpOptions = true,
        description = {
            "Gives a pipeline another number of shards, more or fewer, while ids flow.",
            "Ids from a start time on belong to the new shards; nothing is moved. Once begun, the registry carries it out by itself."
        },
        subcommands = {
            ReshardCommand.Plan.class,
            ReshardCommand.Apply.class,
            ReshardCommand.Status.class,
            ReshardCommand.Cancel.class
        })
final class ReshardCommand implements Runnable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected a command: plan, apply, status or cancel");
    }

    /** What all of them are told. */
    static final class Common {
        @ArgGroup(multiplicity = "1")
        private RegistryCommand.Where where = new RegistryCommand.Where();

        @Option(
                names = "--pipeline",
                required = true,
                paramLabel = "NAME",
                description = "The pipeline.")
        private String pipeline = "";

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                description = "One of: ${COMPLETION-CANDIDATES}; default text.")
        private RegistryCommand.Format format = RegistryCommand.Format.TEXT;

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description = "How long to wait for a server, such as 3s, the default.")
        private String timeout = "3s";

        RegistryView look() {
            return RegistryView.of(
                    new StatusPoll(RegistryCommand.duration("--timeout", timeout))
                            .ask(where.addresses()));
        }

        ConfigException unknown(RegistryView view) {
            return new ConfigException(
                    view.pipelines().isEmpty()
                            ? "no server answers, or none knows a pipeline"
                            : "--pipeline is '%s': expected one of %s"
                                    .formatted(
                                            pipeline,
                                            view.pipelines().stream()
                                                    .map(known -> known.getName())
                                                    .toList()));
        }

        void print(String text, ObjectNode document) {
            System.out.print(
                    format == RegistryCommand.Format.JSON
                            ? document.toPrettyString() + "\n"
                            : text);
            System.out.flush();
        }
    }

    /** What is wanted. */
    static final class Wanted {
        @Option(
                names = "--shards",
                required = true,
                paramLabel = "N",
                description = "How many shards the pipeline is to have.")
        private int shards;

        @Option(
                names = "--start-in",
                paramLabel = "DURATION",
                description =
                        "From which time on ids belong to the new shards, counted from now; default 2m."
                                + " Within a minute of now ids may come that wait until it is through.")
        private String startIn = "2m";

        private ReshardPlan plan(Common common, RegistryView view) {
            long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
            long start =
                    now
                            + TimeUnit.NANOSECONDS.toMicros(
                                    RegistryCommand.duration("--start-in", startIn).toNanos());
            return ReshardPlan.of(
                            view, common.pipeline, shards, start, now, common.where.datacenters())
                    .orElseThrow(() -> common.unknown(view));
        }
    }

    /** Changes nothing. */
    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description =
                    "Shows what apply would do, and whether it would be refused; changes nothing.",
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:it can be begun",
                "1:it would be refused",
                "2:wrong usage or configuration"
            })
    static final class Plan implements Callable<Integer> {
        @Mixin private Common common = new Common();
        @Mixin private Wanted wanted = new Wanted();

        @Override
        public Integer call() {
            ReshardPlan plan = wanted.plan(common, common.look());
            common.print(ReshardText.of(plan), ReshardDocument.of(plan));
            return plan.isRefused() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        }
    }

    /** Begins, and waits for the end. */
    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = {
                "Begins a reshard and waits until it is decided and every shard has the new map and a leader.",
                "It may be interrupted: the registry goes on, and --nonce finds the same attempt again."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:committed, and every shard is there",
                "1:refused or aborted; or not known in time, and then --nonce asks again",
                "2:wrong usage or configuration"
            })
    static final class Apply implements Callable<Integer> {
        @Mixin private Common common = new Common();
        @Mixin private Wanted wanted = new Wanted();

        @Option(
                names = "--nonce",
                paramLabel = "HEX",
                description = "Goes on with the attempt that an apply before printed this for.")
        private @Nullable String nonce;

        @Option(
                names = "--wait",
                paramLabel = "DURATION",
                description = "How long to wait for the end, default 2m.")
        private String patience = "2m";

        @Override
        public Integer call() {
            RegistryView view = common.look();
            ReshardPlan plan = wanted.plan(common, view);
            String known = nonce == null ? newNonce() : checked(nonce);
            if (nonce == null && plan.isRefused()) {
                common.print(ReshardText.of(plan), ReshardDocument.of(plan));
                return CommandLine.ExitCode.SOFTWARE;
            }
            System.err.println("nonce " + known + " (goes on with this attempt: --nonce)");
            long deadline =
                    System.nanoTime() + RegistryCommand.duration("--wait", patience).toNanos();
            try (ReshardOperator operator = new ReshardOperator(services(view), common.pipeline)) {
                return apply(operator, plan, known, deadline);
            } catch (RegistryUnavailableException e) {
                throw new Photon.FailedException(
                        e.getMessage() + "; the registry goes on. Ask again with --nonce " + known);
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
                ReshardOperator operator, ReshardPlan plan, String known, long deadline) {
            UUID pipeline = uuid(plan);
            long begunAt = System.nanoTime();
            Begun begun =
                    operator.begin(
                            new ReshardClient.Reshard(
                                    pipeline,
                                    plan.pipeline().getMap().getVersion(),
                                    plan.shards(),
                                    plan.startMicros(),
                                    known),
                            left(deadline));
            if (begun.isRefused()) {
                return ended(plan, known, 0, "refused", begun.why(), begunAt, 0);
            }
            Result result = operator.await(pipeline, begun.attempt(), left(deadline));
            if (result.end() != End.COMMITTED) {
                return ended(plan, known, begun.attempt(), "aborted", result.why(), begunAt, 0);
            }
            ReshardState state = untilSettled(result.mapVersion(), deadline);
            return ended(
                    plan,
                    known,
                    begun.attempt(),
                    "committed",
                    "",
                    begunAt,
                    startOf(state, begun.attempt()));
        }

        private ReshardState untilSettled(long mapVersion, long deadline) {
            while (true) {
                RegistryView view = common.look();
                ReshardState state =
                        ReshardState.of(view, common.pipeline)
                                .orElseThrow(() -> common.unknown(view));
                if (state.settled() && state.pipeline().getMap().getVersion() >= mapVersion) {
                    return state;
                }
                if (left(deadline).toNanos() <= 1_000_000) {
                    throw new RegistryUnavailableException(
                            "It is committed, but not every shard has the new map and a leader yet: see photon registry reshard status");
                }
                LockSupport.parkNanos(LOOK_EVERY.toNanos());
            }
        }

        private static long startOf(ReshardState state, long attempt) {
            return state.attempts().stream()
                    .filter(known -> known.getNumber() == attempt)
                    .mapToLong(ReshardAttempt::getStartMicros)
                    .findFirst()
                    .orElse(Long.MIN_VALUE);
        }

        private static Duration left(long deadline) {
            return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
        }

        private Integer ended(
                ReshardPlan plan,
                String known,
                long attempt,
                String end,
                String why,
                long begunAt,
                long startMicros) {
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunAt);
            boolean committed = end.equals("committed");
            long refused = committed ? refusedAtMostMillis(took, startMicros) : took;
            ObjectNode document = ReshardDocument.of(plan);
            document.put("nonce", known)
                    .put("attempt", attempt)
                    .put("end", end)
                    .put("why", why)
                    .put("tookMillis", took)
                    .put("refusedAtMostMillis", refused);
            if (committed) {
                document.put("startMicros", startMicros);
            }
            String text =
                    committed
                            ? "attempt %d committed: every shard has the new map and a leader after %d ms\n%s\n"
                                    .formatted(
                                            attempt,
                                            took,
                                            refused == 0
                                                    ? "no commit was refused: the new epoch begins later"
                                                    : "commits of ids of the new epoch were refused, to be asked again, for at most "
                                                            + refused
                                                            + " ms")
                            : "attempt %d %s: %s\n".formatted(attempt, end, why);
            common.print(text, document);
            return committed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }

        /** Ids of the new epoch come from the start on at the earliest, less the greatest skew. */
        private static long refusedAtMostMillis(long tookMillis, long startMicros) {
            long skew = RegistryServerConfig.DEFAULT_MAX_SKEW.toMillis();
            long sinceFirst =
                    System.currentTimeMillis()
                            - (TimeUnit.MICROSECONDS.toMillis(startMicros) - skew);
            return Math.max(0, Math.min(tookMillis, sinceFirst));
        }
    }

    private static List<HostPort> services(RegistryView view) {
        return view.servers().stream().map(server -> HostPort.parse(server.service())).toList();
    }

    private static UUID uuid(ReshardPlan plan) {
        return Objects.requireNonNull(ControlState.uuid(plan.pipeline().getUuid()), "uuid");
    }

    /** Where it is. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description =
                    "Shows a pipeline's reshard attempts, each shard's map, and when old epochs are dropped.",
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:nothing is under way",
                "1:something is, or some shard has no leader",
                "2:wrong usage or configuration"
            })
    static final class Status implements Callable<Integer> {
        @Mixin private Common common = new Common();

        @Override
        public Integer call() {
            RegistryView view = common.look();
            ReshardState state =
                    ReshardState.of(view, common.pipeline).orElseThrow(() -> common.unknown(view));
            common.print(ReshardText.of(state), ReshardDocument.of(state));
            return state.settled() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** Asks for an abort. */
    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = {
                "Asks the control group to abort the attempt that is under way, or the one of that number.",
                "It may be committed before: the answer says which."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:aborted, now or before",
                "1:committed before; or there is no such attempt",
                "2:wrong usage or configuration"
            })
    static final class Cancel implements Callable<Integer> {
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        @Mixin private Common common = new Common();

        @Option(
                names = "--attempt",
                paramLabel = "N",
                description = "The attempt; default the one that is under way.")
        private @Nullable Long number;

        @Override
        public Integer call() {
            RegistryView view = common.look();
            ReshardState state =
                    ReshardState.of(view, common.pipeline).orElseThrow(() -> common.unknown(view));
            long attempt = number != null ? number : open(state);
            UUID pipeline = Objects.requireNonNull(ControlState.uuid(state.pipeline().getUuid()));
            try (ReshardOperator operator = new ReshardOperator(services(view), common.pipeline)) {
                Result result = operator.cancel(pipeline, attempt, PATIENCE);
                String end = result.end().name().toLowerCase(Locale.ROOT);
                ObjectNode document = ReshardDocument.of(state);
                document.put("attempt", attempt).put("end", end);
                common.print(
                        "attempt %d: %s\n"
                                .formatted(
                                        attempt, result.end() == End.REFUSED ? result.why() : end),
                        document);
                return result.end() == End.ABORTED
                        ? CommandLine.ExitCode.OK
                        : CommandLine.ExitCode.SOFTWARE;
            } catch (RegistryUnavailableException e) {
                throw new Photon.FailedException(String.valueOf(e.getMessage()));
            }
        }

        private static long open(ReshardState state) {
            if (state.pipeline().getOpenAttemptsCount() == 0) {
                throw new ConfigException("No attempt is under way: expected --attempt");
            }
            return state.pipeline().getOpenAttempts(0);
        }
    }
}
