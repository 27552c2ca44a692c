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
import photon.core.rpc.RpcSecurity;
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
            "Changes a pipeline's number of shards while ids flow.",
            "Ids from a start time on belong to the new shards; Photon moves no ids. Once a reshard has begun, the registry completes it by itself."
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
        @Mixin private OutputOption output = new OutputOption();

        @Mixin private PipelineOption named = new PipelineOption();

        private String pipeline = "";

        /** Of what was looked at. */
        String pipeline() {
            return pipeline;
        }

        RpcSecurity security() {
            return look.security();
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
                description = "The pipeline's new number of shards.")
        private @Nullable Integer shards;

        @Option(
                names = "--start-in",
                paramLabel = "DURATION",
                description =
                        "How far the start time is from now, by this machine's clock. Ids with later timestamps belong to the new shards. Default 2m, up to 1d (see --far-start). If it is less than a minute, commits of new ids may have to wait until the reshard is complete.")
        private Duration startIn = Duration.ofMinutes(2);

        @Option(
                names = "--far-start",
                description =
                        "Allow --start-in above 1d. No other epoch can begin before that one, and you cannot take it back.")
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
                        "--shards is missing: expected the pipeline's new number of shards");
            }
        }

        ReshardPlan plan(Common common, RegistryView view) {
            if (!farStart && startIn.compareTo(START_MAX) > 0) {
                throw new ConfigException(
                        "--start-in is '%s': expected up to 1d. --far-start allows more, but no other epoch can begin before that one, and you cannot take it back"
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
                    "Shows what 'apply' would do, and whether the registry would refuse it. The command changes nothing.",
            exitCodeList = {
                "0:the reshard can begin",
                "1:the registry would refuse the reshard",
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
                    "Shows a pipeline's reshard attempts, each shard's map, and when the registry drops old epochs.",
            exitCodeList = {
                "0:no reshard is under way",
                "1:a reshard is under way, or a shard has no leader",
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
