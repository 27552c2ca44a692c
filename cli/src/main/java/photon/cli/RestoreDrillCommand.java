package photon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.registry.admin.BackupFolder;
import photon.registry.admin.backup.BackupManifest;
import photon.registry.admin.backup.BackupPlace;
import photon.server.restore.DrillText;
import photon.server.restore.RestoreDrill;
import photon.storage.files.FileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tries out whether a backup can be restored. */
@Command(
        name = "restore-drill",
        mixinStandardHelpOptions = true,
        description = {
            "Restores a backup into a throw-away registry, of one server in this process, and"
                    + " compares the result with the backup: pipelines, incarnations, and every id with"
                    + " its holder.",
            "It calls no other server than those of the file system that has the backup, and reads"
                    + " a configuration only if that is on a URI. Its server listens on loopback ports"
                    + " without TLS. When it ends, it deletes all that it has written."
        },
        exitCodeList = {
            "0:the backup can be restored, and the restored registry has all that the backup has",
            "1:the backup is damaged or cannot be restored, something differs, there is too little"
                    + " space, or the drill took too long",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon registry restore-drill --from backups/monday",
            "  photon registry restore-drill --from /backups --work /scratch --within 2h"
        })
final class RestoreDrillCommand implements Callable<Integer> {
    @Option(
            names = "--from",
            required = true,
            paramLabel = "DIR",
            description =
                    "The backup's directory; or a folder of backups ('photon registry backup"
                            + " --into'), whose newest is taken. A path of this machine, or a URI.")
    private String from = "";

    @CommandLine.Mixin private BackupPlaces.Hadoop hadoop = new BackupPlaces.Hadoop();

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Where the throw-away registry is written, in a directory of its own; default:"
                            + " the system's directory for temporary files. It needs three times the"
                            + " space of the backup.")
    private Path work = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            description = "The drill fails if it takes longer; default 1h.")
    private Duration within = Duration.ofHours(1);

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws InterruptedException {
        if (within.isNegative() || within.isZero()) {
            throw new ConfigException("--within is '%s': expected more than 0".formatted(within));
        }
        BackupPlace place = hadoop.place("--from", from);
        try {
            BackupPlace backup = backup(place);
            RestoreDrill.Result result = RestoreDrill.run(backup, work, within);
            output.print(() -> DrillText.of(backup, result), () -> DrillText.json(backup, result));
            return result.differences().isEmpty()
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        } catch (RestoreDrill.FailedException e) {
            throw new FailedException("the drill has failed: " + e.getMessage());
        } catch (IOException e) {
            throw new FailedException("the drill has failed: " + BackupPlaces.text(place, e));
        }
    }

    private static BackupPlace backup(BackupPlace from) throws IOException {
        FileStore files = from.files();
        FileStore.FileInfo there = files.stat(from.path());
        if (there == null || !there.directory()) {
            throw new FailedException(
                    "the drill has failed: %s is not a directory".formatted(from));
        }
        return files.stat(from.resolve(BackupManifest.NAME).path()) != null
                ? from
                : new BackupFolder(from)
                        .newest()
                        .orElseThrow(
                                () ->
                                        new FailedException(
                                                "the drill has failed: %s is no backup, and contains none that 'photon registry backup --into' has made"
                                                        .formatted(from)));
    }
}
