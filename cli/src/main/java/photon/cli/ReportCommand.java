package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.proto.v1.PipelineStatus;
import photon.registry.admin.LeaderCalls;
import photon.registry.admin.RegistryView;
import photon.registry.admin.RepeatedLook;
import photon.registry.admin.ReportRun;
import photon.registry.admin.RestoreCalls;
import photon.registry.admin.RestoreText;
import photon.registry.admin.ServerCalls;
import photon.registry.admin.VoidsFile;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.server.datacenters.DatacenterPaths;
import photon.server.roles.WrittenOutput;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.OutputDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells a restored registry what a datacenter has published. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = {
            "Reports to a registry that was restored from a backup what this datacenter has"
                    + " published: it seals the joiners' work directories, publishes what is complete"
                    + " in them, compares published files with their manifests, and sends the"
                    + " manifests' ids.",
            "Run it for each datacenter, where its output is, with its own configuration, and with"
                    + " its joiners stopped. You may run it again."
        },
        exitCodeList = {
            "0:reported, now or before",
            "1:not reported: files differ from their manifests, published events are void"
                    + " (--voids), or the registry waits for no report or does not answer",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry report --config photon.yaml")
final class ReportCommand implements Callable<Integer> {
    @CommandLine.Mixin private ConfigOption configured = new ConfigOption();

    @CommandLine.Mixin private OutputOption format = new OutputOption();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description =
                    "How long to wait for a server to answer, and then as long again for each"
                            + " decision of the registry; default 20s.")
    private Duration timeout = Duration.ofSeconds(20);

    @Option(
            names = "--voids",
            paramLabel = "FILE",
            description =
                    "Write the published events that are void into this file, which must not exist"
                            + " yet. Only a datacenter that was declared lost or not named can have"
                            + " void events. Each line has an id, its token and a reason, separated by"
                            + " tabs: 'taken' if the registry holds the id for another joiner, or"
                            + " 'forgotten' if the registry has dropped the id, so that only the other"
                            + " outputs can show whether the event is there.")
    private @Nullable Path voids;

    @Option(
            names = "--accept-voids",
            description =
                    "Report although there are void events, because the readers of the output have"
                            + " removed them. It needs --voids: Photon writes that list before the"
                            + " registry records the report, and cannot write it later.")
    private boolean acceptVoids;

    @Override
    public Integer call() {
        if (acceptVoids && voids == null) {
            throw new ConfigException(
                    "--accept-voids needs --voids FILE: expected a file for the list of void"
                            + " events, which Photon cannot write after the report");
        }
        Path config = configured.file();
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
        List<HostPort> servers =
                deployment.registry().stream()
                        .map(DeploymentConfig.RegistryReplica::service)
                        .toList();
        RpcSecurity security = ClientSecurity.of(loaded);
        RegistryView view =
                PipelinesCommand.Registry.answered(
                        RegistryView.of(RepeatedLook.untilOneAnswers(servers, security, timeout)));
        PipelineStatus pipeline =
                PipelinesCommand.Registry.pipeline(view, loaded.pipeline().pipeline());
        try (ServerCalls calls = new ServerCalls(security);
                VoidsFile list = VoidsFile.create(voids)) {
            ReportRun.Result result =
                    new ReportRun(
                                    output(loaded, deployment, pipeline),
                                    java.util.Objects.requireNonNull(
                                            RegistryProtos.uuid(pipeline.getUuid())),
                                    ShardMap.of(pipeline.getMap()),
                                    deployment.datacenter(),
                                    loaded.pipeline()
                                            .keptSinceMicros(
                                                    new SystemClock(ChronyClock.BOUND_WITHOUT)
                                                            .now()
                                                            .earliestMicros()),
                                    new RestoreCalls(new LeaderCalls(calls, servers, timeout)),
                                    list)
                            .run(acceptVoids);
            return print(result, deployment.datacenter(), pipeline);
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException(
                    "--voids is '%s': expected a file that does not exist yet, since Photon never overwrites a list"
                            .formatted(voids));
        } catch (IOException e) {
            throw new FailedException("not reported: " + IoText.of(e));
        } catch (RestoreCalls.RefusedException | LeaderCalls.UndecidedException e) {
            throw new FailedException("not reported: " + e.getMessage());
        }
    }

    /**
     * That of this pipeline, which was there before: an empty one would report nothing, and all
     * that is published elsewhere would be joined again.
     */
    private static OutputDirectory output(
            ConfigLoader.Loaded loaded, DeploymentConfig deployment, PipelineStatus pipeline)
            throws IOException {
        DatacenterPaths paths = DatacenterPaths.of(deployment.datacenter(), deployment);
        HadoopFileStore files = new HadoopFileStore(loaded.hadoop());
        if (files.stat(paths.outputDirectory() + "/_photon.json") == null) {
            throw new ConfigException(
                    "deployment.output is '%s': expected the output of datacenter %s in %s, but there is none. If it is lost, use 'photon registry declare-lost %s'"
                            .formatted(
                                    deployment.output(),
                                    deployment.datacenter(),
                                    paths.outputDirectory(),
                                    deployment.datacenter()));
        }
        OutputDirectory output =
                WrittenOutput.open(
                        loaded.pipeline(),
                        files,
                        paths,
                        new SystemClock(ChronyClock.BOUND_WITHOUT));
        String held = String.valueOf(RegistryProtos.uuid(pipeline.getUuid()));
        if (!output.identity().pipelineUuid().equals(held)) {
            throw new ConfigException(
                    "The pipeline UUID of %s is %s, but the registry's pipeline %s has %s: expected the same"
                            .formatted(
                                    paths.outputDirectory(),
                                    output.identity().pipelineUuid(),
                                    pipeline.getName(),
                                    held));
        }
        return output;
    }

    private static String text(ReportRun.Result result, String datacenter) {
        if (result.alreadyDone()) {
            return datacenter + " has already reported\n";
        }
        return String.format(
                Locale.ROOT,
                "%s: %,d published ids: %,d not in the backup, %,d the same in the backup, %,d"
                        + " there for another joiner, %,d too old; %,d void, %,d of them forgotten%n",
                datacenter,
                result.ids(),
                result.put(),
                result.same(),
                result.replaced(),
                result.tooOld(),
                result.voids(),
                result.forgotten());
    }

    private Integer print(ReportRun.Result result, String datacenter, PipelineStatus pipeline) {
        Map<ByteString, String> names = Map.of(pipeline.getUuid(), pipeline.getName());
        format.print(
                () -> text(result, datacenter) + RestoreText.of(result.status(), names),
                () -> {
                    ObjectNode document = RestoreText.json(result.status(), names);
                    document.put("datacenter", datacenter);
                    document.put("reported", result.reported());
                    document.put("before", result.alreadyDone());
                    document.put("put", result.put());
                    document.put("same", result.same());
                    document.put("replaced", result.replaced());
                    document.put("tooOld", result.tooOld());
                    document.put("voids", result.voids());
                    document.put("forgotten", result.forgotten());
                    return document + "\n";
                });
        if (!result.reported()) {
            throw new FailedException(
                    "not reported: %,d published events of %s are void, since other datacenters have joined them in the meantime, or may have. List them with --voids, remove them from what consumers read, and report again with --accept-voids"
                            .formatted(result.voids(), datacenter));
        }
        return CommandLine.ExitCode.OK;
    }
}
