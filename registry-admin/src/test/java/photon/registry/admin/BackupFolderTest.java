package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.FileStore;
import photon.storage.files.UnavailableException;

final class BackupFolderTest extends BackupFolderContract {
    @TempDir Path folder;

    @Override
    protected BackupPlace folder() {
        return BackupPlace.local(folder);
    }

    @Test
    void whatALinkLeadsToIsNoBackupOfTheFolder() throws Exception {
        add(0, 5);
        Path outside = Files.createDirectory(folder.resolve("monday"));
        Files.writeString(outside.resolve("kept"), "there");
        Path backup = folder.resolve("photon-20250103T000000Z");
        Path partial = folder.resolve("photon-20250104T000000Z.partial");
        Files.createSymbolicLink(backup, outside);
        Files.createSymbolicLink(partial, outside);
        BackupFolder.Added added = add(2, 1);
        assertThat(added.remnants()).isEmpty();
        assertThat(added.retention().damaged()).isEmpty();
        assertThat(added.retention().deleted()).containsExactly(name(0));
        assertThat(outside.resolve("kept")).exists();
        assertThat(backup).isSymbolicLink();
        assertThat(partial).isSymbolicLink();
    }

    @Test
    void aDiskThatIsNotMountedMayBeTheReason() {
        assertThatThrownBy(
                        () ->
                                new BackupFolder(folder().resolve("unmounted"))
                                        .add(BackupFolderContract::write, at(0), 1))
                .hasMessageContaining("mount the disk");
    }

    /** It answers but for what the predicate names: a method, a space, and a path. */
    private static FileStore awayFor(FileStore files, Predicate<String> asked) {
        return (FileStore)
                Proxy.newProxyInstance(
                        FileStore.class.getClassLoader(),
                        new Class<?>[] {FileStore.class},
                        (proxy, method, args) -> {
                            if (args != null && asked.test(method.getName() + " " + args[0])) {
                                throw new UnavailableException(
                                        "Cannot read " + args[0], new IOException("no answer"));
                            }
                            try {
                                return method.invoke(files, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @Test
    void aFileSystemThatDoesNotAnswerIsNoDamage() throws Exception {
        BackupPlace written = add(0, 1).backup();
        AtomicBoolean away = new AtomicBoolean();
        Backup backup =
                Backup.open(
                        new BackupPlace(
                                awayFor(
                                        written.files(),
                                        asked -> away.get() && asked.startsWith("open ")),
                                written.path()));
        away.set(true);
        assertThatThrownBy(backup::control).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(
                        () ->
                                backup.forEachPage(
                                        RestoredRegistry.PIPELINE,
                                        RestoredRegistry.SHARD,
                                        (state, page) -> {}))
                .isInstanceOf(UnavailableException.class);
        away.set(false);
        assertThat(backup.verify().ids()).isEqualTo(1);
    }

    @Test
    void anOldBackupThatCannotBeSeenIsNotCalledDamagedAndTheNewOneIsSaidToBeComplete()
            throws Exception {
        add(0, 9);
        FileStore files =
                awayFor(
                        folder().files(),
                        asked -> asked.startsWith("list ") && asked.endsWith(name(0)));
        assertThatThrownBy(
                        () ->
                                new BackupFolder(new BackupPlace(files, folder().path()))
                                        .add(BackupFolderContract::write, at(1), 1))
                .isInstanceOf(BackupFolder.NotDeletedException.class)
                .hasMessageContainingAll(name(1) + " is complete", "No old backup was deleted");
        assertThat(names()).containsExactly(name(0), name(1));
    }

    /** Else no night has a backup any more, until a person looks. */
    @Test
    void whatAnEarlierRunLeftAndCannotBeDeletedKeepsNoBackupFromBeingMade() throws Exception {
        add(0, 9);
        write(folder().resolve(BackupNames.partial(name(1))));
        FileStore files =
                awayFor(
                        folder().files(),
                        asked -> asked.startsWith("delete ") && asked.endsWith(".partial"));
        assertThatThrownBy(
                        () ->
                                new BackupFolder(new BackupPlace(files, folder().path()))
                                        .add(BackupFolderContract::write, at(2), 9))
                .isInstanceOf(BackupFolder.NotDeletedException.class)
                .hasMessageContainingAll(name(2) + " is complete", name(1) + ".partial");
        assertThat(names()).containsExactly(name(0), name(1) + ".partial", name(2));
    }
}
