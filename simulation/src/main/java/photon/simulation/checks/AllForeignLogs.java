package photon.simulation.checks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import photon.core.config.StreamConfig;
import photon.core.time.IntervalClock;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;
import photon.storage.tail.Unterminated;
import photon.verifier.source.ForeignLogs;

/**
 * The foreign logs of all datacenters as one, for the books: each datacenter has its own copies on
 * its own file system, so files are told apart by the datacenter's name in front of their key. A
 * checkpoint's positions belong to the datacenter that has their path among its logs.
 */
final class AllForeignLogs implements ForeignLogs {
    private final List<StoredState> states;

    /** No log of a world is compressed, so that no file's age is asked for. */
    private static final IntervalClock NO_TIME = () -> new IntervalClock.Interval(0, 0);

    AllForeignLogs(List<StoredState> states) {
        this.states = List.copyOf(states);
    }

    @Override
    public Reading open(List<FilePosition> resume) throws IOException {
        List<LogTail> tails = new ArrayList<>();
        for (StoredState state : states) {
            List<FilePosition> own = resume.stream().filter(state.checkpoint::contains).toList();
            tails.add(
                    new LogTail(
                            state.files(), all(state.datacenter()), own, Duration.ZERO, NO_TIME));
        }
        return new All(tails);
    }

    private static StreamConfig all(DatacenterFiles datacenter) {
        StreamConfig foreign = datacenter.foreign();
        return new StreamConfig(
                datacenter.allLogs(),
                foreign.format(),
                foreign.where(),
                foreign.whereNot(),
                foreign.id(),
                foreign.timestamp(),
                foreign.primaryId(),
                foreign.input());
    }

    /** Number n of tail t is n x tails + t. */
    private final class All implements Reading {
        private final List<LogTail> tails;

        All(List<LogTail> tails) {
            this.tails = tails;
        }

        /** Each poll does. */
        @Override
        public void listNext() {}

        @Override
        public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
            List<TailBatch.Item> items = new ArrayList<>();
            boolean caughtUp = true;
            for (int t = 0; t < tails.size(); t++) {
                TailBatch batch = tails.get(t).poll(recordsMax, nanoTime);
                caughtUp &= batch.caughtUp();
                for (TailBatch.Item item : batch.items()) {
                    items.add(
                            new TailBatch.Item(
                                    item.file() * tails.size() + t,
                                    item.path(),
                                    item.offset(),
                                    item.endOffset(),
                                    item.event(),
                                    item.bad()));
                }
            }
            return new TailBatch(items, caughtUp);
        }

        @Override
        public FilePosition position(int file, long offset) {
            int t = file % tails.size();
            FilePosition own = tails.get(t).position(file / tails.size(), offset);
            return new FilePosition(
                    own.path(),
                    states.get(t).datacenter().name() + "/" + own.key(),
                    own.prefixLength(),
                    own.prefixHash(),
                    own.offset());
        }

        @Override
        public List<FilePosition> reached() {
            throw new UnsupportedOperationException("The books need no repair");
        }

        @Override
        public SortedMap<Integer, String> unreadable() {
            throw new UnsupportedOperationException("The books need no repair");
        }

        @Override
        public Optional<List<FilePosition>> recognise(
                FilePosition file, Collection<FilePosition> wanted) {
            throw new UnsupportedOperationException("The books need no repair");
        }

        @Override
        public List<String> missingDirectories() {
            throw new UnsupportedOperationException("The books need no repair");
        }

        @Override
        public List<Unterminated> unterminated() {
            return tails.stream().flatMap(tail -> tail.unterminated().stream()).toList();
        }

        @Override
        public void close() {
            tails.forEach(LogTail::close);
        }
    }
}
