package photon.verifier.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.GoneFiles;
import photon.storage.tail.TailBatch;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.source.ForeignLogs;

/**
 * Looks at the foreign logs again and again for ids that are not found, and says after each what
 * the {@link WriteOffRule} makes of it. One reading for all looks: the first reads everything, the
 * others list the globs and read what is new. In the repair's loop.
 */
final class MissingIdSearch implements AutoCloseable {
    private final RepairParts parts;
    private final ForeignLogs.Reading reading;
    private final CheckpointedFiles files;
    private final WriteOffRule rule;
    private final Set<String> missing = new LinkedHashSet<>();
    private Optional<UUID> state = Optional.empty();
    private Optional<Checkpoint> checkpoint = Optional.empty();
    private boolean looked;
    private boolean endsAwaited;
    private long beginNanos;

    /**
     * @param stateLostMicros as {@link WriteOffRule} takes it
     */
    MissingIdSearch(RepairParts parts, long stateLostMicros) throws IOException {
        this.parts = parts;
        this.reading = parts.logs().open(List.of());
        this.files = new CheckpointedFiles(reading);
        this.rule = new WriteOffRule(parts.terms(), stateLostMicros);
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
        // What stands in the checkpoint was there before this.
        reading.listNext();
        missing.clear();
        missing.addAll(reading.missingDirectories());
    }

    TailBatch poll() throws IOException {
        return reading.poll(parts.limits().readRecords(), parts.loop().nanoTime());
    }

    /**
     * A poll has come to the end. {@link #judge} comes next.
     *
     * @param lastAwaited compressed logs have a last record that may not be whole
     */
    void end(boolean lastAwaited) throws IOException {
        missing.addAll(reading.missingDirectories());
        endsAwaited = lastAwaited;
        files.begin(checkpoint.map(Checkpoint::positions).orElse(List.of()));
    }

    /** Judges the look; empty: there are more files to look into, so it is to be asked again. */
    Optional<WriteOffRule.Verdict> judge() {
        if (!files.recogniseSome()) {
            return Optional.empty();
        }
        List<Named> named = files.named();
        List<String> unreadable = new ArrayList<>(files.unreadable());
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

    @Override
    public void close() {
        reading.close();
    }
}
