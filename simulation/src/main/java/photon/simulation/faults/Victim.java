package photon.simulation.faults;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.simulation.kernel.Life;

/** One process that faults may hit, over all its lives. */
public interface Victim {
    /** What it is: decides what may be done to it. */
    enum Role {
        REGISTRY,
        EVENT_STORE,
        DISPATCHER,
        JOINER,
        VERIFIER
    }

    /** Such as {@code east/joiner-0}. */
    String name();

    /** Its name in the network. */
    String host();

    /** Its datacenter; a registry server has one of its own. */
    String datacenter();

    Role role();

    /** The newest life; null while none is. */
    @Nullable Life life();

    /** Stops it in good order; its supervisor starts it again. */
    void restart();

    /** The same, but it is not started for so long. */
    void closeFor(Duration length);

    /** From its next life on a joiner has another slot, and nobody takes this one again. */
    void takeOtherSlot();

    /** Its supervisor takes it for dead, though it may live on, and starts another life. */
    void replace();
}
