package photon.simulation.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.simulation.kernel.Life;
import photon.storage.files.FileStore;

/**
 * A datacenter's files as one life of a process sees them. When the life ends its open files are
 * dropped as a kernel does it: what it had not flushed is gone, and nothing it tries afterwards has
 * an effect.
 */
final class ProcessFiles implements FileStore {
    private final DatacenterDisk disk;
    private final @Nullable Life life;
    private final Set<Runnable> drops = new LinkedHashSet<>();

    /**
     * @param life null: somebody's whom no fault meets
     */
    ProcessFiles(DatacenterDisk disk, @Nullable Life life) {
        this.disk = disk;
        this.life = life;
        if (life != null) {
            life.onEnd(this::dropAll);
        }
    }

    private void dropAll() {
        List<Runnable> all = new ArrayList<>(drops);
        drops.clear();
        all.forEach(Runnable::run);
    }

    private boolean dead() {
        return life != null && !life.alive();
    }

    private <T> T carryOut(DatacenterDisk.Operation<T> operation) throws IOException {
        if (life != null) {
            life.checkAlive();
        }
        return disk.carryOut(life, operation);
    }

    private void change(Step step) throws IOException {
        carryOut(
                () -> {
                    step.run();
                    return true;
                });
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    @Override
    public List<FileInfo> glob(String pattern) throws IOException {
        return seen(carryOut(() -> disk.store().glob(pattern)));
    }

    @Override
    public List<FileInfo> list(String directory) throws IOException {
        return seen(carryOut(() -> disk.store().list(directory)));
    }

    private List<FileInfo> seen(List<FileInfo> all) {
        return all.stream().filter(file -> !hidden(file.path())).toList();
    }

    private boolean hidden(String path) {
        return life != null && disk.faults().hides(life, path);
    }

    @Override
    public @Nullable FileInfo stat(String path) throws IOException {
        Optional<FileInfo> found = carryOut(() -> Optional.ofNullable(disk.store().stat(path)));
        return found.filter(file -> !hidden(path)).orElse(null);
    }

    @Override
    public ReadFile open(String path) throws IOException {
        ReadFile file = carryOut(() -> disk.store().open(path));
        if (hidden(path)) {
            file.close();
            throw new NoSuchFileException(path);
        }
        return new Reading(file);
    }

    @Override
    public AppendFile create(String path) throws IOException {
        return new Appending(carryOut(() -> disk.store().create(path)));
    }

    @Override
    public void createDirectory(String path) throws IOException {
        change(() -> disk.store().createDirectory(path));
    }

    @Override
    public void createDirectories(String path) throws IOException {
        change(() -> disk.store().createDirectories(path));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        change(() -> disk.store().rename(from, to));
    }

    @Override
    public boolean publish(String from, String to) throws IOException {
        return carryOut(() -> Boolean.valueOf(disk.store().publish(from, to)));
    }

    @Override
    public void delete(String path) throws IOException {
        change(() -> disk.store().delete(path));
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        change(() -> disk.store().syncDirectory(directory));
    }

    @Override
    public void recover(String path) throws IOException {
        change(() -> disk.store().recover(path));
    }

    /** A file that this life has open for reading. */
    private final class Reading implements ReadFile {
        private final ReadFile file;
        private final Runnable drop = this::drop;

        Reading(ReadFile file) {
            this.file = file;
            drops.add(drop);
        }

        @Override
        public long length() throws IOException {
            return carryOut(() -> Long.valueOf(file.length()));
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            return carryOut(() -> Integer.valueOf(file.read(position, into, offset, length)));
        }

        @Override
        public void close() throws IOException {
            drops.remove(drop);
            if (!dead()) {
                file.close();
            }
        }

        private void drop() {
            try {
                file.close();
            } catch (IOException e) {
                throw new IllegalStateException("Expected no failure of what does nothing", e);
            }
        }
    }

    /** A file that this life appends to. */
    private final class Appending implements AppendFile {
        private final AppendFile file;
        private final Runnable drop = this::drop;

        Appending(AppendFile file) {
            this.file = file;
            drops.add(drop);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            change(() -> file.write(bytes, offset, length));
        }

        @Override
        public void flush() throws IOException {
            change(file::flush);
        }

        @Override
        public void sync() throws IOException {
            change(file::sync);
        }

        @Override
        public long position() {
            return file.position();
        }

        @Override
        public void close() throws IOException {
            if (!dead()) {
                change(file::close);
                drops.remove(drop);
            }
        }

        private void drop() {
            disk.store().abandon(file);
        }
    }
}
