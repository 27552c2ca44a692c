package photon.cli;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.proto.v1.RestoreLost;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreStatus;
import photon.registry.admin.LeaderCalls;
import photon.registry.admin.RegistryView;
import photon.registry.admin.RestoreCalls;
import photon.registry.admin.RestoreRun;
import photon.registry.admin.RestoreText;
import photon.registry.admin.ServerCalls;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.admin.backup.DamagedBackupException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a backup onto an empty registry. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Loads a backup into a registry whose servers all have empty disks. The backup does not contain what was published after it, so the registry accepts nothing until each datacenter has reported what it has published ('photon registry report') or is declared lost ('photon registry declare-lost').",
            "If it is interrupted, run it again with the same backup: it continues. If you run it again with more datacenters, the registry waits for them as well, as long as it still waits for any.",
            "The command numbers new slots and generations by this machine's clock, so that two restores of one backup issue no number twice: be sure that the clock is right."
        },
        exitCodeList = {
            "0:the backup is loaded; the registry waits for datacenters, or all have reported",
            "1:the backup is damaged, the registry is not empty, a server does not answer, or the registry does not decide: it accepts nothing; or you name another datacenter after all others have reported",
            "2:wrong usage or configuration, or --datacenters lacks a datacenter of the backup"
        },
        footer =
                "  photon registry restore --from backups/monday --datacenters east,west --config photon.yaml")
final class RestoreCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @Option(
            names = "--from",
            required = true,
            paramLabel = "DIR",
            description =
                    "The backup's directory, as 'photon registry backup' created it: a path of this machine, or a URI.")
    private String from = "";

    @Option(
            names = "--datacenters",
            required = true,
            split = ",",
            paramLabel = "NAME",
            description =
                    "Every datacenter that ever had joiners of the backup's pipelines, separated by commas. Include those that joined after the backup, which it cannot know. If you forget a datacenter, the events that it has published could be joined twice, and the registry refuses its joiners until it has reported.")
    private List<String> datacenters = List.of();

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        BackupPlace place = registry.where().place("--from", from);
        boolean begun = false;
        try {
            Backup backup = Backup.open(place);
            backup.verify();
            SortedSet<String> named = new TreeSet<>(datacenters);
            SortedSet<String> missing = new TreeSet<>(RestoreRun.datacenters(backup));
            missing.removeAll(named);
            if (!missing.isEmpty()) {
                throw new ConfigException(
                        "--datacenters is '%s': expected %s too, which have joiners in the backup. If one of them is gone, name it, and declare it lost afterwards ('photon registry declare-lost')"
                                .formatted(String.join(",", datacenters), missing));
            }
            RegistryView view = registry.viewOfAll();
            checkAllAnswer(view);
            try (ServerCalls calls = new ServerCalls(registry.where().security())) {
                RestoreRun run =
                        new RestoreRun(
                                backup, named, Instant.now(), Steps.of(registry, view, calls));
                begun = true;
                RestoreStatus status = run.run();
                print(status, registry.view(), output);
                return CommandLine.ExitCode.OK;
            }
        } catch (DamagedBackupException e) {
            throw notRestored(begun, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw notRestored(begun, BackupPlaces.text(place, e));
        } catch (RestoreCalls.RefusedException | LeaderCalls.UndecidedException e) {
            throw new FailedException("not restored: " + e.getMessage());
        }
    }

    /**
     * @param begun the registry may have been asked to take the backup
     */
    static FailedException notRestored(boolean begun, String why) {
        return new FailedException(
                begun
                        ? "not restored: %s. The registry may hold a part of the backup, and then takes no commits before the restore is complete: run it again"
                                .formatted(why)
                        : "not restored, nothing was changed: " + why);
    }

    /** One that has its disk still, and comes back later, would bring back what it knows. */
    private static void checkAllAnswer(RegistryView view) {
        for (RegistryView.Server server : view.servers()) {
            if (!server.answers()) {
                throw new FailedException(
                        "not restored: server %s does not answer: %s. Start all servers of the registry, with empty disks"
                                .formatted(
                                        server.name().isEmpty() ? server.service() : server.name(),
                                        server.trouble()));
            }
        }
    }

    private static Map<ByteString, String> names(RegistryView view) {
        Map<ByteString, String> names = new HashMap<>();
        view.pipelines().forEach(pipeline -> names.put(pipeline.getUuid(), pipeline.getName()));
        return names;
    }

    private static void print(RestoreStatus status, RegistryView view, OutputOption output) {
        output.print(
                () -> RestoreText.of(status, names(view)),
                () -> RestoreText.json(status, names(view)) + "\n");
    }

    /** How the steps are asked for. */
    static final class Steps {
        private Steps() {}

        static RestoreCalls of(
                PipelinesCommand.Registry registry, RegistryView view, ServerCalls calls) {
            return new RestoreCalls(
                    new LeaderCalls(calls, registry.where().addresses(view), registry.patience()));
        }
    }

    /** Shows how far a restore is. */
    @Command(
            name = "restore-status",
            mixinStandardHelpOptions = true,
            description =
                    "Shows the progress of a restore, and which datacenters the registry waits for.",
            exitCodeList = {
                "0:the registry waits for no datacenter",
                "1:the restore is under way, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry restore-status --config photon.yaml")
    static final class Status implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            RegistryView view = registry.view();
            try (ServerCalls calls = new ServerCalls(registry.where().security())) {
                RestoreStatus status = Steps.of(registry, view, calls).look();
                print(status, view, output);
                return RestoreText.settled(status)
                        ? CommandLine.ExitCode.OK
                        : CommandLine.ExitCode.SOFTWARE;
            } catch (LeaderCalls.UndecidedException e) {
                throw new FailedException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Gives a datacenter's report up. */
    @Command(
            name = "declare-lost",
            mixinStandardHelpOptions = true,
            description = {
                "Declares a datacenter lost, so that a registry that is being restored does not wait for its report. Use it if the datacenter's output is gone, or never existed.",
                "The other datacenters join again what it has published since the backup. These events are duplicates if a consumer ever reads the lost datacenter's files. The registry refuses its joiners until it has reported after all."
            },
            exitCodeList = {
                "0:declared lost, now or before, or the datacenter has reported",
                "1:not declared lost: you did not confirm, the registry does not know the datacenter, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry declare-lost west --config photon.yaml")
    static final class Lost implements Callable<Integer> {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Parameters(paramLabel = "DATACENTER", description = "The datacenter's name.")
        private String datacenter = "";

        @Option(
                names = "--pipeline",
                paramLabel = "NAME",
                description =
                        "Declare the datacenter lost for this pipeline only. Default: for all pipelines.")
        private @Nullable String pipeline;

        @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() throws IOException {
            if (!confirmation.isGiven(
                    datacenter, "Type the datacenter's name to declare it lost: ")) {
                throw new FailedException(
                        "not declared lost: expected the name %s as confirmation, or --yes"
                                .formatted(datacenter));
            }
            RegistryView view = registry.view();
            RestoreLost.Builder lost = RestoreLost.newBuilder().setDatacenter(datacenter);
            String only = pipeline;
            if (only != null) {
                lost.setPipeline(PipelinesCommand.Registry.pipeline(view, only).getUuid());
            }
            try (ServerCalls calls = new ServerCalls(registry.where().security())) {
                RestoreCalls steps = Steps.of(registry, view, calls);
                RestoreStatus status =
                        steps.step(
                                RestoreRequest.newBuilder()
                                        .setRestore(steps.look().getRestore())
                                        .setLost(lost));
                print(status, view, output);
                return CommandLine.ExitCode.OK;
            } catch (RestoreCalls.RefusedException | LeaderCalls.UndecidedException e) {
                throw new FailedException("not declared lost: " + e.getMessage());
            }
        }
    }
}
