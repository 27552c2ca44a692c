package photon.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.registry.admin.BackupFolder;
import photon.registry.admin.BackupMetrics;
import photon.registry.admin.BackupRun;
import photon.registry.admin.BackupText;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ServerCalls;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a backup of a registry. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Creates a backup of a running registry: the control group and every shard of every pipeline, each as of one entry of its log. Commits continue meanwhile.",
            "Photon reads the backup back after it has written it. 'photon registry restore' loads it into empty servers."
        },
        exitCodeList = {
            "0:the backup is complete, and Photon has read it back",
            "1:no backup: the registry has no pipeline, is being restored or does not answer, a shard map changed meanwhile, a file cannot be written, its file system does not answer, FOLDER is missing or another backup writes into it; or the backup is complete and an old one, or what an earlier run left, cannot be deleted, or the metrics file cannot be written",
            "2:wrong usage or configuration, or the directory already exists"
        },
        footer = {
            "  photon registry backup --to backups/monday --config photon.yaml",
            "  photon registry backup --into /backups --keep 7 --config photon.yaml",
            "  photon registry backup --into hdfs://nameservice/backups/photon --keep 7 --config photon.yaml",
            "  photon registry backup --into /backups --metrics-file /var/lib/prometheus/node-exporter/photon-backup.prom --config photon.yaml"
        })
final class BackupCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @CommandLine.ArgGroup(multiplicity = "1")
    private Place place = new Place();

    /** Where the backup goes. */
    static final class Place {
        @Option(
                names = "--to",
                required = true,
                paramLabel = "DIR",
                description =
                        "The backup's directory, a path of this machine or a URI such as hdfs://namenode/backups/monday. Photon creates this directory; it must not exist yet.")
        private @Nullable String to;

        @CommandLine.ArgGroup(exclusive = false)
        private @Nullable Into into;
    }

    /** A folder of backups. */
    static final class Into {
        @Option(
                names = "--into",
                required = true,
                paramLabel = "FOLDER",
                description =
                        "A folder of backups, a path of this machine or a URI such as hdfs://namenode/backups, which must exist. Photon creates the backup in it as photon-YYYYMMDDTHHMMSSZ (UTC), such as photon-20260105T020000Z. While it is being written, .partial is added to its name.")
        private String folder = "";

        @Option(
                names = "--keep",
                paramLabel = "N",
                description =
                        "When the new backup is complete and read back, delete the oldest in FOLDER until N are left, the new one included. Only complete backups count; other files are left alone. Default: delete none.")
        private @Nullable Integer keep;
    }

    @Option(
            names = "--cut-timeout",
            paramLabel = "DURATION",
            description =
                    "How long to wait for the snapshot of each group; default 10m. A server writes a large snapshot at a limited rate.")
    private Duration cutTimeout = Duration.ofMinutes(10);

    @Option(
            names = "--metrics-file",
            paramLabel = "FILE",
            description =
                    "When the backup is complete, write its time and size into FILE in Prometheus' text format, for the textfile collector of node_exporter: the alert PhotonBackupOld needs it. The name should end in .prom.")
    private @Nullable Path metricsFile;

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        String to = place.to;
        Into into = place.into;
        if (into != null && into.keep != null && into.keep < 1) {
            throw new ConfigException(
                    "--keep is '%d': expected 1 or more, since the new backup counts"
                            .formatted(into.keep));
        }
        BackupPlace at =
                to != null
                        ? registry.where().place("--to", to)
                        : registry.where().place("--into", Objects.requireNonNull(into).folder);
        Instant begun = Instant.now();
        RegistryView view = registry.view();
        try (ServerCalls calls = new ServerCalls(registry.where().security())) {
            BackupRun run = new BackupRun(registry.where().addresses(view), cutTimeout, calls);
            if (to != null) {
                Backup.Content content = run.make(at);
                output.print(() -> BackupText.of(at, content), () -> BackupText.json(at, content));
                tellMonitoring(at, begun, content);
            } else {
                add(run, at, Objects.requireNonNull(into), begun);
            }
            return CommandLine.ExitCode.OK;
        } catch (BackupRun.FailedException e) {
            throw new FailedException("no backup: " + e.getMessage());
        } catch (BackupFolder.NotDeletedException e) {
            tellMonitoring(e.backup(), begun, e.content()); // it is there all the same
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (FileAlreadyExistsException e) {
            if (to == null) {
                throw new FailedException("no backup: " + BackupPlaces.text(at, e));
            }
            throw new ConfigException(
                    "--to is '%s': expected a directory that does not exist yet, since Photon never overwrites a backup"
                            .formatted(to));
        } catch (IOException e) {
            throw new FailedException("no backup: " + BackupPlaces.text(at, e));
        }
    }

    private void add(BackupRun run, BackupPlace folder, Into into, Instant begun)
            throws IOException, BackupRun.FailedException {
        int keep = into.keep == null ? Integer.MAX_VALUE : into.keep;
        BackupFolder.Added added = new BackupFolder(folder).add(run::make, begun, keep);
        output.print(() -> BackupText.of(added), () -> BackupText.json(added));
        tellMonitoring(added.backup(), begun, added.content());
    }

    private void tellMonitoring(BackupPlace backup, Instant begun, Backup.Content content) {
        if (metricsFile == null) {
            return;
        }
        try {
            BackupMetrics.write(metricsFile, begun, content);
        } catch (IOException e) {
            throw new FailedException(
                    "backup %s is complete, but --metrics-file cannot be written: %s"
                            .formatted(backup, IoText.of(e)));
        }
    }

    /** Reads a backup back. */
    @Command(
            name = "verify-backup",
            mixinStandardHelpOptions = true,
            description = {
                "Checks a backup by reading it to its end: checksums, every group's state, every id. It needs no registry and changes nothing."
            },
            exitCodeList = {
                "0:the backup is complete and undamaged",
                "1:the backup is damaged or incomplete, or its file system does not answer; stderr says what is wrong",
                "2:wrong usage or configuration"
            },
            footer = {
                "  photon registry verify-backup backups/monday",
                "  photon registry verify-backup hdfs://nameservice/backups/monday --config photon.yaml"
            })
    static final class Verify implements Callable<Integer> {
        @CommandLine.Parameters(
                paramLabel = "DIR",
                description = "The backup's directory: a path of this machine, or a URI.")
        private String directory = "";

        @CommandLine.Mixin private BackupPlaces.Hadoop hadoop = new BackupPlaces.Hadoop();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            BackupPlace from = hadoop.place("DIR", directory);
            try {
                Backup.Content content = Backup.open(from).verify();
                output.print(
                        () -> BackupText.of(from, content), () -> BackupText.json(from, content));
                return CommandLine.ExitCode.OK;
            } catch (IOException e) {
                throw new FailedException(BackupPlaces.text(from, e));
            }
        }
    }
}
