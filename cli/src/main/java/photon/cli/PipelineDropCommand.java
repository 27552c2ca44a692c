package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import photon.core.error.FailedException;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.PipelineStatus;
import photon.registry.admin.PipelinesText;
import photon.registry.admin.RegistryView;
import photon.registry.api.RegistryProtos;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Drops a pipeline. */
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        description = {
            "Permanently drops a pipeline: every server deletes its groups and ids. A server that is down deletes them when it is back.",
            "Daemons whose state or output directory has the pipeline's UUID are refused permanently. A new pipeline may use the name again.",
            "The command does not touch output files, state directories and input logs."
        },
        exitCodeList = {
            "0:dropped, now or before",
            "1:not dropped: the pipeline never existed, incarnations are live, you did not confirm, or the registry does not answer",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry pipelines drop ads --config photon.yaml")
final class PipelineDropCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @Parameters(paramLabel = "NAME", description = "The pipeline's name.")
    private String name = "";

    @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--force",
            description =
                    "Drop the pipeline although joiners are registered and not fenced. They can commit nothing from then on.")
    private boolean force;

    @Override
    public Integer call() throws IOException {
        RegistryView view = registry.view();
        if (view.pipeline(name).isEmpty() && view.lastDropped(name).isPresent()) {
            DroppedPipeline gone = view.lastDropped(name).get();
            print(
                    "pipeline %s, UUID %s, was dropped before, at index %d of the control group"
                            .formatted(name, RegistryProtos.uuid(gone.getUuid()), gone.getIndex()),
                    gone,
                    true);
            return CommandLine.ExitCode.OK;
        }
        PipelineStatus pipeline = PipelinesCommand.Registry.pipeline(view, name);
        output.say(
                "pipeline %s, UUID %s: %d servers will delete %s shards with %s, and the history of %d open incarnations (%d live)"
                        .formatted(
                                name,
                                RegistryProtos.uuid(pipeline.getUuid()),
                                view.servers().size(),
                                PipelinesText.shards(pipeline),
                                PipelinesText.ids(view, pipeline),
                                pipeline.getOpenIncarnations(),
                                pipeline.getLiveIncarnations()));
        if (!confirmation.isGiven(name, "Type the pipeline's name to drop it: ")) {
            throw new FailedException(
                    "not dropped: expected the name %s as confirmation, or --yes".formatted(name));
        }
        DropPipelineRequest request =
                DropPipelineRequest.newBuilder()
                        .setPipeline(pipeline.getUuid())
                        .setForce(force)
                        .build();
        DropPipelineResponse answer = registry.ask(view, pipelines -> pipelines.drop(request));
        switch (answer.getVerdict()) {
            case DROPPED ->
                    print(
                            "dropped, at index %d of the control group: the servers delete it now"
                                    .formatted(answer.getDropped().getIndex()),
                            answer.getDropped(),
                            false);
            case INCARNATIONS_LIVE ->
                    throw new FailedException(
                            "not dropped: these joiners are live: %s. Stop them, or use --force"
                                    .formatted(
                                            answer.getLiveList().stream()
                                                    .map(
                                                            live ->
                                                                    live.getSlotName()
                                                                            + " at "
                                                                            + live.getAddress())
                                                    .collect(Collectors.joining(", "))));
            default ->
                    throw new FailedException(
                            "not dropped: the registry no longer knows pipeline %s"
                                    .formatted(name));
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(String text, DroppedPipeline dropped, boolean before) {
        output.print(
                () -> text + "\n",
                () ->
                        new ObjectMapper()
                                        .createObjectNode()
                                        .put("pipeline", name)
                                        .put(
                                                "uuid",
                                                String.valueOf(
                                                        RegistryProtos.uuid(dropped.getUuid())))
                                        .put("outcome", before ? "dropped before" : "dropped")
                                        .put("index", dropped.getIndex())
                                + "\n");
    }
}
