package photon.cli;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.registry.admin.PipelinesText;
import photon.registry.admin.RegistryView;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a pipeline's settings. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = {
            "Changes settings of a pipeline, and leaves those that you do not name as they are. The change takes effect within a moment, without a restart.",
            "A shorter retention permanently drops older ids, and the registry then refuses late events of that age as too old. The command prints the time in question and asks for confirmation."
        },
        exitCodeList = {
            "0:the settings are changed",
            "1:the pipeline does not exist, you did not confirm, or the registry refuses the change or does not answer",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry pipelines set ads --retention 3d --config photon.yaml")
final class PipelineSetCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @Parameters(paramLabel = "NAME", description = "The pipeline's name.")
    private String name = "";

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            description =
                    "How long the registry keeps ids, such as 3d, or unlimited. With --config, it must exceed limits.expiryMargin of that file.")
    private @Nullable String retention;

    @Option(
            names = "--waiting-ids",
            paramLabel = "N",
            description =
                    "How many ids may wait for the Raft log in each shard: 4096 to 4194304. 0 means the servers' own limit.")
    private @Nullable Integer waitingIds;

    @Option(
            names = "--share-weight",
            paramLabel = "N",
            description =
                    "Weight of the pipeline when several pipelines compete for a server: 1 to 10000. 0 restores the default, 100.")
    private @Nullable Integer shareWeight;

    @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
        SetPipelineRequest.Builder change = change();
        RegistryView view = registry.view();
        PipelineStatus pipeline = PipelinesCommand.Registry.pipeline(view, name);
        if (change.hasRetentionMicros()
                && isShorter(change.getRetentionMicros(), pipeline)
                && !mayShorten(change.getRetentionMicros(), view, pipeline)) {
            throw new FailedException(
                    "nothing was changed: expected the name %s as confirmation, or --yes"
                            .formatted(name));
        }
        SetPipelineRequest request = change.setPipeline(pipeline.getUuid()).build();
        SetPipelineResponse answer = registry.ask(view, pipelines -> pipelines.set(request));
        switch (answer.getVerdict()) {
            case SET ->
                    output.print(
                            () ->
                                    "pipeline %s: %s\n"
                                            .formatted(
                                                    name,
                                                    PipelinesText.settings(answer.getSettings())),
                            () ->
                                    PipelinesText.json(
                                                    name, pipeline.getUuid(), answer.getSettings())
                                            + "\n");
            case BAD_SETTINGS ->
                    throw new FailedException(
                            "the registry refuses the settings (BAD_SETTINGS): check whether a server runs an older release");
            default ->
                    throw new FailedException(
                            "nothing was changed: pipeline %s was dropped in the meantime"
                                    .formatted(name));
        }
        return CommandLine.ExitCode.OK;
    }

    private SetPipelineRequest.Builder change() {
        SetPipelineRequest.Builder change = SetPipelineRequest.newBuilder();
        if (retention != null) {
            change.setRetentionMicros(
                    PipelinesCommand.retentionMicros(
                            retention,
                            registry.where()
                                    .pipeline()
                                    .filter(config -> config.pipeline().equals(name))));
        }
        if (waitingIds != null) {
            change.setWaitingIdsPerShard(PipelinesCommand.waitingIds(waitingIds));
        }
        if (shareWeight != null) {
            change.setShareWeight(PipelinesCommand.shareWeight(shareWeight));
        }
        if (change.build().equals(SetPipelineRequest.getDefaultInstance())) {
            throw new ConfigException(
                    "no setting is named: expected at least one of --retention, --waiting-ids and --share-weight");
        }
        return change;
    }

    private static boolean isShorter(long micros, PipelineStatus pipeline) {
        long now = pipeline.getSettings().getRetentionMicros();
        return micros > 0 && (now == 0 || micros < now);
    }

    /** Ids that the boundary passes are gone, and no longer retention brings them back. */
    private boolean mayShorten(long micros, RegistryView view, PipelineStatus pipeline)
            throws IOException {
        Instant now = Instant.now().plus(view.clocksAheadMicros().orElse(0), ChronoUnit.MICROS);
        output.say(
                "pipeline %s: the retention changes from %s to %s. The boundary moves to %s, in steps while joiners are live. Of the pipeline's %s, the registry permanently drops the older ones, and it refuses older events as too old"
                        .formatted(
                                name,
                                PipelinesText.retention(
                                        pipeline.getSettings().getRetentionMicros()),
                                PipelinesText.retention(micros),
                                now.minus(micros, ChronoUnit.MICROS)
                                        .truncatedTo(ChronoUnit.SECONDS),
                                PipelinesText.ids(view, pipeline)));
        return confirmation.isGiven(name, "Type the pipeline's name to shorten its retention: ");
    }
}
