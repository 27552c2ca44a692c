package photon.simulation.faults;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.simulation.kernel.Life;
import photon.storage.files.MemoryFileStore.Operation;

/** Faults that wait for a process to come to a certain step. */
public final class Triggers {
    private final List<Trigger> armed = new ArrayList<>();

    /** What is done to the process, within its step. */
    @FunctionalInterface
    interface Action {
        void hit(Life life);
    }

    private static final class Trigger {
        final String process;
        final @Nullable CrashPoint point;
        final @Nullable Operation operation;
        final Action action;
        int left;

        Trigger(
                String process,
                @Nullable CrashPoint point,
                @Nullable Operation operation,
                int left,
                Action action) {
            this.process = process;
            this.point = point;
            this.operation = operation;
            this.left = left;
            this.action = action;
        }
    }

    /**
     * @param count the how many-th passing from now
     */
    void atPoint(String process, CrashPoint point, int count, Action action) {
        armed.add(new Trigger(process, point, null, count, action));
    }

    /**
     * @param operation null: any that changes something
     */
    void atOperation(String process, @Nullable Operation operation, int count, Action action) {
        armed.add(new Trigger(process, null, operation, count, action));
    }

    /** Nothing waits any more. */
    public void disarm() {
        armed.clear();
    }

    /** The process passes a point, in the task that runs now. */
    public void passed(Life life, CrashPoint point) {
        for (Trigger trigger : List.copyOf(armed)) {
            if (trigger.point == point && trigger.process.equals(life.process())) {
                count(trigger, life);
            }
        }
    }

    /** The process is about to change something of its files, in the task that runs now. */
    public void before(Life life, Operation operation) {
        for (Trigger trigger : List.copyOf(armed)) {
            if (trigger.point == null
                    && (trigger.operation == null || trigger.operation == operation)
                    && trigger.process.equals(life.process())) {
                count(trigger, life);
            }
        }
    }

    private void count(Trigger trigger, Life life) {
        if (--trigger.left == 0 && armed.remove(trigger)) {
            trigger.action.hit(life);
        }
    }
}
