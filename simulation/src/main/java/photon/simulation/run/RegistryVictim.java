package photon.simulation.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.simulation.faults.Victim;
import photon.simulation.kernel.Life;
import photon.simulation.parts.RegistryHost;

/** A registry server, as faults see it. */
record RegistryVictim(RegistryHost of) implements Victim {
    @Override
    public String name() {
        return of.process();
    }

    @Override
    public String host() {
        return of.process();
    }

    @Override
    public String datacenter() {
        return of.process();
    }

    @Override
    public Role role() {
        return Role.REGISTRY;
    }

    @Override
    public @Nullable Life life() {
        return of.life();
    }

    @Override
    public void restart() {
        of.kill("restarted");
    }

    @Override
    public void closeFor(Duration length) {
        restart();
    }

    @Override
    public void takeOtherSlot() {
        throw new UnsupportedOperationException("Not a joiner");
    }

    /** Its disk is its own: two processes cannot have it. */
    @Override
    public void replace() {}
}
