package photon.joiner.incarnation;

import java.time.Duration;
import java.util.UUID;
import photon.core.id.SlotPair;
import photon.joiner.rules.SlotTakeover;

/**
 * What a joiner registers with (docs/protocol.md section 1).
 *
 * @param slotName such as {@code east/joiner-0}: the first of its two slots
 * @param address where it serves, host:port
 * @param startedMicros when this process started
 * @param backoffMin before it registers anew; doubles up to the maximum while nothing is published
 * @param renewEvery so often at least it renews, so that nobody takes it for silent; above 0
 */
public record SlotIdentity(
        UUID pipeline,
        String identityFingerprint,
        String slotName,
        String address,
        long processId,
        long startedMicros,
        Duration backoffMin,
        Duration backoffMax,
        Duration renewEvery) {

    SlotPair pair() {
        return new SlotPair(slotName);
    }

    SlotTakeover takeover() {
        return new SlotTakeover(slotName, address, processId, startedMicros);
    }
}
