package photon.demo.generate;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import photon.core.hash.Sha256;
import photon.demo.generate.model.EventModel;
import photon.demo.generate.model.LogRecord;
import photon.demo.generate.model.LogStream;

/** Counts what is logged, and writes the answer. Not thread-safe. */
final class AnswerBook {
    /** Beside the logs; stands there only when it is complete. */
    static final String ANSWER = "answer.json";

    private static final int BUFFER_BYTES = 256 << 10;

    private final EventModel model;
    private final IdText text;
    private final PairTable pairs = new PairTable(); // primary, foreign
    private final PairTable orphans = new PairTable(); // foreign, primary
    private long primaryEvents;
    private long repeats;
    private long foreignRepeats;
    private long early;

    AnswerBook(EventModel model, IdText text) {
        this.model = model;
        this.text = text;
    }

    void logged(LogRecord record) {
        boolean foreign = record.stream() == LogStream.FOREIGN;
        if (record.repeat()) {
            repeats++;
            foreignRepeats += foreign ? 1 : 0;
            return;
        }
        if (!foreign) {
            primaryEvents++;
            return;
        }
        long id = text.key(LogStream.FOREIGN, record.process(), record.micros());
        long primary = text.key(LogStream.PRIMARY, record.primaryProcess(), record.primaryMicros());
        if (record.orphan()) {
            orphans.add(id, primary);
        } else {
            pairs.add(primary, id);
            early += model.isHeldBack(record.primaryProcess(), record.primaryMicros()) ? 1 : 0;
        }
    }

    long joinable() {
        return pairs.size();
    }

    /** Writes the lists, and last the answer itself. */
    Answer write(Path directory, GeneratorSettings settings, int files, int lateFiles)
            throws IOException {
        pairs.sort();
        orphans.sort();
        String ending = settings.gzip() ? ".tsv.gz" : ".tsv";
        String sha256 = writePairs(directory.resolve("joinable" + ending));
        writeOrphans(directory.resolve("orphans" + ending));
        Answer answer =
                new Answer(
                        settings.shape().seed(),
                        settings.format().text(),
                        primaryEvents,
                        (long) pairs.size() + orphans.size(),
                        pairs.size(),
                        orphans.size(),
                        repeats,
                        foreignRepeats,
                        early,
                        files,
                        lateFiles,
                        sha256);
        Path aside = directory.resolve(ANSWER + ".new");
        Files.writeString(aside, answer.toJson().toPrettyString() + "\n", StandardCharsets.UTF_8);
        Files.move(aside, directory.resolve(ANSWER), StandardCopyOption.ATOMIC_MOVE);
        return answer;
    }

    private String writePairs(Path file) throws IOException {
        MessageDigest digest = Sha256.begin();
        byte[] primaryFirst = new byte[2 * IdText.BYTES_MAX];
        byte[] foreignFirst = new byte[2 * IdText.BYTES_MAX];
        try (OutputStream out = open(file)) {
            for (int i = 0; i < pairs.size(); i++) {
                long primary = pairs.first(i);
                long foreign = pairs.second(i);
                digest.update(
                        primaryFirst,
                        0,
                        line(LogStream.PRIMARY, primary, LogStream.FOREIGN, foreign, primaryFirst));
                out.write(
                        foreignFirst,
                        0,
                        line(LogStream.FOREIGN, foreign, LogStream.PRIMARY, primary, foreignFirst));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private void writeOrphans(Path file) throws IOException {
        byte[] line = new byte[2 * IdText.BYTES_MAX];
        try (OutputStream out = open(file)) {
            for (int i = 0; i < orphans.size(); i++) {
                int end =
                        line(
                                LogStream.FOREIGN,
                                orphans.first(i),
                                LogStream.PRIMARY,
                                orphans.second(i),
                                line);
                out.write(line, 0, end);
            }
        }
    }

    private int line(LogStream left, long leftKey, LogStream right, long rightKey, byte[] into) {
        int at = text.write(left, leftKey, into, 0);
        into[at++] = '\t';
        at = text.write(right, rightKey, into, at);
        into[at++] = '\n';
        return at;
    }

    private static OutputStream open(Path file) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        return new BufferedOutputStream(
                file.toString().endsWith(".gz") ? new GZIPOutputStream(out, 64 << 10) : out,
                BUFFER_BYTES);
    }
}
