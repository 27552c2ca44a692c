package photon.storage.tail;

import static photon.core.error.Checks.check;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import photon.core.config.StreamConfig;
import photon.core.error.BugException;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Writer;
import photon.storage.files.StreamListing;
import photon.storage.files.UnavailableException;
import photon.storage.format.EventParser;
import photon.storage.tail.TailedFile.State;

/**
 * Reads the logs of one stream as they grow: new files, growth, rotation and rename, truncation,
 * compressed files, half-written last records. Not thread-safe: one loop owns it.
 *
 * <p>A file is known again by its key and its first bytes together. When in doubt it is read again
 * from its start, as a new file: the registry tells repeats, and nothing tells a gap. What is
 * half-written is never parsed, since a cut field could make a wrong identity; {@link
 * #unterminated()} lists it. Of a compressed file only records count whose checksum was verified,
 * and its unterminated end only once it is finished (docs/protocol.md section 12).
 *
 * <p>Files wait in a queue and are read by turns; a bounded number of them is open. A compressed
 * file keeps its place until it is read to its end, since going back into one means reading it
 * again from its start. Those with a backlog have a bounded share while others are read live.
 */
public final class LogTail implements AutoCloseable {
    private static final int OPEN_FILES_MAX = 64;
    private static final int OPEN_FILES_MIN = 8;
    private static final int ABSENT_LISTINGS_MAX = 3;
    private static final long RETRY_NANOS_MIN = 5_000_000;
    private static final long RETRY_NANOS_MAX = 1_000_000_000;

    private final LogShare share;
    private final EventParser parser;
    private final FileEnds ends;
    private final FileTurn turn;
    private final long rescanNanos;
    private final AbsentFiles absent;
    private final Copies copies;
    private final TreeMap<Integer, TailedFile> all = new TreeMap<>(); // by number
    private final Map<String, TailedFile> byKey = new HashMap<>();
    private final TurnQueue queue;
    private final OpenFiles openFiles;
    private final FailingFiles failing = new FailingFiles();
    private final StalledFiles stalled = new StalledFiles();
    private final LinkedHashSet<TailedFile> endsAwaited = new LinkedHashSet<>();
    private int numbers;
    private boolean listsNext = true;
    private long listedNanos;
    private boolean readSinceListed;

    /**
     * @param resume positions of an earlier life; files that are not among them are read from their
     *     start
     * @param rescan how often directories are listed, and logs looked at that HDFS says are open
     * @param clock tells how old a file is
     * @throws photon.core.error.ConfigException if the stream's settings do not fit each other
     */
    public LogTail(
            FileStore files,
            StreamConfig stream,
            List<FilePosition> resume,
            Duration rescan,
            IntervalClock clock) {
        this(files, stream, LogShare.whole(files, stream), resume, rescan, clock, OPEN_FILES_MAX);
    }

    /** Of a part of the files, listed as often as the stream says. */
    public LogTail(
            FileStore files,
            StreamConfig stream,
            LogShare share,
            List<FilePosition> resume,
            IntervalClock clock) {
        this(
                files,
                stream,
                share,
                resume,
                stream.input().listEvery(),
                clock,
                Math.max(OPEN_FILES_MIN, OPEN_FILES_MAX / share.partition().count()));
    }

    LogTail(
            FileStore files,
            StreamConfig stream,
            LogShare share,
            List<FilePosition> resume,
            Duration rescan,
            IntervalClock clock,
            int openFilesMax) {
        this.share = share;
        this.parser = EventParser.of(stream);
        this.ends = new FileEnds(files, clock, stream.input().finishedAfter());
        this.openFiles = new OpenFiles(files, stream.input().openMembers(), openFilesMax);
        this.queue = new TurnQueue(openFiles, stream.input().backlogPercent());
        this.absent = new AbsentFiles(resume);
        this.copies = new Copies(all.values(), absent);
        this.turn =
                new FileTurn(
                        parser.framed() ? new RecordSplitter.Frames() : new RecordSplitter.Lines(),
                        ends,
                        copies);
        this.rescanNanos = rescan.toNanos();
    }

    /**
     * The same tail; from now on a compressed file that goes on with a log that was read is read
     * from there. For those that tell by {@link #position} what is done, and for no others.
     *
     * @param elsewhere of the same stream's logs, and of the same state
     */
    @CanIgnoreReturnValue
    public LogTail lookForCopies(PositionsElsewhere elsewhere) {
        copies.lookFor(elsewhere);
        return this;
    }

    /**
     * Reads on, about {@code recordsMax} records at the most, fairly over the files.
     *
     * <p>A trouble of a file as a whole (not readable, corrupt stream) is a bad item of no length,
     * once. A file whose file system does not answer is no trouble of the file: the poll ends, and
     * {@link TailBatch#stall} tells of it until it can be read on.
     *
     * @param nanoTime monotonic time, for the rescan
     * @throws IOException if the store fails as a whole; a trouble of one file is an item
     */
    public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
        return poll(recordsMax, recordsMax, nanoTime);
    }

    /**
     * As {@link #poll(int, long)}.
     *
     * @param backlogMax of the records, those of files with a backlog, beside others that are read
     *     live; 0: none
     */
    public TailBatch poll(int recordsMax, int backlogMax, long nanoTime) throws IOException {
        check(recordsMax > 0, "Expected room for one record or more, but got %s", recordsMax);
        BatchBuilder batch = new BatchBuilder(recordsMax);
        boolean looksAtAll = listsNext;
        if (looksAtAll || nanoTime - listedNanos >= rescanNanos) {
            list(batch, nanoTime);
            listsNext = false;
            listedNanos = nanoTime;
            readSinceListed = false;
        }
        queueDue(looksAtAll, nanoTime);
        queue.takeTurns(batch, recordsMax, backlogMax, file -> takeTurn(file, batch, nanoTime));
        boolean caughtUp = !readSinceListed && queue.isEmpty() && nothingIsNews();
        readSinceListed |= caughtUp;
        return batch.build(caughtUp, !endsAwaited.isEmpty(), stalled.now(), queue.backlogWaits());
    }

    /** The next poll lists, however soon it comes, and looks at each log that is open. */
    public void listNext() {
        listsNext = true;
    }

    /**
     * The position to store once all of a file before {@code offset} is done.
     *
     * @param file a number that {@link #retire} has not named
     */
    public FilePosition position(int file, long offset) {
        TailedFile found = all.get(file);
        if (found == null) {
            throw new BugException("Expected a file that is kept, but %s is not".formatted(file));
        }
        found.doneTo = Math.max(found.doneTo, offset);
        return found.position(offset);
    }

    /**
     * Lets go of files that have been gone for an hour (with the directories of their globs there)
     * or that others have replaced, once {@link #position} was asked for the end of all that was
     * handed out of them. One that comes back has a new number, and is read on.
     *
     * @return their numbers, which nothing is known of from now on
     */
    public List<Integer> retire(long nanoTime) {
        return absent.retire(all, byKey, nanoTime);
    }

    /** Of files that have been absent for an hour, with the directories of their globs there. */
    public List<FilePosition> longAbsent(long nanoTime) {
        return absent.longAbsent(nanoTime);
    }

    /** Drops what is kept of absent files: one that comes back is read from its start. */
    public void forget(Collection<String> keys) {
        absent.forget(keys);
    }

    /** {@link AbsentFiles#inSight}, and no file is there that cannot be read. */
    public boolean inSight() {
        return absent.inSight() && !failing.keepBack(ends.nowMillis());
    }

    /** When the last listing was begun, by the clock of the polls. */
    public long listedNanos() {
        return listedNanos;
    }

    /** From one listing to the next, if polls are made. */
    public Duration listEvery() {
        return Duration.ofNanos(rescanNanos);
    }

    /** Files that are kept in memory, absent ones included. */
    public int kept() {
        return all.size() + absent.size();
    }

    /** How far each file was read that was met and not retired, also if it is gone or replaced. */
    public List<FilePosition> reached() {
        return all.values().stream().map(file -> file.position(file.offset)).toList();
    }

    /**
     * Files that are there and cannot be read on from where {@link #reached} says, with the reason:
     * by their number, which is their index there as long as none was retired.
     */
    public SortedMap<Integer, String> unreadable() {
        SortedMap<Integer, String> found = new TreeMap<>();
        for (TailedFile file : byKey.values()) {
            String trouble = file.trouble;
            if (trouble != null && file.absentListings == 0) {
                found.put(file.number, trouble);
            }
        }
        return found;
    }

    /** Whether bytes of this file are known to wait unread. */
    public boolean unread(int number) {
        TailedFile file = all.get(number);
        return file != null && file.unreadBytes() > 0;
    }

    /** What is known to wait unread. */
    public TailLag lag() {
        return TailLag.of(byKey.values(), queue.newestMicros());
    }

    /** Of what is read, what files with a backlog have for themselves. */
    public int backlogPercent() {
        return queue.backlogPercent();
    }

    /** By the clock that tells how old files are. */
    public long nowMillis() {
        return ends.nowMillis();
    }

    /**
     * Bytes at the ends of files that make no whole record, or no whole compressed stream, as far
     * as these have been read.
     */
    public List<Unterminated> unterminated() {
        return all.values().stream()
                .filter(file -> file.state != State.REPLACED && file.leftoverLength >= 0)
                .map(Unterminated::of)
                .toList();
    }

    /** How each file stands that is known, but for those that others have replaced. */
    public List<FileReading> readings() {
        return byKey.values().stream().map(FileReading::of).toList();
    }

    @Override
    public void close() {
        openFiles.closeAll();
    }

    /** Two paths of one file are read once; the first in order gives it its name. */
    private void list(BatchBuilder batch, long nanoTime) throws IOException {
        // Before anything changes.
        StreamListing.Look look = share.look(nanoTime);
        Map<String, FileInfo> foundByKey = new LinkedHashMap<>();
        look.found().forEach(info -> foundByKey.putIfAbsent(info.key(), info));
        Set<String> newNames = new HashSet<>();
        for (FileInfo info : foundByKey.values()) {
            if (see(info, foundByKey.keySet())) {
                newNames.add(info.path());
            }
        }
        for (TailedFile file : List.copyOf(byKey.values())) {
            if (!foundByKey.containsKey(file.key) && !file.gone) {
                if (file.absentListings == 0 && newNames.contains(file.path)) {
                    Replacements.tellOfAnotherFile(file);
                }
                missed(file, batch, nanoTime);
            }
        }
        absent.listed(look, byKey.values(), ends.nowMillis(), nanoTime);
        copies.forgetOld(nanoTime);
    }

    /** All that the last listing showed is read, or cannot be read for a reason that was told. */
    private boolean nothingIsNews() {
        return byKey.values().stream()
                .noneMatch(file -> file.changed && !file.gone && !FailingFiles.isGivenUp(file));
    }

    /** True: this file was not known before. */
    private boolean see(FileInfo info, Set<String> present) {
        TailedFile file = byKey.get(info.key());
        boolean isNew = file == null;
        if (file == null) {
            file = add(info, absent.take(info.key(), present));
        }
        file.listed(info);
        queue.listed(file, ends.nowMillis());
        if (file.changed && !stalled.contains(file)) {
            queue.add(file);
        }
        return isNew;
    }

    private TailedFile add(FileInfo info, List<FilePosition> candidates) {
        TailedFile file = new TailedFile(numbers++, info, parser.forFile(), candidates);
        all.put(file.number, file);
        byKey.put(info.key(), file);
        return file;
    }

    /** Gone from the globs: what is open is read to its end, for a few listings more. */
    private void missed(TailedFile file, BatchBuilder batch, long nanoTime) {
        file.absentListings++;
        boolean drains =
                file.open != null
                        && (file.queued
                                || file.endAwaited
                                || file.absentListings <= ABSENT_LISTINGS_MAX);
        if (drains) {
            queue.add(file);
            return;
        }
        if (file.endAwaited && file.copyCheck == null) {
            String reason =
                    "Expected to read the last record when the file is finished, but it has gone";
            long at = file.badFrom >= 0 ? file.badFrom : file.offset;
            batch.bad(file, at, at, reason, new byte[0]);
        }
        openFiles.close(file);
        failing.forget(file);
        stalled.remove(file);
        endsAwaited.remove(file);
        file.goes(nanoTime);
    }

    /** Those whose time has come, or all that are open: they grow between two listings, too. */
    private void queueDue(boolean all, long nanoTime) {
        openFiles.forEach(
                file -> {
                    if (all || nanoTime - file.retryAtNanos >= 0) {
                        queue.add(file);
                    }
                });
        for (TailedFile file : endsAwaited) {
            if (file.open == null && nanoTime - file.endDueNanos >= 0) {
                queue.add(file);
            }
        }
        failing.due(nanoTime).forEach(queue::add);
        stalled.due(nanoTime).forEach(queue::add);
    }

    /** False: the file system did not answer. */
    private boolean takeTurn(TailedFile file, BatchBuilder batch, long nanoTime) {
        if (file.state == State.REPLACED || file.gone) {
            return true;
        }
        stalled.asking(file);
        try {
            readTurn(file, batch, nanoTime);
        } catch (UnavailableException e) {
            openFiles.close(file);
            failing.remove(file);
            endsAwaited.remove(file);
            stalled.add(file, e, nanoTime);
            return false;
        }
        stalled.answered(file).forEach(queue::add);
        return true;
    }

    private void readTurn(TailedFile file, BatchBuilder batch, long nanoTime)
            throws UnavailableException {
        long offsetBefore = file.offset;
        FileTurn.End end;
        try {
            OpenFile open = openFiles.forTurn(file);
            if (open == null) {
                failing.read(file, false); // It could be opened.
                return;
            }
            end = turn.read(file, open, batch, nanoTime);
            file.rawPosition = open.rawPosition();
        } catch (NoSuchFileException e) {
            return; // renamed or deleted since the listing; the next one tells
        } catch (ReplacedException e) {
            end = FileTurn.End.REPLACED;
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            openFiles.close(file);
            endsAwaited.remove(file);
            failing.add(file, e, batch, nanoTime);
            return;
        }
        failing.read(file, end == FileTurn.End.CORRUPT);
        endsAwaited.remove(file);
        if (end != FileTurn.End.REPLACED) {
            file.readAs = file.path;
        }
        if (file.offset > offsetBefore) {
            file.retryDelayNanos = 0;
        }
        boolean atItsEnd = end == FileTurn.End.WAITING && file.copyCheck == null;
        queue.read(file, atItsEnd, ends.nowMillis());
        switch (end) {
            case MORE -> queue.add(file);
            case WAITING -> wait(file, nanoTime);
            case CORRUPT -> {
                openFiles.close(file);
                file.state = State.CORRUPT;
                file.changed = false;
            }
            case REPLACED -> replace(file);
            case REOPEN -> {
                openFiles.close(file);
                queue.add(file);
            }
        }
        openFiles.closeIfTooLarge(file);
    }

    private void wait(TailedFile file, long nanoTime) {
        OpenFile open = file.open;
        if (open == null) {
            return;
        }
        // The listing tells if a file that its writer has closed is opened for appending again.
        boolean closed = open.raw().writer() == Writer.CLOSED;
        if (((open.complete() && !open.growing()) || closed) && !file.endAwaited) {
            openFiles.close(file);
            return;
        }
        if (file.endAwaited) {
            endsAwaited.add(file);
            file.endDueNanos = ends.dueNanos(nanoTime);
        }
        open.shrink();
        long longer = Math.max(RETRY_NANOS_MIN, file.retryDelayNanos * 2);
        // On HDFS a look costs a call of the NameNode if the log has grown.
        boolean costs = open.raw().writer() == Writer.OPEN;
        file.retryDelayNanos = costs ? rescanNanos : Math.min(RETRY_NANOS_MAX, longer);
        file.retryAtNanos = nanoTime + file.retryDelayNanos;
    }

    /** Its key goes on with other content: read from the start, under a number of its own. */
    private void replace(TailedFile file) {
        Replacements.tell(file);
        openFiles.close(file);
        failing.forget(file);
        file.state = State.REPLACED;
        TailedFile next =
                add(new FileInfo(file.path, file.key, file.listedLength, false, 0), List.of());
        next.listedLength = file.listedLength;
        next.listedMillis = file.listedMillis;
        next.absentListings = file.absentListings;
        next.changed = true;
        queue.add(next);
    }
}
