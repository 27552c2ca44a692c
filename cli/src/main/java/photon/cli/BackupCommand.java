package photon.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.idregistry.backup.Backup;
import photon.registry.admin.BackupRun;
import photon.registry.admin.BackupText;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ServerCalls;
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
            "1:no backup: the registry has no pipeline, is being restored or does not answer, a shard map changed meanwhile, or a file cannot be written",
            "2:wrong usage or configuration, or the directory already exists"
        },
        footer = "  photon registry backup --to backups/monday --config photon.yaml")
final class BackupCommand implements Callable<Integer> {
    @CommandLine.Mixin private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description =
                    "The backup's directory. Photon creates this directory; it must not exist yet.")
    private Path to = Path.of("");

    @Option(
            names = "--cut-timeout",
            paramLabel = "DURATION",
            description =
                    "How long to wait for the snapshot of each group; default 10m. A server writes a large snapshot at a limited rate.")
    private Duration cutTimeout = Duration.ofMinutes(10);

    @CommandLine.Mixin private OutputFormat output = new OutputFormat();

    @Override
    public Integer call() throws IOException {
        RegistryView view = registry.view();
        try (ServerCalls calls = new ServerCalls(registry.where().security())) {
            Backup.Content content =
                    new BackupRun(registry.where().addresses(view), cutTimeout, calls).make(to);
            output.print(() -> BackupText.of(to, content), () -> BackupText.json(to, content));
            return CommandLine.ExitCode.OK;
        } catch (BackupRun.FailedException e) {
            throw new FailedException("no backup: " + e.getMessage());
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException(
                    "--to is '%s': expected a directory that does not exist yet, since Photon never overwrites a backup"
                            .formatted(to));
        } catch (IOException e) {
            throw new FailedException("no backup: " + IoText.of(e));
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
                "1:the backup is damaged or incomplete; stderr says what is wrong",
                "2:wrong usage"
            },
            footer = "  photon registry verify-backup backups/monday")
    static final class Verify implements Callable<Integer> {
        @CommandLine.Parameters(paramLabel = "DIR", description = "The backup's directory.")
        private @Nullable Path directory;

        @CommandLine.Mixin private OutputFormat output = new OutputFormat();

        @Override
        public Integer call() {
            Path from = java.util.Objects.requireNonNull(directory);
            try {
                Backup.Content content = Backup.open(from).verify();
                output.print(
                        () -> BackupText.of(from, content), () -> BackupText.json(from, content));
                return CommandLine.ExitCode.OK;
            } catch (IOException e) {
                throw new FailedException(
                        e instanceof photon.idregistry.backup.DamagedBackupException
                                ? String.valueOf(e.getMessage())
                                : e.toString());
            }
        }
    }
}
