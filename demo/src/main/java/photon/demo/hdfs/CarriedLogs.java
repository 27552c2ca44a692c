package photon.demo.hdfs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.demo.generate.LogStore;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/**
 * Logs that are carried to several file systems, as collectors of logs do, ten times a second. Each
 * has a thread of its own, so that one that stands still holds up neither the others nor who logs.
 * To be written by one thread at a time.
 */
public final class CarriedLogs implements LogStore, AutoCloseable {
    private final Path root;
    private final List<LogCarrier> carriers = new ArrayList<>();
    private int begun;

    /**
     * @param root places are below it
     * @param directories where the logs are to be, a URI each, without a slash at the end
     */
    public CarriedLogs(FileStore files, Path root, List<String> directories) {
        this.root = root;
        directories.forEach(directory -> carriers.add(new LogCarrier(files, directory)));
    }

    @Override
    public AppendFile create(Path place) throws IOException {
        check();
        int number = begun++;
        String name = name(place);
        carriers.forEach(carrier -> carrier.create(number, name));
        return new Carried(number);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        check();
        carriers.forEach(carrier -> carrier.rename(name(from), name(to)));
    }

    /** Returns when all is there. */
    @Override
    public void finish() throws IOException {
        for (LogCarrier carrier : carriers) {
            carrier.finish();
        }
        check();
    }

    /** What is not there yet is lost. */
    @Override
    public void close() {
        carriers.forEach(LogCarrier::close);
    }

    private String name(Path place) {
        return root.relativize(place).toString();
    }

    private void check() throws IOException {
        for (LogCarrier carrier : carriers) {
            Optional<IOException> failure = carrier.failure();
            if (failure.isPresent()) {
                throw new IOException(
                        "Expected %s to take the logs: %s"
                                .formatted(carrier.directory(), failure.get().getMessage()),
                        failure.get());
            }
        }
    }

    /** One log, as its writer sees it: nothing waits for a file system. */
    private final class Carried implements AppendFile {
        private final int number;
        private long position;

        Carried(int number) {
            this.number = number;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            check();
            byte[] copy = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
            position += length;
            carriers.forEach(carrier -> carrier.append(number, copy));
        }

        /** The carriers flush what they have written. */
        @Override
        public void flush() {}

        @Override
        public void sync() {
            throw new UnsupportedOperationException("Nobody asks for it");
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void close() {
            carriers.forEach(carrier -> carrier.end(number));
        }
    }
}
