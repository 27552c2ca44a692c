package photon.server.roles;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.IoText;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.verifier.repair.RepairStatus;

/**
 * Leaves a verifier's status in its state, with the time, for {@link RepairReport}: soon after a
 * change, and otherwise often enough to show that the verifier lives. Owned by the verifier's loop.
 */
final class LeftStatus {
    private static final Logger LOG = LoggerFactory.getLogger(LeftStatus.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Shared storage is written each time: so much less than once per look. */
    private static final Duration WRITE_EVERY = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final FileStore files;
    private final String directory;
    private final IntervalClock clock;
    private final Supplier<RepairStatus> status;
    private @Nullable RepairStatus left;
    private long leftNanos;
    private boolean failing;

    private LeftStatus(
            EventLoop loop,
            FileStore files,
            String directory,
            IntervalClock clock,
            Supplier<RepairStatus> status) {
        this.loop = loop;
        this.files = files;
        this.directory = directory;
        this.clock = clock;
        this.status = status;
    }

    /**
     * From now on, as long as the loop runs.
     *
     * @param directory the verifier's state
     */
    static void keep(
            EventLoop loop,
            FileStore files,
            String directory,
            IntervalClock clock,
            Supplier<RepairStatus> status) {
        LeftStatus kept = new LeftStatus(loop, files, directory, clock, status);
        loop.execute(kept::look);
    }

    private void look() {
        RepairStatus now = status.get();
        if (left == null
                || loop.nanoTime() - leftNanos >= WRITE_EVERY.toNanos()
                || !now.waiting().equals(left.waiting())
                || !now.troubled().equals(left.troubled())
                || !now.silence().equals(left.silence())) {
            leave(now);
        }
        loop.schedule(LOOK_EVERY, this::look);
    }

    private void leave(RepairStatus now) {
        try {
            RepairReport.leave(files, directory, now, clock.now().latestMicros() / 1_000);
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.warn(
                        "'photon repair list' shows nothing new from now on, since the status cannot be written in {}: {}",
                        directory,
                        IoText.of(e));
            }
            return;
        }
        if (failing) {
            failing = false;
            LOG.info("The status can be written in {} again", directory);
        }
        left = now;
        leftNanos = loop.nanoTime();
    }
}
