package photon.verifier.repair;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.GoneFiles;
import photon.storage.tail.TailBatch;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.source.ForeignLogs;

/**
 * Looks at the foreign logs again and again for ids that are not found, and says after each what
 * the {@link WriteOffRule} makes of it. One reading for all looks: the first reads everything, the
 * others list the globs and read what is new. After {@link #closeLogs} the next look reads
 * everything again. In the repair's loop.
 */
final class MissingIdSearch {
    private final RepairParts parts;
    private final WriteOffRule rule;
    private final Set<String> missing = new LinkedHashSet<>();
    private @Nullable Logs logs;
    private Optional<UUID> state = Optional.empty();
    private Optional<Checkpoint> checkpoint = Optional.empty();
    private boolean looked;
    private boolean endsAwaited;
    private long beginNanos;

    /**
     * @param stateLostMicros as {@link WriteOffRule} takes it
     */
    MissingIdSearch(RepairParts parts, long stateLostMicros) {
        this.parts = parts;
        this.rule = new WriteOffRule(parts.terms(), stateLostMicros);
    }

    private record Logs(ForeignLogs.Reading reading, CheckpointedFiles files) {}

    private Logs logs() {
        return requireNonNull(logs);
    }

    /**
     * Before the first poll of each look: what the checkpoint says then, the look must see.
     *
     * @param registered the dispatcher's state now; empty: it never had one
     */
    void begin(Optional<UUID> registered) throws IOException {
        beginNanos = parts.loop().nanoTime();
        if (looked && !registered.equals(state)) {
            throw new IOException(
                    "The dispatcher's state is another one than at the last look: the repair starts over");
        }
        looked = true;
        state = registered;
        checkpoint = Optional.empty();
        if (state.isPresent()) {
            checkpoint = parts.checkpoint().read(state.get());
        }
        if (logs == null) {
            ForeignLogs.Reading reading = parts.logs().open(List.of());
            logs = new Logs(reading, new CheckpointedFiles(reading));
        }
        // What stands in the checkpoint was there before this.
        logs().reading().listNext();
        missing.clear();
        missing.addAll(logs().reading().missingDirectories());
    }

    TailBatch poll() throws IOException {
        return logs().reading().poll(parts.limits().readRecords(), parts.loop().nanoTime());
    }

    /**
     * A poll has come to the end. {@link #judge} comes next.
     *
     * @param lastAwaited compressed logs have a last record that may not be whole
     */
    void end(boolean lastAwaited) throws IOException {
        missing.addAll(logs().reading().missingDirectories());
        endsAwaited = lastAwaited;
        logs().files().begin(checkpoint.map(Checkpoint::positions).orElse(List.of()));
    }

    /** Judges the look; empty: there are more files to look into, so it is to be asked again. */
    Optional<WriteOffRule.Verdict> judge() {
        if (!logs().files().recogniseSome()) {
            return Optional.empty();
        }
        List<Named> named = logs().files().named();
        List<String> unreadable = new ArrayList<>(logs().files().unreadable());
        if (endsAwaited) {
            unreadable.add("a compressed log is not finished: its last record may not be whole");
        }
        return Optional.of(
                rule.judge(
                        new WriteOffRule.Look(
                                List.copyOf(missing),
                                checkpoint.isPresent() ? Optional.empty() : state,
                                named,
                                checkpoint.map(Checkpoint::gone).orElse(GoneFiles.NONE),
                                unreadable,
                                parts.clock().now().earliestMicros() / 1_000),
                        beginNanos,
                        parts.loop().nanoTime()));
    }

    /** False: the next look begins with the first byte of each log. */
    boolean hasLogsOpen() {
        return logs != null;
    }

    /** Lets go of the logs, and of all that is known of them, until the next look. */
    void closeLogs() {
        if (logs != null) {
            logs.reading().close();
            logs = null;
        }
    }
}
