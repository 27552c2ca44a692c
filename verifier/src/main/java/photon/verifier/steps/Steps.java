package photon.verifier.steps;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import photon.core.error.BugException;
import photon.core.error.Failures;
import photon.core.loop.EventLoop;

/**
 * Runs the steps of one repair, or one pass of retention, one after another in its loop, each as a
 * task of its own, so that the loop stays open to others between them. A step that fails ends them
 * all.
 */
public final class Steps {
    private final EventLoop loop;
    private final Consumer<String> failed;
    private boolean ended;

    /**
     * @param failed told once, with the reason, if a step fails; not told after {@link #end}
     */
    public Steps(EventLoop loop, Consumer<String> failed) {
        this.loop = loop;
        this.failed = failed;
    }

    /** As soon as the loop comes to it. */
    public void next(Step step) {
        loop.execute(() -> run(step));
    }

    /** After the delay. */
    public void later(Duration delay, Step step) {
        loop.schedule(delay, () -> run(step));
    }

    /** Goes on with the answer. */
    public <T> void await(CompletableFuture<T> answer, StepWith<T> step) {
        // A task of its own: what it throws must reach the loop, not be kept in a future.
        answer.whenComplete(
                (value, trouble) ->
                        loop.execute(
                                () -> {
                                    if (trouble == null) {
                                        run(() -> step.run(value));
                                    } else {
                                        fail(trouble);
                                    }
                                }));
    }

    /** No step runs from now on. */
    public void end() {
        ended = true;
    }

    private void run(Step step) {
        if (ended) {
            return;
        }
        try {
            step.run();
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(Throwable trouble) {
        Throwable cause = Failures.cause(trouble);
        if (cause instanceof BugException bug) {
            throw bug;
        }
        if (!ended) {
            ended = true;
            failed.accept(cause.toString());
        }
    }

    /** One step. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }

    /**
     * A step that needs an answer.
     *
     * @param <T> the answer
     */
    @FunctionalInterface
    public interface StepWith<T> {
        void run(T value) throws IOException;
    }
}
