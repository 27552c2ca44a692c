package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.Hdfs;

/** Backups on HDFS. */
class HdfsBackupTest extends BackupFolderContract {
    /** No NameNode is there. */
    private static final String AWAY = "hdfs://127.0.0.1:1/backups";

    private final BackupPlace folder = new BackupPlace(Hdfs.files(), Hdfs.newDirectory());

    @TempDir Path local;

    @Override
    protected BackupPlace folder() {
        return folder;
    }

    private String config() throws IOException {
        Path config = local.resolve("photon.yaml");
        Files.writeString(
                config,
                """
                pipeline: clicks
                datacenters: [east]
                retention: unlimited
                primary:
                  paths: ["/nowhere/links.csv"]
                  format: {type: csv, columns: [link, made]}
                  id: {from: [link]}
                  timestamp: {field: made, unit: micros}
                foreign:
                  paths: ["/nowhere/clicks.csv"]
                  format: {type: csv, columns: [click, at, link]}
                  id: {from: [click]}
                  timestamp: {field: at, unit: micros}
                  primaryId: {from: [link]}
                hadoop:
                """
                        + Hdfs.settings().entrySet().stream()
                                .map(e -> "  " + e.getKey() + ": " + e.getValue())
                                .collect(Collectors.joining("\n", "", "\n")));
        return config.toString();
    }

    private Captured registry(String verb, String... words) throws IOException {
        java.util.List<String> all = new java.util.ArrayList<>(java.util.List.of("registry", verb));
        all.addAll(java.util.List.of(words));
        all.addAll(java.util.List.of("--config", config()));
        return Captured.run(all.toArray(String[]::new));
    }

    @Test
    void aBackupIsVerifiedAndADamagedOneIsSaid() throws Exception {
        BackupPlace backup = add(0, 1).backup();
        Captured good = registry("verify-backup", backup + "/");
        assertThat(good.status()).as(good.toString()).isZero();
        assertThat(good.stdout()).contains(backup + " is complete and undamaged");

        folder.files().delete(backup.resolve("control/state").path());
        Captured damaged = registry("verify-backup", backup.path());
        assertThat(damaged.status()).as(damaged.toString()).isEqualTo(1);
        assertThat(damaged.stderr()).contains(backup + "/control/state is missing");
        Captured drill = registry("restore-drill", "--from", folder.path(), "--work", "" + local);
        assertThat(drill.status()).as(drill.toString()).isEqualTo(1);
        assertThat(drill.stderr()).contains(backup + "/control/state is missing");
        Captured none = registry("verify-backup", folder.path());
        assertThat(none.status()).as(none.toString()).isEqualTo(1);
        assertThat(none.stderr()).contains(folder + " is no backup");
    }

    @Test
    void noSpaceCostsThisBackupAlone() throws Exception {
        add(0, 2);
        org.apache.hadoop.fs.Path full = new org.apache.hadoop.fs.Path(folder.path());
        Hdfs.client().setQuota(full, HdfsConstants.QUOTA_DONT_SET, 1);
        try {
            assertThatThrownBy(() -> add(1, 1)).isInstanceOf(IOException.class);
        } finally {
            Hdfs.client().setQuota(full, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
        }
        assertThat(newest()).isEqualTo(name(0));
        assertThat(add(2, 2).retention().kept()).containsExactly(name(2), name(0));
        assertThat(names()).containsExactly(name(0), name(2));
        Backup.open(folder.resolve(name(0))).verify();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aNameNodeThatIsAwayIsSaidInTime() throws Exception {
        Captured verify = registry("verify-backup", AWAY + "/monday");
        assertThat(verify.status()).as(verify.toString()).isEqualTo(1);
        assertThat(verify.stderr()).contains(AWAY + "/monday");
        BackupPlace away = new BackupPlace(Hdfs.files(), AWAY);
        assertThatThrownBy(() -> new BackupFolder(away).add(place -> fail("made"), at(0), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(AWAY);
    }

    @Test
    void ofRunsThatBeginAtOnceOneHasTheLock() throws Exception {
        int runs = 6;
        for (int round = 0; round < 10; round++) {
            CyclicBarrier together = new CyclicBarrier(runs);
            Queue<FolderLock> held = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < runs; i++) {
                Thread thread =
                        new Thread(
                                () -> {
                                    try {
                                        together.await();
                                        held.add(FolderLock.take(folder));
                                    } catch (BackupFolder.UnusableException e) {
                                        // Another one has it.
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(held).as("round %d", round).hasSize(1);
            held.forEach(FolderLock::close);
            assertThat(folder.files().stat(folder.resolve(FolderLock.NAME).path())).isNull();
        }
    }

    @Test
    void theLockOfARunThatWasKilledIsTaken() throws Exception {
        folder.files().create(folder.resolve(FolderLock.NAME).path()).close();
        FolderLock.take(folder).close();
        add(0, 1);
    }

    @Test
    void whatIsNoPathOfHdfsIsRefused() throws Exception {
        for (String wrong : new String[] {"hdfs://namenode/", "hdfs://namenode/a/02:00"}) {
            Captured refused = registry("verify-backup", wrong);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.stderr()).contains("hdfs://namenode", "expected a");
        }
    }

    @Test
    void aSchemeThatNobodyKnowsIsSaid() throws Exception {
        Captured verify = registry("verify-backup", "nosuch://host/backups/monday");
        assertThat(verify.status()).as(verify.toString()).isEqualTo(1);
        assertThat(verify.stderr()).contains("nosuch://host/backups/monday", "No FileSystem");
        Captured local = registry("verify-backup", "file:///backups/monday");
        assertThat(local.status()).as(local.toString()).isEqualTo(2);
        assertThat(local.stderr()).contains("expected the path alone, /backups/monday");
    }
}
