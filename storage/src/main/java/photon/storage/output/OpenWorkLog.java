package photon.storage.output;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.frames.FrameWriter;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormat;
import photon.storage.output.format.OutputFormats;

/** Writes a work log. */
final class OpenWorkLog implements WorkDirectory.WorkLog {
    private static final int BUFFER_BYTES = 4 << 10;

    private final Incarnation incarnation;
    private final long sequence;
    private final OutputFormats formats;
    private final FrameWriter frames;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private int records;
    private long bytes;
    private boolean closed;
    private boolean finished;

    OpenWorkLog(Incarnation incarnation, long sequence, OutputFormats formats, AppendFile file)
            throws IOException {
        this.incarnation = incarnation;
        this.sequence = sequence;
        this.formats = formats;
        this.frames = new FrameWriter(file);
        frames.append(
                WorkRecordCodec.encode(
                        new WorkRecordCodec.Header(incarnation, sequence, formats.description())));
        bytes = frames.position();
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public void append(WorkRecord record) throws IOException {
        check(!closed, "Expected an open work log, but %s is closed", sequence);
        check(
                record.token().isOf(incarnation),
                "Expected a token of %s, but got %s for %s",
                incarnation,
                record.token(),
                record.id());
        check(
                record.contentHash().length() <= 64,
                "Expected a content hash of at most 64 characters, but got '%s'",
                record.contentHash());
        for (JoinedEvent event : record.joined()) {
            check(
                    event.output().isEmpty() || OutputNames.isOutput(event.output()),
                    "Expected the name of an output, but got '%s' for %s",
                    event.output(),
                    record.id());
            OutputFormat format = formats.of(event.output());
            String refusal = format.refusalIsDear() ? null : format.refusal(event.bytes());
            check(refusal == null, "%s: %s", record.id(), refusal);
        }
        int size = record.encodedBytes();
        check(
                size <= WorkRecord.BYTES_MAX,
                "Expected a record of at most %s bytes, but %s has %s",
                WorkRecord.BYTES_MAX,
                record.id(),
                size);
        if (size > buffer.capacity()) {
            buffer = ByteBuffer.allocate(Math.max(size, 2 * buffer.capacity()));
        }
        buffer.clear();
        WorkRecordCodec.encode(record, keptPrimaryId(record), buffer);
        frames.append(buffer.array(), 0, buffer.position());
        bytes = frames.position();
        records++;
    }

    private @Nullable EventId keptPrimaryId(WorkRecord record) {
        return formats.needPrimaryIds() ? record.primaryId() : null;
    }

    @Override
    public void flush() throws IOException {
        frames.flush();
    }

    @Override
    public void sync() throws IOException {
        frames.sync();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int records() {
        return records;
    }

    @Override
    public void finish() throws IOException {
        check(!closed, "Expected an open work log, but %s is closed", sequence);
        frames.sync();
        close();
        finished = true;
    }

    boolean isFinishedOf(Incarnation other) {
        return finished && incarnation.equals(other);
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            frames.close();
        }
    }
}
