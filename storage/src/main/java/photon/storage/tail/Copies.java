package photon.storage.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.IoText;
import photon.storage.tail.CopyCheck.Original;

/** Knows the logs that a new compressed file may go on with. Not thread-safe. */
final class Copies {
    /** Many files may be compressed at one time. */
    private static final Duration GATHER_EVERY = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Copies.class);

    private final Collection<TailedFile> tailed;
    private final AbsentFiles absent;
    private final TreeSet<Integer> lengths = new TreeSet<>();
    private final Map<Prefix, List<Read>> byPrefix = new HashMap<>();
    private boolean looksFor;
    private PositionsElsewhere elsewhere = PositionsElsewhere.NONE;
    private boolean gathered;
    private boolean gatheredElsewhere;
    private long gatheredNanos;

    /** A log that was read, as it is when it is asked. */
    @FunctionalInterface
    private interface Read {
        /** Null: it has ended, or a part of it cannot be read. */
        @Nullable Original now();
    }

    /**
     * @param tailed the tail's files, as they come and go
     */
    Copies(Collection<TailedFile> tailed, AbsentFiles absent) {
        this.tailed = tailed;
        this.absent = absent;
    }

    /** From now on. Who does not say what is done must not ask for it. */
    void lookFor(PositionsElsewhere others) {
        looksFor = true;
        elsewhere = others;
    }

    /**
     * Finds the logs that the file begins as; null: nothing tells that it goes on with one of them,
     * or its own position tells where to go on.
     *
     * @param nowMillis what the time is at least, milliseconds since 1970
     * @throws IOException if the file cannot be read now; the caller asks again
     */
    @Nullable CopyCheck check(TailedFile file, OpenFile open, long nowMillis, long nanoTime)
            throws IOException {
        if (!looksFor) {
            return null;
        }
        gather(nanoTime);
        if (!file.known) {
            gatherElsewhere();
        }
        List<Original> alike = beginningAs(open);
        file.alike =
                alike.stream()
                        .map(Original::position)
                        .filter(log -> AbsentFiles.mayBeMissed(log.modifiedMillis(), nowMillis))
                        .toList();
        List<Original> comparable =
                alike.stream().filter(one -> one.position().contentCrc() != null).toList();
        return file.known || comparable.isEmpty() ? null : new CopyCheck(comparable);
    }

    /** Nothing is kept for longer than it is of use. */
    void forgetOld(long nanoTime) {
        if (gathered && nanoTime - gatheredNanos >= GATHER_EVERY.toNanos()) {
            gathered = false;
            gatheredElsewhere = false;
            lengths.clear();
            byPrefix.clear();
        }
    }

    private List<Original> beginningAs(OpenFile open) throws IOException {
        // By the handle: the name may have gone.
        Map<Integer, String> plain = FileRecognition.beginnings(open.raw(), lengths).plain();
        List<Original> alike = new ArrayList<>();
        for (Map.Entry<Integer, String> begins : plain.entrySet()) {
            Prefix prefix = new Prefix(begins.getKey(), begins.getValue());
            for (Read read : byPrefix.getOrDefault(prefix, List.of())) {
                Original original = read.now();
                if (original != null) {
                    alike.add(original);
                }
            }
        }
        return alike;
    }

    private static @Nullable Original now(TailedFile file) {
        return file.state == TailedFile.State.READING && file.badFrom < 0
                ? new Original(file.position(file.offset), file)
                : null;
    }

    private void gather(long nanoTime) {
        forgetOld(nanoTime);
        if (gathered) {
            return;
        }
        gathered = true;
        gatheredNanos = nanoTime;
        for (TailedFile file : tailed) {
            if (file.state == TailedFile.State.NEW) {
                file.candidates.forEach(this::add);
            } else if (file.offset > 0 && !file.compressed) {
                add(file.prefix, () -> now(file));
            }
        }
        absent.forEach(this::add);
    }

    private void gatherElsewhere() {
        if (gatheredElsewhere) {
            return;
        }
        gatheredElsewhere = true;
        try {
            elsewhere.read().forEach(this::add);
        } catch (IOException e) {
            log.info("What others have read is not known now: {}", IoText.of(e));
        }
    }

    private void add(FilePosition position) {
        if (position.offset() > 0) {
            Original original = new Original(position, null);
            add(new Prefix(position.prefixLength(), position.prefixHash()), () -> original);
        }
    }

    private void add(Prefix prefix, Read read) {
        lengths.add(prefix.length());
        byPrefix.computeIfAbsent(prefix, none -> new ArrayList<>()).add(read);
    }
}
