package photon.verifier.repair;

import java.util.List;

/**
 * Slots of a datacenter of which nothing is heard.
 *
 * @param fenced incarnations that were fenced for silence since start
 * @param silent those that are silent and not fenced
 */
public record SilenceStatus(long fenced, List<SilentSlot> silent) {
    public static final SilenceStatus NONE = new SilenceStatus(0, List.of());

    public SilenceStatus {
        silent = List.copyOf(silent);
    }
}
