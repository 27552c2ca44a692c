package photon.core.error;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Says of troubles that last when each is worth a line of the log: when it begins, and every ten
 * minutes from then on. Owned by one loop.
 *
 * @param <K> which trouble it is
 */
public final class Reminders<K> {
    public static final Duration EVERY = Duration.ofMinutes(10);

    private final Map<K, Long> toldNanos = new HashMap<>();

    /** It is there. True: it is to be told now. */
    public boolean isDue(K trouble, long nanoTime) {
        Long told = toldNanos.get(trouble);
        if (told != null && nanoTime - told < EVERY.toNanos()) {
            return false;
        }
        toldNanos.put(trouble, nanoTime);
        return true;
    }

    /** It is not there. True: it was. */
    public boolean isOver(K trouble) {
        return toldNanos.remove(trouble) != null;
    }

    /** Forgets what concerns nothing of these. */
    public void retain(Collection<K> those) {
        toldNanos.keySet().retainAll(those);
    }
}
