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
        final String path;
        final @Nullable String method;
        final Action action;
        int left;

        Trigger(
                String process,
                @Nullable CrashPoint point,
                @Nullable Operation operation,
                String path,
                @Nullable String method,
                int left,
                Action action) {
            this.process = process;
            this.point = point;
            this.operation = operation;
            this.path = path;
            this.method = method;
            this.left = left;
            this.action = action;
        }
    }

    /**
     * @param count the how many-th passing from now
     */
    void atPoint(String process, CrashPoint point, int count, Action action) {
        armed.add(new Trigger(process, point, null, "", null, count, action));
    }

    /**
     * @param operation null: any that changes something
     */
    void atOperation(String process, @Nullable Operation operation, int count, Action action) {
        armed.add(new Trigger(process, null, operation, "", null, count, action));
    }

    /**
     * @param path what the file's path contains
     */
    void atOperation(String process, Operation operation, String path, Action action) {
        armed.add(new Trigger(process, null, operation, path, null, 1, action));
    }

    /**
     * @param method a call of it has come to the process, which has not begun with it
     */
    void atCall(String process, String method, Action action) {
        armed.add(new Trigger(process, null, null, "", method, 1, action));
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
    public void before(Life life, Operation operation, String path) {
        for (Trigger trigger : List.copyOf(armed)) {
            if (trigger.point == null
                    && trigger.method == null
                    && path.contains(trigger.path)
                    && (trigger.operation == null || trigger.operation == operation)
                    && trigger.process.equals(life.process())) {
                count(trigger, life);
            }
        }
    }

    /** A call is about to be handed to the process. */
    public void called(Life life, String method) {
        for (Trigger trigger : List.copyOf(armed)) {
            if (method.equals(trigger.method) && trigger.process.equals(life.process())) {
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
