package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.server.resets.IndexRebuild;
import photon.server.resets.IndexRebuild.Plan;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Has an event store build its index anew. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description = {
            "Drops the index of an event store of the configuration's datacenter, on this machine, so that the event store builds it anew from the primary logs at its next start. It prints a plan first.",
            "Until the event store has read its logs again, events wait for their primary events, or another event store or datacenter answers. Nothing is joined twice. Primary events whose logs are gone are not found any more.",
            "Stop the event store first: the command refuses while it works."
        },
        exitCodeList = {
            "0:dropped, or there is no index; with --dry-run: planned",
            "1:not dropped: the event store works, you did not confirm, a directory of primary.paths is not there, or a file cannot be deleted",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon eventstore rebuild --dry-run --config photon.yaml",
            "  photon eventstore rebuild --name eventstore-1 --yes --config photon.yaml"
        })
final class EventStoreRebuildCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @CommandLine.Mixin private ConfigOption configured = new ConfigOption();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "The event store's name in deployment.eventStores; default eventstore-0, or the only one.")
    private String name = "";

    @Option(names = "--dry-run", description = "Print the plan, and change nothing.")
    private boolean dryRun;

    @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

    @Override
    public Integer call() {
        Path config = configured.file();
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
        try (IndexRebuild rebuild =
                IndexRebuild.open(
                        new HadoopFileStore(loaded.hadoop()),
                        loaded.pipeline().primary(),
                        deployment,
                        name)) {
            Plan plan = rebuild.plan();
            if (dryRun || plan.changesNothing()) {
                String outcome = dryRun ? "planned" : "there is no index on this machine";
                output.print(
                        () -> text(deployment.datacenter(), plan) + outcome + "\n",
                        () -> json(deployment.datacenter(), plan, outcome));
                return CommandLine.ExitCode.OK;
            }
            output.say(text(deployment.datacenter(), plan).stripTrailing());
            confirm(plan);
            rebuild.apply();
            output.print(
                    () -> "dropped: the event store builds it anew when it starts\n",
                    () -> json(deployment.datacenter(), plan, "dropped"));
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            throw new FailedException("not dropped, or not all of it: " + IoText.of(e));
        }
    }

    private void confirm(Plan plan) throws IOException {
        if (!plan.missing().isEmpty()) {
            throw new FailedException(
                    "not dropped: %s of primary.paths is not there, so its logs could not be read again. Mount it, or take it out of the configuration"
                            .formatted(String.join(", ", plan.missing())));
        }
        if (!confirmation.isGiven(
                plan.store(), "Type the event store's name to drop its index: ")) {
            throw new FailedException(
                    "not dropped: expected the name %s, or --yes".formatted(plan.store()));
        }
    }

    private static String text(String datacenter, Plan plan) {
        StringBuilder text = new StringBuilder();
        line(text, "event store %s of %s", plan.store(), datacenter);
        line(text, "  dropped: %s, %,d bytes", plan.index(), plan.indexBytes());
        line(text, "  read from their start: %,d logs, %,d bytes", plan.logs(), plan.logBytes());
        plan.missing().forEach(missing -> line(text, "  NOT THERE: %s", missing));
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String json(String datacenter, Plan plan, String outcome) {
        ObjectNode node = JSON.createObjectNode();
        node.put("datacenter", datacenter)
                .put("eventStore", plan.store())
                .put("outcome", outcome)
                .put("index", plan.index())
                .put("indexBytes", plan.indexBytes())
                .put("logs", plan.logs())
                .put("logBytes", plan.logBytes());
        plan.missing().forEach(node.putArray("missing")::add);
        return node.toPrettyString() + "\n";
    }
}
