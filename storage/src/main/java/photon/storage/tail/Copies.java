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
import photon.storage.files.FileStore;
import photon.storage.tail.CopyCheck.Original;

/** Knows the logs that a new compressed file may go on with. Not thread-safe. */
final class Copies {
    /** Many files may be compressed at one time. */
    private static final Duration GATHER_EVERY = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Copies.class);

    private final FileStore files;
    private final Collection<TailedFile> tailed;
    private final AbsentFiles absent;
    private final TreeSet<Integer> lengths = new TreeSet<>();
    private final Map<Prefix, List<Read>> byPrefix = new HashMap<>();
    private boolean looksFor;
    private PositionsElsewhere elsewhere = PositionsElsewhere.NONE;
    private boolean gathered;
    private long gatheredNanos;

    /**
     * A log that was read.
     *
     * @param earlier where an earlier life, or another reader, has read it to; null: the file knows
     * @param file null: it is not this tail's
     */
    private record Read(@Nullable FilePosition earlier, @Nullable TailedFile file) {}

    /**
     * @param tailed the tail's files, as they come and go
     */
    Copies(FileStore files, Collection<TailedFile> tailed, AbsentFiles absent) {
        this.files = files;
        this.tailed = tailed;
        this.absent = absent;
    }

    /** From now on. Who does not say what is done must not ask for it. */
    void lookFor(PositionsElsewhere others) {
        looksFor = true;
        elsewhere = others;
    }

    /**
     * Finds the logs that the file begins as; null: nothing tells that it goes on with one of them.
     */
    @Nullable CopyCheck check(TailedFile file, long nanoTime) {
        if (!looksFor) {
            return null;
        }
        gather(nanoTime);
        List<FilePosition> alike = new ArrayList<>();
        List<Original> originals = new ArrayList<>();
        FileRecognition.beginnings(files, file.position(0), lengths)
                .ifPresent(
                        begins ->
                                begins.plain()
                                        .forEach(
                                                (length, hash) ->
                                                        byPrefix.getOrDefault(
                                                                        new Prefix(length, hash),
                                                                        List.of())
                                                                .forEach(
                                                                        read ->
                                                                                add(
                                                                                        read, alike,
                                                                                        originals))));
        file.alike = List.copyOf(alike);
        return file.offset > 0 || originals.isEmpty() ? null : new CopyCheck(originals);
    }

    private static void add(Read read, List<FilePosition> alike, List<Original> originals) {
        FilePosition position = read.earlier();
        TailedFile file = read.file();
        if (position == null && file != null) {
            if (file.state != TailedFile.State.READING || file.badFrom >= 0) {
                return;
            }
            position = file.position(file.offset);
        }
        if (position == null) {
            return;
        }
        alike.add(position);
        if (position.contentCrc() != null) {
            originals.add(new Original(position, file));
        }
    }

    private void gather(long nanoTime) {
        if (gathered && nanoTime - gatheredNanos < GATHER_EVERY.toNanos()) {
            return;
        }
        gathered = true;
        gatheredNanos = nanoTime;
        lengths.clear();
        byPrefix.clear();
        for (TailedFile file : tailed) {
            if (file.state == TailedFile.State.NEW) {
                file.candidates.forEach(this::add);
            } else if (file.offset > 0 && !file.compressed) {
                add(file.prefix, new Read(null, file));
            }
        }
        absent.forEach(this::add);
        try {
            elsewhere.read().forEach(this::add);
        } catch (IOException e) {
            log.info("What others have read is not known now: {}", IoText.of(e));
        }
    }

    private void add(FilePosition position) {
        if (position.offset() > 0) {
            add(
                    new Prefix(position.prefixLength(), position.prefixHash()),
                    new Read(position, null));
        }
    }

    private void add(Prefix prefix, Read read) {
        lengths.add(prefix.length());
        byPrefix.computeIfAbsent(prefix, none -> new ArrayList<>()).add(read);
    }
}
