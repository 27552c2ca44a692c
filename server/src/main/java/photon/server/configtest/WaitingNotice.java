package photon.server.configtest;

import java.time.Duration;
import java.util.function.Consumer;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.loop.ThreadLoop;

/**
 * Says that something is waited for, once, if it takes long: a person could not tell it from a run
 * that does nothing. To be closed when it has come.
 */
final class WaitingNotice implements AutoCloseable {
    static final Duration AFTER = Duration.ofSeconds(10);

    private final EventLoop.Cancellable notice;
    private final Runnable end;

    private WaitingNotice(EventLoop.Cancellable notice, Runnable end) {
        this.notice = notice;
        this.end = end;
    }

    /** On stderr, unless it is closed soon. */
    static WaitingNotice of(String text) {
        ThreadLoop loop = new ThreadLoop("waiting-notice", 1, BugHandler.stopProcess());
        WaitingNotice begun = of(text, loop, System.err::println);
        return new WaitingNotice(begun.notice, loop::close);
    }

    static WaitingNotice of(String text, EventLoop loop, Consumer<String> told) {
        return new WaitingNotice(
                loop.schedule(AFTER, () -> told.accept("photon: " + text)), () -> {});
    }

    @Override
    public void close() {
        notice.cancel();
        end.run();
    }
}
