package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ReshardDocument;
import photon.registry.admin.ReshardPlan;
import photon.registry.admin.ReshardState;
import photon.registry.admin.ReshardText;
import picocli.CommandLine;
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
            ReshardApplyCommand.class,
            ReshardCommand.Status.class,
            ReshardCancelCommand.class
        })
final class ReshardCommand {
    /** A start further away is a slip more often than not, and nothing can begin before it. */
    private static final Duration START_MAX = Duration.ofDays(1);

    /** What all of them are told. */
    static final class Common {
        @Mixin private LookOptions look = new LookOptions();
        @Mixin private OutputFormat output = new OutputFormat();

        @Mixin private PipelineOption named = new PipelineOption();

        private String pipeline = "";

        /** Of what was looked at. */
        String pipeline() {
            return pipeline;
        }

        List<HostPort> addresses(RegistryView view) {
            return look.addresses(view);
        }

        /**
         * What the servers know.
         *
         * @throws FailedException if none answers
         */
        RegistryView look() {
            RegistryView view = look.view();
            pipeline = named.name(look.pipeline(), view);
            return view;
        }

        /** What these servers know; perhaps none answers. */
        RegistryView lookOnce(List<HostPort> servers) {
            return RegistryView.of(look.poll().ask(servers));
        }

        /**
         * @throws FailedException if no server knows the pipeline
         */
        ReshardState state(RegistryView view) {
            PipelinesCommand.Registry.pipeline(view, pipeline);
            return ReshardState.of(view, pipeline).orElseThrow();
        }

        void print(String text, ObjectNode document) {
            output.print(() -> text, () -> document.toPrettyString() + "\n");
        }
    }

    /** What is wanted. */
    static final class Wanted {
        @Option(
                names = "--shards",
                paramLabel = "N",
                description = "How many shards the pipeline is to have.")
        private @Nullable Integer shards;

        @Option(
                names = "--start-in",
                paramLabel = "DURATION",
                description =
                        "From which time on ids belong to the new shards, counted from now by this machine's clock; default 2m."
                                + " Within a minute of now ids may come that wait until it is through. Up to 1d, see --far-start.")
        private Duration startIn = Duration.ofMinutes(2);

        @Option(
                names = "--far-start",
                description =
                        "Allows --start-in above 1d: no other epoch can begin before that one, and nothing takes it back.")
        private boolean farStart;

        boolean hasShards() {
            return shards != null;
        }

        /** 0: none are named. */
        int shards() {
            return shards == null ? 0 : shards;
        }

        /**
         * @throws ConfigException if they are not named
         */
        void requireShards() {
            if (shards == null) {
                throw new ConfigException(
                        "--shards is missing: expected how many shards the pipeline is to have");
            }
        }

        ReshardPlan plan(Common common, RegistryView view) {
            if (!farStart && startIn.compareTo(START_MAX) > 0) {
                throw new ConfigException(
                        "--start-in is '%s': expected up to 1d, or --far-start: no other epoch can begin before that one, and nothing takes it back"
                                .formatted(DurationText.of(startIn)));
            }
            PipelinesCommand.Registry.pipeline(view, common.pipeline);
            long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
            return ReshardPlan.of(
                            view,
                            common.pipeline,
                            shards(),
                            now + TimeUnit.NANOSECONDS.toMicros(startIn.toNanos()),
                            now,
                            common.look.datacenters())
                    .orElseThrow();
        }
    }

    /** Changes nothing. */
    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description =
                    "Shows what apply would do, and whether it would be refused; changes nothing.",
            exitCodeList = {
                "0:it can be begun",
                "1:it would be refused",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry reshard plan --shards 8 --config photon.yaml")
    static final class Plan implements Callable<Integer> {
        @Mixin private Common common = new Common();
        @Mixin private Wanted wanted = new Wanted();

        @Override
        public Integer call() {
            wanted.requireShards();
            ReshardPlan plan = wanted.plan(common, common.look());
            common.print(ReshardText.of(plan), ReshardDocument.of(plan));
            return plan.isRefused() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        }
    }

    /** Where it is. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description =
                    "Shows a pipeline's reshard attempts, each shard's map, and when old epochs are dropped.",
            exitCodeList = {
                "0:nothing is under way",
                "1:something is, or some shard has no leader",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry reshard status --config photon.yaml")
    static final class Status implements Callable<Integer> {
        @Mixin private Common common = new Common();

        @Override
        public Integer call() {
            ReshardState state = common.state(common.look());
            common.print(ReshardText.of(state), ReshardDocument.of(state));
            return state.settled() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
