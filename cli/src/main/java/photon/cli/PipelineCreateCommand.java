package photon.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.idregistry.control.PipelineLimits;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Pipeline;
import photon.proto.v1.PipelineSettings;
import photon.registry.admin.PipelinesText;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.storage.format.IdentityFingerprint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a pipeline. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = {
            "Creates a pipeline. With --config, it takes the settings that you do not name from that file's pipeline.",
            "If the pipeline already exists with the same settings, the command changes nothing."
        },
        exitCodeList = {
            "0:the pipeline exists",
            "1:the pipeline exists with other settings, or the registry refuses it or does not answer",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon registry pipelines create ads --config photon.yaml",
            "  photon registry pipelines create ads --servers r0.example:7200 --shards 4 --retention 3d --identity-fingerprint TEXT"
        })
final class PipelineCreateCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Parameters(
            paramLabel = "NAME",
            description = "The pipeline's name: " + PipelineLimits.NAME_EXPECTED + ".")
    private String name = "";

    @Option(
            names = "--shards",
            paramLabel = "N",
            description =
                    "Number of shards, the Raft groups that share the pipeline's ids: 1 to 1024.")
    private @Nullable Integer shards;

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            description =
                    "How long the registry keeps ids, such as 3d, or unlimited, the default without --config.")
    private @Nullable String retention;

    @Option(
            names = "--identity-fingerprint",
            paramLabel = "TEXT",
            description =
                    "Fingerprint of the settings that decide identity. With --config, Photon computes it from that file.")
    private @Nullable String fingerprint;

    @Option(
            names = "--waiting-ids",
            paramLabel = "N",
            description =
                    "How many ids may wait for the Raft log in each shard: 4096 to 4194304. 0, the default, means the servers' own limit.")
    private int waitingIds;

    @Option(
            names = "--share-weight",
            paramLabel = "N",
            description =
                    "Weight of the pipeline when several pipelines compete for a server: 1 to 10000; default 100.")
    private int shareWeight;

    @Override
    public Integer call() {
        if (!PipelineLimits.NAME.matcher(name).matches()) {
            throw new ConfigException(
                    "NAME is '%s': expected %s".formatted(name, PipelineLimits.NAME_EXPECTED));
        }
        OpenPipelineRequest wanted = wanted();
        OpenPipelineResponse answer = registry.ask(pipelines -> pipelines.open(wanted));
        if (!answer.hasPipeline()) {
            throw new FailedException(
                    "the registry refuses the pipeline (%s): check whether a server runs an older release"
                            .formatted(answer.getVerdict()));
        }
        Pipeline held = answer.getPipeline();
        boolean made = isMade(wanted, answer);
        if (!made) {
            List<String> differs = differences(wanted, held);
            if (!differs.isEmpty()) {
                throw new FailedException(
                        "pipeline %s already exists with other settings: %s"
                                .formatted(name, String.join("; ", differs)));
            }
        }
        int epochs = held.getMap().getEpochsCount();
        int shardsNow = held.getMap().getEpochs(epochs - 1).getShards();
        output.print(
                () ->
                        "pipeline %s %s: UUID %s, %s shards, %s\n"
                                .formatted(
                                        name,
                                        made ? "created" : "already exists",
                                        RegistryProtos.uuid(held.getUuid()),
                                        shardsNow,
                                        PipelinesText.settings(held.getSettings())),
                () ->
                        PipelinesText.json(name, held.getUuid(), held.getSettings())
                                        .put("outcome", made ? "made" : "is there already")
                                        .put("shards", shardsNow)
                                + "\n");
        return CommandLine.ExitCode.OK;
    }

    /** By this request, or by its first copy: the answer to a later one is that it is there. */
    static boolean isMade(OpenPipelineRequest wanted, OpenPipelineResponse answer) {
        return answer.getMade() || answer.getPipeline().getUuid().equals(wanted.getUuid());
    }

    private OpenPipelineRequest wanted() {
        Optional<PipelineConfig> config = registry.where().pipeline();
        if (config.isPresent() && !config.get().pipeline().equals(name)) {
            throw new ConfigException(
                    "NAME is '%s', but the configuration's pipeline is %s: expected the same name"
                            .formatted(name, config.get().pipeline()));
        }
        Integer count = shards;
        if (count == null) {
            count =
                    config.map(
                                    c ->
                                            c.limits()
                                                    .registryShards()
                                                    .orElse(PipelineConfig.Limits.SHARDS))
                            .orElseThrow(
                                    () ->
                                            new ConfigException(
                                                    "--shards is missing: expected it, or --config to take it from"));
        }
        String identity = fingerprint;
        if (identity == null) {
            identity =
                    config.map(IdentityFingerprint::of)
                            .orElseThrow(
                                    () ->
                                            new ConfigException(
                                                    "--identity-fingerprint is missing: expected it, or --config to compute it from"));
        }
        if (count < 1 || count > ShardMap.SHARDS_MAX) {
            throw new ConfigException(
                    "--shards is %s: expected 1 to %s".formatted(count, ShardMap.SHARDS_MAX));
        }
        return OpenPipelineRequest.newBuilder()
                .setName(name)
                .setUuid(RegistryProtos.bytes(UUID.randomUUID()))
                .setIdentityFingerprint(identity)
                .setShards(count)
                .setSettings(
                        PipelineSettings.newBuilder()
                                .setRetentionMicros(retentionMicros(config))
                                .setWaitingIdsPerShard(PipelinesCommand.waitingIds(waitingIds))
                                .setShareWeight(PipelinesCommand.shareWeight(shareWeight)))
                .build();
    }

    private long retentionMicros(Optional<PipelineConfig> config) {
        return retention != null
                ? PipelinesCommand.retentionMicros(retention, config)
                : config.flatMap(PipelineConfig::retention)
                        .map(Duration::toNanos)
                        .map(TimeUnit.NANOSECONDS::toMicros)
                        .orElse(0L);
    }

    private static List<String> differences(OpenPipelineRequest wanted, Pipeline held) {
        List<String> all = new ArrayList<>();
        int shards = held.getMap().getEpochs(held.getMap().getEpochsCount() - 1).getShards();
        difference(all, "shards", shards, wanted.getShards());
        difference(
                all,
                "identity fingerprint",
                held.getIdentityFingerprint(),
                wanted.getIdentityFingerprint());
        PipelineSettings is = held.getSettings();
        PipelineSettings asked = wanted.getSettings();
        difference(
                all,
                "retention",
                PipelinesText.retention(is.getRetentionMicros()),
                PipelinesText.retention(asked.getRetentionMicros()));
        difference(
                all,
                "waiting ids per shard",
                is.getWaitingIdsPerShard(),
                asked.getWaitingIdsPerShard());
        difference(all, "share weight", PipelineLimits.weight(is), PipelineLimits.weight(asked));
        return all;
    }

    private static void difference(List<String> into, String what, Object is, Object asked) {
        if (!is.equals(asked)) {
            into.add("%s %s, not %s".formatted(what, is, asked));
        }
    }
}
