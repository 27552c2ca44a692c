package photon.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.cli.registry.PipelinesText;
import photon.core.error.ConfigException;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a pipeline's settings. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = {
            "Changes settings of a pipeline; those that are not named stay. It takes effect within a moment, without a restart.",
            "A shorter retention drops ids that are older, for good: events of that age that come late are refused as too old."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:set",
            "1:there is no such pipeline, or the registry refuses it or does not answer",
            "2:wrong usage or configuration"
        })
final class PipelineSetCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @Parameters(paramLabel = "NAME", description = "The pipeline's name.")
    private String name = "";

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            description = "How long ids are kept, such as 3d, or unlimited.")
    private @Nullable String retention;

    @Option(
            names = "--waiting-ids",
            paramLabel = "N",
            description =
                    "Ids that may wait for the log in each shard: 4096 to 4194304; 0: the servers' own bound.")
    private @Nullable Integer waitingIds;

    @Option(
            names = "--share-weight",
            paramLabel = "N",
            description =
                    "How much of a server it is given when several pipelines want more than there is: 1 to 10000; 0: as by default, 100.")
    private @Nullable Integer shareWeight;

    @Override
    public Integer call() {
        SetPipelineRequest.Builder change = SetPipelineRequest.newBuilder();
        if (retention != null) {
            change.setRetentionMicros(PipelinesCommand.retentionMicros(retention));
        }
        if (waitingIds != null) {
            change.setWaitingIdsPerShard(waitingIds);
        }
        if (shareWeight != null) {
            change.setShareWeight(shareWeight);
        }
        if (change.build().equals(SetPipelineRequest.getDefaultInstance())) {
            throw new ConfigException(
                    "Expected at least one of --retention, --waiting-ids and --share-weight");
        }
        SetPipelineRequest request =
                change.setPipeline(
                                PipelinesCommand.Registry.pipeline(registry.view(), name).getUuid())
                        .build();
        SetPipelineResponse answer = registry.ask(pipelines -> pipelines.set(request));
        switch (answer.getVerdict()) {
            case SET ->
                    System.out.printf(
                            "pipeline %s: %s%n",
                            name, PipelinesText.settings(answer.getSettings()));
            case BAD_SETTINGS ->
                    throw new Photon.FailedException(
                            "the registry refuses it: expected limits as --help tells them");
            default ->
                    throw new Photon.FailedException(
                            "pipeline %s was dropped meanwhile".formatted(name));
        }
        return CommandLine.ExitCode.OK;
    }
}
