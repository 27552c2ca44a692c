package photon.verifier.repair;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.id.Incarnation;
import photon.core.rpc.Caller;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.RepairRow;
import photon.storage.tail.TailBatch;
import photon.verifier.source.ForeignLogs;

/**
 * Reads lost events anew from the foreign logs and hands them, as repair rows, to a dispatcher,
 * which answers when they are durable. Reads no further while rows wait to be answered, so that
 * memory holds the rows of one read at the most.
 */
final class Reinjection {
    private final RepairParts parts;
    private final Incarnation incarnation;
    private final Steps steps;
    private final RepairRows rows;
    private LostEvents lost = new LostEvents();
    private Steps.Step done = () -> {};
    private ForeignLogs.@Nullable Reading reading;
    private int passes;
    private int emptyPolls;
    private @Nullable String fileTrouble;
    private int asksBroken;
    private long handedOver;

    Reinjection(RepairParts parts, Incarnation incarnation, Steps steps) {
        this.parts = parts;
        this.incarnation = incarnation;
        this.steps = steps;
        this.rows =
                new RepairRows(parts.limits().rowsPerRequest(), parts.limits().bytesPerRequest());
    }

    /**
     * Begins.
     *
     * @param lost what is handed over is taken out of it; what cannot be re-read stays
     * @param done the step to go on with when every row is durable
     */
    void start(LostEvents lost, Steps.Step done) {
        this.lost = lost;
        this.done = done;
        this.passes = 0;
        steps.next(this::beginPass);
    }

    /** Rows that are durable at the dispatcher, of all that was started. */
    long handedOver() {
        return handedOver;
    }

    private void beginPass() throws IOException {
        passes++;
        emptyPolls = 0;
        fileTrouble = null;
        reading = parts.logs().open(List.of());
        steps.next(this::readOn);
    }

    private void readOn() throws IOException {
        ForeignLogs.Reading open = requireNonNull(reading);
        TailBatch batch = open.poll(parts.limits().readRecords(), parts.loop().nanoTime());
        for (TailBatch.Item item : batch.items()) {
            RepairRow row = item.event() == null ? null : lost.find(item.event());
            if (row != null) {
                rows.add(row);
            }
            if (item.bad() != null && item.endOffset() == item.offset()) {
                // Of no length: not a record is bad, but the rest of the file cannot be read.
                fileTrouble = item.path() + ": " + item.bad().reason();
            }
        }
        if (lost.isEmpty() || batch.caughtUp()) {
            close();
            steps.next(() -> handOver(this::endPass));
            return;
        }
        emptyPolls = batch.items().isEmpty() ? emptyPolls + 1 : 0;
        if (emptyPolls > parts.limits().emptyPollsMax()) {
            throw new IOException("The end of the foreign logs did not come into sight");
        }
        steps.next(() -> handOver(this::readOn));
    }

    private void endPass() throws IOException {
        if (lost.isEmpty()) {
            done.run();
        } else if (passes >= parts.limits().readPasses()) {
            if (fileTrouble != null) {
                // What is not found may stand in there: nothing is written off for that.
                throw new IOException(
                        "Cannot look for %s lost events in %s".formatted(lost.size(), fileTrouble));
            }
            done.run();
        } else {
            steps.later(parts.limits().readPassDelay(), this::beginPass);
        }
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
                                steps.next(() -> durable(then));
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

    private void durable(Steps.Step then) throws IOException {
        asksBroken = 0;
        handedOver += rows.answered();
        parts.tally().raise(incarnation, handedOver);
        parts.crashPoints().passed(CrashPoint.REPAIRING);
        steps.next(() -> handOver(then));
    }

    /** Safe to call twice. */
    void close() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }
}
