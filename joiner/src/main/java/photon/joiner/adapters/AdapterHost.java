package photon.joiner.adapters;

import java.util.EnumSet;
import java.util.Set;
import photon.adapter.AdapterContext.Capability;

/**
 * Where an adapter runs.
 *
 * @param pipeline its name
 * @param datacenter in which it joins
 * @param capabilities what the run offers
 */
public record AdapterHost(String pipeline, String datacenter, Set<Capability> capabilities) {
    public AdapterHost {
        capabilities = Set.copyOf(capabilities);
    }

    /** A joiner of this datacenter. */
    public static AdapterHost joiner(String pipeline, String datacenter) {
        return new AdapterHost(pipeline, datacenter, EnumSet.allOf(Capability.class));
    }

    /** One that only looks what an adapter does. */
    public static AdapterHost trial(String pipeline) {
        return new AdapterHost(pipeline, "trial", Set.of());
    }
}
