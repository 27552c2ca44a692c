package photon.core.loop;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Knows since when the oldest of the calls under way has no answer. A call may have many parts, and
 * costs one object however many it has. Owned by one loop.
 */
public final class UnansweredCalls {
    private @Nullable Call oldest;
    private @Nullable Call newest;

    /**
     * Begins a call.
     *
     * @param parts answers that it waits for, at least one
     * @param nanoTime now, and no earlier than that of the call before
     */
    public Call sent(int parts, long nanoTime) {
        Call call = new Call(parts, nanoTime);
        call.older = newest;
        if (newest == null) {
            oldest = call;
        } else {
            newest.newer = call;
        }
        newest = call;
        return call;
    }

    /** When the oldest call was sent that waits for an answer; empty: none waits. */
    public OptionalLong oldestNanos() {
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest.sentNanos);
    }

    /** One that was sent. */
    public final class Call {
        private final long sentNanos;
        private int unanswered;
        private @Nullable Call older;
        private @Nullable Call newer;

        private Call(int parts, long sentNanos) {
            this.unanswered = parts;
            this.sentNanos = sentNanos;
        }

        /** One part has its answer. Called once a part. */
        public void answered() {
            unanswered--;
            if (unanswered == 0) {
                leave();
            }
        }

        private void leave() {
            if (older == null) {
                oldest = newer;
            } else {
                older.newer = newer;
            }
            if (newer == null) {
                newest = older;
            } else {
                newer.older = older;
            }
        }
    }
}
