package photon.joiner.task;

import photon.core.loop.EventLoop;

/**
 * Runs once at the end of a turn however often it was asked for: behind all tasks that the loop
 * held when it was asked first. Owned by the loop.
 */
public final class CoalescedTask {
    private final EventLoop loop;
    private final Runnable task;
    private boolean asked;

    public CoalescedTask(EventLoop loop, Runnable task) {
        this.loop = loop;
        this.task = task;
    }

    public void ask() {
        if (!asked) {
            asked = true;
            loop.execute(this::run);
        }
    }

    private void run() {
        asked = false;
        task.run();
    }
}
