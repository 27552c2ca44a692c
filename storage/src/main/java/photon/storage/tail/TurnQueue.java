package photon.storage.tail;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.function.Predicate;
import photon.storage.tail.rules.BacklogRule;
import photon.storage.tail.rules.BacklogShare;

/**
 * Files that wait for their turn, and whose turn it is: those with a backlog have a bounded share
 * while others that are read live have something to be read as well.
 */
final class TurnQueue {
    private final OpenFiles openFiles;
    private final int backlogPercent;
    private final BacklogShare share;
    private final ArrayDeque<TailedFile> live = new ArrayDeque<>();
    private final ArrayDeque<TailedFile> backlog = new ArrayDeque<>();
    private final BacklogRule rule = new BacklogRule();

    TurnQueue(OpenFiles openFiles, int backlogPercent) {
        this.openFiles = openFiles;
        this.backlogPercent = backlogPercent;
        this.share = new BacklogShare(backlogPercent);
    }

    int backlogPercent() {
        return backlogPercent;
    }

    /**
     * Takes turns until the batch is full, nothing waits any more, or a file system does not
     * answer. What the files that are read live leave of a batch is the backlog's, and the other
     * way round.
     *
     * @param backlogMax records of files with a backlog
     * @param turn takes the file's turn; false: its file system does not answer
     */
    void takeTurns(BatchBuilder batch, int recordsMax, int backlogMax, Predicate<TailedFile> turn) {
        sort();
        if (!backlog.isEmpty() && backlogMax > 0) {
            if (!live.isEmpty()) {
                batch.leave(Math.min(backlogMax, share.ofNext(recordsMax)));
                if (!takeTurns(live, batch, turn)) {
                    return;
                }
            }
            batch.upTo(backlogMax);
            if (!takeTurns(backlog, batch, turn)) {
                return;
            }
            batch.upTo(recordsMax);
        }
        takeTurns(live, batch, turn);
    }

    private boolean takeTurns(
            ArrayDeque<TailedFile> waiting, BatchBuilder batch, Predicate<TailedFile> turn) {
        int stuck = 0;
        boolean answers = true;
        while (answers && !batch.fullNow() && stuck < waiting.size()) {
            TailedFile file = waiting.remove();
            file.queued = false;
            if (file.open == null && !openFiles.makeRoom(file)) {
                add(file);
                stuck++; // until one of those that are open was read to its end
                continue;
            }
            stuck = 0;
            answers = turn.test(file);
        }
        return answers;
    }

    /** Does nothing if it waits already. */
    void add(TailedFile file) {
        if (!file.queued) {
            file.queued = true;
            file.backlogged = hasBacklog(file);
            (file.backlogged ? backlog : live).add(file);
        }
    }

    /** Others may have become newer since they were added. */
    private void sort() {
        for (Iterator<TailedFile> all = live.iterator(); all.hasNext(); ) {
            TailedFile file = all.next();
            if (hasBacklog(file)) {
                file.backlogged = true;
                all.remove();
                backlog.add(file);
            }
        }
    }

    private boolean hasBacklog(TailedFile file) {
        return file.begun() ? rule.isBehind(file.readToMicros()) : rule.isOld(file.listedMillis);
    }

    /** A listing shows a file: if it shows nothing new, its end is where it was. */
    void listed(TailedFile file, long nowMillis) {
        rule.listed(file.listedMillis, nowMillis);
        if (!file.changed && file.endSeenMillis != TailedFile.NEVER && file.unreadBytes() == 0) {
            file.endSeenMillis = nowMillis;
        }
    }

    /**
     * A file was read.
     *
     * @param toItsEnd it has no more
     */
    void read(TailedFile file, boolean toItsEnd, long nowMillis) {
        if (file.eventMicros != TailedFile.NEVER) {
            rule.read(file.eventMicros, nowMillis * 1_000);
        }
        file.more = !toItsEnd;
        if (toItsEnd) {
            file.endSeenMillis = nowMillis;
            file.backlogged = false;
        }
    }

    /** {@link BacklogRule#newestMicros}. */
    OptionalLong newestMicros() {
        return rule.newestMicros();
    }

    boolean backlogWaits() {
        return !backlog.isEmpty();
    }

    boolean isEmpty() {
        return live.isEmpty() && backlog.isEmpty();
    }
}
