package photon.joiner;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import photon.core.id.Incarnation;
import photon.joiner.output.JoinerWorkArea;
import photon.storage.output.Manifest;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.WorkRecord;
import photon.storage.output.WorkRecord.JoinedEvent;

/** An output directory in memory, whose calls can be made to fail. */
public final class MemoryOutput implements JoinerWorkArea {
    /** What can fail. */
    public enum Call {
        CREATE_DIRECTORY,
        CREATE_LOG,
        APPEND,
        SYNC,
        FINISH,
        PUBLISH
    }

    /** Every record that was appended, of whatever incarnation. */
    public final List<WorkRecord> appended = new ArrayList<>();

    /** Those that were synced. */
    public final List<WorkRecord> synced = new ArrayList<>();

    public final List<WorkRecord> published = new ArrayList<>();
    private final Set<Incarnation> made = new HashSet<>();
    private final Set<Incarnation> sealed = new HashSet<>();
    private final List<Log> unpublished = new ArrayList<>();
    public Predicate<Call> fails = call -> false;
    public int syncs;
    public int logsCreated;
    public int flushes;

    @Override
    public String outputId() {
        return "output";
    }

    @Override
    public Optional<String> refusal(JoinedEvent event) {
        return event.bytes().toStringUtf8().contains("\n")
                ? Optional.of("Expected one line, but it has a line feed")
                : Optional.empty();
    }

    public int directories() {
        return made.size();
    }

    private void pass(Call call) throws IOException {
        if (fails.test(call)) {
            throw new IOException("no space left on device: " + call);
        }
    }

    @Override
    public Work create(Incarnation incarnation) throws IOException {
        pass(Call.CREATE_DIRECTORY);
        check(made.add(incarnation), "Expected a new incarnation, but got %s", incarnation);
        return new Work() {
            private long lastSequence;

            @Override
            public WorkLog createLog() throws IOException {
                pass(Call.CREATE_LOG);
                logsCreated++;
                Log log = new Log(incarnation, ++lastSequence);
                unpublished.add(log);
                return log;
            }

            @Override
            public Manifest publish(WorkLog finished) throws IOException {
                pass(Call.PUBLISH);
                Log log = (Log) finished;
                check(log.finished, "Expected a finished log");
                if (sealed.contains(incarnation)) {
                    throw new FileAlreadyExistsException("sealed: " + incarnation);
                }
                unpublished.remove(log);
                published.addAll(log.records);
                return new Manifest(incarnation, log.sequence, List.of(), List.of());
            }
        };
    }

    /**
     * Publishes what the incarnation has left: all that was synced, and perhaps some that was not.
     * What it writes later is never published.
     */
    public void seal(Incarnation incarnation, Random random) {
        if (sealed.add(incarnation)) {
            for (Log log : List.copyOf(unpublished)) {
                if (log.incarnation.equals(incarnation)) {
                    int unsynced = log.records.size() - log.syncedRecords;
                    published.addAll(
                            log.records.subList(
                                    0, log.syncedRecords + random.nextInt(unsynced + 1)));
                    unpublished.remove(log);
                }
            }
        }
    }

    private final class Log implements WorkLog {
        private final Incarnation incarnation;
        private final long sequence;
        private final List<WorkRecord> records = new ArrayList<>();
        private int syncedRecords;
        private boolean finished;

        Log(Incarnation incarnation, long sequence) {
            this.incarnation = incarnation;
            this.sequence = sequence;
        }

        @Override
        public long sequence() {
            return sequence;
        }

        @Override
        public void append(WorkRecord record) throws IOException {
            check(record.token().isOf(incarnation), "Expected a token of %s", incarnation);
            check(!finished, "Expected an open log");
            pass(Call.APPEND);
            records.add(record);
            appended.add(record);
        }

        @Override
        public void flush() throws IOException {
            flushes++;
            durable();
        }

        @Override
        public void sync() throws IOException {
            syncs++;
            durable();
        }

        private void durable() throws IOException {
            pass(Call.SYNC);
            synced.addAll(records.subList(syncedRecords, records.size()));
            syncedRecords = records.size();
        }

        @Override
        public long bytes() {
            return 100L * records.size();
        }

        @Override
        public int records() {
            return records.size();
        }

        @Override
        public void close() {}

        @Override
        public void finish() throws IOException {
            pass(Call.FINISH);
            durable();
            finished = true;
        }
    }
}
