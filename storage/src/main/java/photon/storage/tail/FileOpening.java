package photon.storage.tail;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.core.config.InputConfig.OpenMembers;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.tail.OpenFile.Kind;

/** Opens a file and makes sure that it is the one that was meant. */
final class FileOpening {
    private FileOpening() {}

    /**
     * Null: the file is still too short for its kind to be known.
     *
     * @throws NoSuchFileException if another file stands at the path now, or none
     * @throws ReplacedException if it is not what was read before
     */
    static @Nullable OpenFile open(FileStore files, TailedFile file, OpenMembers openMembers)
            throws IOException, ReplacedException {
        ReadFile raw = files.open(file.path);
        boolean kept = false;
        try {
            // After a rotation another file has the path; the next listing finds this one.
            FileInfo now = files.stat(file.path);
            if (now == null || !now.key().equals(file.key)) {
                throw new NoSuchFileException(file.path);
            }
            byte[] first = new byte[Prefix.BYTES_MAX];
            int available = Prefix.readFirst(raw, first);
            Kind kind = kind(file, first, available);
            recognise(file, raw, first, available, kind);
            if (available == 0 || kind == Kind.UNDECIDED) {
                file.leftoverLength = available == 0 ? -1 : available;
                file.rawPosition = available; // more than these there was not
                return null;
            }
            file.compressed = kind == Kind.GZIP || kind == Kind.ZSTD;
            int taken = (int) Math.min(file.offset, available);
            OpenFile open =
                    new OpenFile(
                            raw,
                            kind,
                            openMembers,
                            first,
                            taken,
                            file.offset,
                            boundary(file, raw),
                            file.content);
            if (!file.parser.needsHeader()) {
                open.skipTo(file.offset);
            }
            kept = true;
            return open;
        } finally {
            if (!kept) {
                raw.close();
            }
        }
    }

    /** Where to begin in a compressed file, without reading again what was taken. */
    private static MemberBoundary boundary(TailedFile file, ReadFile raw) throws IOException {
        // A copy is compared from its beginning, and a header stands there.
        boolean usable =
                file.compressed
                        && file.lookedForAlike
                        && file.copyCheck == null
                        && !file.parser.needsHeader()
                        && file.boundary.leadsTo(file.offset)
                        && raw.length() >= file.boundary.raw();
        return usable ? file.boundary : MemberBoundary.NONE;
    }

    private static Kind kind(TailedFile file, byte[] first, int available) {
        return file.parser.readsAvro() ? Kind.AVRO : OpenFile.kind(first, available);
    }

    private static void recognise(
            TailedFile file, ReadFile raw, byte[] first, int available, Kind kind)
            throws IOException, ReplacedException {
        boolean growable = kind == Kind.PLAIN;
        if (file.state == TailedFile.State.NEW) {
            long length = growable ? raw.length() : Long.MAX_VALUE;
            FilePosition known = known(file.candidates, first, available, length);
            if (known != null) {
                file.known = true;
                file.offset = known.offset();
                file.prefix = new Prefix(known.prefixLength(), known.prefixHash());
                file.content.resume(known.offset(), known.contentCrc());
            } else {
                Replacements.tellAtStart(file);
            }
            file.candidates = List.of();
        } else if (!file.prefix.fits(first, available)
                || (growable && raw.length() < file.offset)) {
            throw new ReplacedException();
        }
        file.state = TailedFile.State.READING;
        if (!growable) {
            file.prefix = Prefix.of(first, available);
        }
        file.changed = false;
    }

    /**
     * Of several positions under one key that fit, the smallest: when in doubt, read again. Of
     * several keys the furthest: the file had another one on each machine that has read it.
     */
    private static @Nullable FilePosition known(
            List<FilePosition> candidates, byte[] first, int available, long length) {
        Map<String, FilePosition> known = new HashMap<>();
        for (FilePosition candidate : candidates) {
            Prefix prefix = new Prefix(candidate.prefixLength(), candidate.prefixHash());
            if (prefix.fits(first, available) && candidate.offset() <= length) {
                known.merge(
                        candidate.key(),
                        candidate,
                        (one, other) -> one.offset() <= other.offset() ? one : other);
            }
        }
        return known.values().stream()
                .max(Comparator.comparingLong(FilePosition::offset))
                .orElse(null);
    }
}
