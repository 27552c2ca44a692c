package photon.joiner.task;

import com.google.common.hash.Hashing;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.output.OutputWriter;
import photon.joiner.rules.Attempt;
import photon.storage.output.WorkRecord;
import photon.storage.output.WorkRecord.JoinedEvent;

/** Hands accepted attempts to the writer: one batch a turn. */
final class OutputStep {
    /** More than a record takes besides its joined events, and one of these besides its bytes. */
    private static final int RECORD_BYTES = 1_024;

    private static final int EVENT_BYTES = 64;

    /** Each is a file, open while a work log is published, and a buffer of up to 32 MiB. */
    static final int OUTPUTS_MAX = 64;

    private final JoinerWorkArea area;
    private final OutputWriter writer;
    private final Consumer<List<Attempt>> flushed;
    private final CoalescedTask turn;
    private List<Attempt> accepted = new ArrayList<>();

    /**
     * Which adapters have named for what may be written, but for those that are configured. Not
     * above the bound but by repairs.
     */
    private final Set<String> others = new HashSet<>();

    /**
     * @param flushed told of a batch whose records are flushed; may come after {@link #end}
     */
    OutputStep(JoinTaskContext parts, OutputWriter writer, Consumer<List<Attempt>> flushed) {
        this.area = parts.area();
        this.writer = writer;
        this.flushed = flushed;
        this.turn = new CoalescedTask(parts.main(), this::write);
    }

    /**
     * Why these joined events cannot be written; null: they can. Asked before the commit: an id
     * that is committed and not written would have to be repaired, again and again.
     *
     * @param repair an earlier incarnation had room for them: if they were refused now, nobody
     *     would ever write them
     */
    @Nullable String refusal(List<JoinedEvent> events, boolean repair) {
        long bytes = RECORD_BYTES;
        Set<String> more = Set.of();
        for (JoinedEvent event : events) {
            Optional<String> refusal = area.refusal(event);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            String name = event.output();
            if (!name.isEmpty() && !others.contains(name) && !area.outputs().contains(name)) {
                more = more.isEmpty() ? new HashSet<>() : more;
                more.add(name);
            }
            bytes += EVENT_BYTES + 4L * event.output().length() + event.bytes().size();
        }
        if (others.size() + more.size() > OUTPUTS_MAX && !more.isEmpty() && !repair) {
            return "Expected at most %s named outputs beside those of output.named, but got %s more than %s: '%s'"
                    .formatted(OUTPUTS_MAX, more.size(), others.size(), more.iterator().next());
        }
        if (bytes <= WorkRecord.BYTES_MAX) {
            others.addAll(more);
            return null;
        }
        return "Expected joined events of at most %s bytes together, but got %s"
                .formatted(WorkRecord.BYTES_MAX, bytes);
    }

    void add(Attempt attempt) {
        accepted.add(attempt);
        turn.ask();
    }

    void publishAll(Runnable done) {
        writer.publishAll(done);
    }

    /** What waits is never written. */
    void end() {
        accepted = new ArrayList<>();
        writer.end();
    }

    private void write() {
        if (accepted.isEmpty()) {
            return;
        }
        List<Attempt> batch = accepted;
        accepted = new ArrayList<>();
        List<WorkRecord> records = new ArrayList<>(batch.size());
        for (Attempt attempt : batch) {
            records.add(
                    new WorkRecord(
                            attempt.id(),
                            attempt.token(),
                            id(attempt.primaryId()),
                            contentHash(attempt.event().getJson()),
                            attempt.joined()));
        }
        writer.write(records, () -> flushed.accept(batch));
    }

    private static @Nullable EventId id(ByteString packed) {
        return packed.isEmpty() ? null : EventId.read(packed);
    }

    /** Tells a changed repeat of an identity; decides nothing. */
    private static String contentHash(ByteString json) {
        return HexFormat.of()
                .formatHex(Hashing.murmur3_128().hashBytes(json.asReadOnlyByteBuffer()).asBytes());
    }
}
