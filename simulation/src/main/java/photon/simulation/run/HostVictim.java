package photon.simulation.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.simulation.faults.Victim;
import photon.simulation.kernel.Life;
import photon.simulation.parts.JoinerHost;
import photon.simulation.parts.ProcessHost;

/** A process of a datacenter, as faults see it. */
record HostVictim(ProcessHost of, String datacenter, Role role) implements Victim {
    @Override
    public String name() {
        return of.process();
    }

    @Override
    public String host() {
        return of.networkHost();
    }

    @Override
    public @Nullable Life life() {
        return of.life();
    }

    @Override
    public void restart() {
        of.restartOrderly();
    }

    @Override
    public void closeFor(Duration length) {
        of.closeFor(length);
    }

    @Override
    public void takeOtherSlot() {
        ((JoinerHost) of).takeOtherSlot();
    }

    @Override
    public void replace() {
        of.replace();
    }
}
