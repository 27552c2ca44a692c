package photon.verifier.repair;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.id.Incarnation;
import photon.core.rpc.Caller;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.RegistryProtos;
import photon.storage.tail.FilePosition;
import photon.storage.tail.TailBatch;
import photon.verifier.source.ForeignLogs;
import photon.verifier.steps.Steps;

/**
 * Reads lost events anew from the foreign logs and hands them, as repair rows, to a dispatcher,
 * which answers when they are durable. Reads no further while rows wait to be answered, so that
 * memory holds the rows of one read at the most. Reads first from where the dispatcher had read
 * when the oldest of them happened ({@link ReadingStart}), then everything. What is not found then
 * is looked for again, less and less often, until the {@link WriteOffRule} gives it up.
 */
final class Reinjection {
    private final RepairParts parts;
    private final Incarnation incarnation;
    private final IncarnationInfo info;
    private final Steps steps;
    private final RepairRows rows;
    private final LookPlaces places;
    private final Consumer<Waits> waits;
    private LostEvents lost = new LostEvents();
    private Steps.Step done = () -> {};
    private ForeignLogs.@Nullable Reading near;
    private @Nullable MissingIdSearch looks;
    private int looksDone;
    private boolean hasWaited;
    private long firstLookNanos;
    private int emptyPolls;
    private int asksBroken;
    private long handedOver;
    private Optional<UUID> rowsIn = Optional.empty();
    private Optional<String> orderedBecause = Optional.empty();

    /**
     * @param places of the repairs that wait: from its first wait on it is one of them
     * @param waits told after each look that leaves ids to be looked for later
     */
    Reinjection(
            RepairParts parts,
            IncarnationInfo info,
            Steps steps,
            LookPlaces places,
            Consumer<Waits> waits) {
        this.places = places;
        this.waits = waits;
        this.parts = parts;
        this.incarnation = info.incarnation();
        this.info = info;
        this.steps = steps;
        this.rows =
                new RepairRows(parts.limits().rowsPerRequest(), parts.limits().bytesPerRequest());
    }

    /**
     * After a look.
     *
     * @param ids that were not found
     * @param nanos since the first look
     */
    record Waits(int ids, long nanos, WriteOffRule.Verdict verdict) {}

    /**
     * Begins.
     *
     * @param lost what is handed over is taken out of it; what is to be written off stays
     * @param done the step to go on with when every row is durable
     */
    void start(LostEvents lost, Steps.Step done) {
        this.lost = lost;
        this.done = done;
        this.looksDone = 0;
        this.orderedBecause = Optional.empty();
        if (hasWaited) {
            inTurn(this::open);
        } else {
            steps.next(this::open);
        }
    }

    /** One that has waited has given its place among those that run to another. */
    private void inTurn(Steps.Step opensLogs) {
        places.ask(this, () -> steps.next(opensLogs));
    }

    /** Rows that are durable at the dispatcher, of all that was started. */
    long handedOver() {
        return handedOver;
    }

    /**
     * The dispatcher's state in which they are; empty: there were none. One that is lost later
     * tells by it which incarnations lost their rows.
     */
    Optional<UUID> rowsIn() {
        return rowsIn;
    }

    /** A person has ordered that what is left be given up; empty: the rule has allowed it. */
    Optional<String> orderedBecause() {
        return orderedBecause;
    }

    private void open() throws IOException {
        closeLogs();
        firstLookNanos = parts.loop().nanoTime();
        emptyPolls = 0;
        List<FilePosition> start = ReadingStart.of(parts.history(), lost.oldestMicros());
        if (start.isEmpty()) {
            openAll();
        } else {
            near = parts.logs().open(start);
            steps.next(this::readNear);
        }
    }

    /** What is not found from there may stand before it: only a full look says anything of that. */
    private void readNear() throws IOException {
        TailBatch batch = requireNonNull(near).poll(parts.limits().readRecords(), nanoTime());
        take(batch);
        emptyPolls = batch.items().isEmpty() && !batch.more() ? emptyPolls + 1 : 0;
        if (lost.isEmpty()) {
            steps.next(() -> handOver(this::finish));
        } else if (batch.caughtUp() || emptyPolls > parts.limits().emptyPollsMax()) {
            steps.next(() -> handOver(this::openAll));
        } else {
            steps.next(() -> handOver(this::readNear));
        }
    }

    /** Everything from its start, and again and again. */
    private void openAll() throws IOException {
        closeLogs();
        looks = new MissingIdSearch(parts, info.rows().stateLostMicros());
        look();
    }

    private void take(TailBatch batch) {
        for (TailBatch.Item item : batch.items()) {
            if (item.event() != null) {
                lost.find(item.event()).forEach(rows::add);
            }
        }
    }

    private long nanoTime() {
        return parts.loop().nanoTime();
    }

    private void look() throws IOException {
        emptyPolls = 0;
        steps.await(
                parts.registeredState().ask(),
                state -> {
                    requireNonNull(looks).begin(state);
                    steps.next(this::readOn);
                });
    }

    private void readOn() throws IOException {
        MissingIdSearch open = requireNonNull(looks);
        TailBatch batch = open.poll();
        take(batch);
        if (lost.isEmpty()) {
            steps.next(() -> handOver(this::finish));
            return;
        }
        if (batch.caughtUp()) {
            open.end(batch.endsAwaited());
            steps.next(() -> handOver(this::judge));
            return;
        }
        emptyPolls = batch.items().isEmpty() && !batch.more() ? emptyPolls + 1 : 0;
        if (emptyPolls > parts.limits().emptyPollsMax()) {
            throw new IOException("The end of the foreign logs did not come into sight");
        }
        steps.next(() -> handOver(this::readOn));
    }

    /** Some files a step: there may be thousands to look into. */
    private void judge() throws IOException {
        Optional<WriteOffRule.Verdict> verdict = requireNonNull(looks).judge();
        if (verdict.isPresent()) {
            endLook(verdict.get());
        } else {
            steps.next(this::judge);
        }
    }

    private void endLook(WriteOffRule.Verdict verdict) throws IOException {
        orderedBecause = parts.orders().reason(incarnation, info.rows().timesReopened());
        if (verdict.writeOff() || orderedBecause.isPresent()) {
            finish();
            return;
        }
        looksDone++;
        hasWaited = true;
        if (!places.keeps(this)) {
            requireNonNull(looks).closeLogs();
        }
        waits.accept(new Waits(lost.size(), nanoTime() - firstLookNanos, verdict));
        Duration delay = parts.limits().lookDelay(looksDone);
        Duration left = verdict.left();
        steps.later(delay.compareTo(left) < 0 ? delay : left, this::lookAgain);
    }

    private void lookAgain() throws IOException {
        if (requireNonNull(looks).hasLogsOpen()) {
            look();
        } else {
            inTurn(this::look);
        }
    }

    private void finish() throws IOException {
        close();
        done.run();
    }

    /** Sends what waits, request by request, as often and as long as it takes. */
    private void handOver(Steps.Step then) throws IOException {
        if (rows.isEmpty()) {
            then.run();
            return;
        }
        parts.dispatcher()
                .call(
                        rows.request(),
                        new Caller.Reply<>() {
                            @Override
                            public void answered(AddRepairRowsResponse answer) {
                                steps.next(() -> durable(answer, then));
                            }

                            @Override
                            public void broken(String why) {
                                // It may have them or not: a row twice is merged by its key.
                                asksBroken++;
                                steps.later(
                                        parts.limits().retryDelay(asksBroken),
                                        () -> handOver(then));
                            }
                        });
    }

    /** Rows in two states would be known to be in one: then all are handed over once more. */
    private void durable(AddRepairRowsResponse answer, Steps.Step then) throws IOException {
        UUID state = RegistryProtos.uuid(answer.getState());
        if (state == null || !state.equals(rowsIn.orElse(state))) {
            throw new IOException(
                    "Expected repair rows in one state of the dispatcher, but they went to %s and then to %s"
                            .formatted(rowsIn.map(UUID::toString).orElse("none"), state));
        }
        rowsIn = Optional.of(state);
        asksBroken = 0;
        handedOver += rows.answered();
        parts.tally().raise(incarnation, handedOver);
        parts.crashPoints().passed(CrashPoint.REPAIRING);
        steps.next(() -> handOver(then));
    }

    /** Safe to call twice. */
    void close() {
        closeLogs();
        places.leave(this);
    }

    private void closeLogs() {
        if (near != null) {
            near.close();
            near = null;
        }
        if (looks != null) {
            looks.closeLogs();
            looks = null;
        }
    }
}
