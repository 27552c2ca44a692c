package photon.testbed.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import photon.testbed.history.FenceCall;
import photon.testbed.history.Operation;

/** All that was asked and answered. Thread-safe. */
final class History {
    private final List<Operation> operations = new ArrayList<>();
    private final ConcurrentLinkedQueue<FenceCall> fences = new ConcurrentLinkedQueue<>();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong newestAcceptedMicros = new AtomicLong(Long.MIN_VALUE);

    /** Answers that came together. */
    void add(List<Operation> answers) {
        long newest = Long.MIN_VALUE;
        int count = 0;
        for (Operation answer : answers) {
            if (answer.kind() == Operation.Kind.COMMIT
                    && answer.result() == Operation.Result.ACCEPTED) {
                count++;
                newest = Math.max(newest, answer.id().micros());
            }
        }
        synchronized (operations) {
            operations.addAll(answers);
        }
        if (count > 0) {
            newestAcceptedMicros.accumulateAndGet(newest, Math::max);
            accepted.addAndGet(count);
        }
    }

    void add(FenceCall fence) {
        fences.add(fence);
    }

    /** Commits that were accepted so far. */
    long accepted() {
        return accepted.get();
    }

    /** Those of them that were asked for at that moment or later. */
    long acceptedAskedSince(long nanos) {
        synchronized (operations) {
            return operations.stream()
                    .filter(
                            operation ->
                                    operation.kind() == Operation.Kind.COMMIT
                                            && operation.result() == Operation.Result.ACCEPTED
                                            && operation.startNanos() - nanos >= 0)
                    .count();
        }
    }

    /** The highest timestamp among all that were accepted. */
    long newestAcceptedMicros() {
        return newestAcceptedMicros.get();
    }

    /** As of now. */
    List<Operation> operations() {
        synchronized (operations) {
            return new ArrayList<>(operations);
        }
    }

    List<FenceCall> fences() {
        return List.copyOf(fences);
    }
}
