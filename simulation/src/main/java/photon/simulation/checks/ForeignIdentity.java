package photon.simulation.checks;

import java.util.List;
import photon.core.id.EventId;

/**
 * A foreign identity of the world.
 *
 * @param text its id fields, as people see them; two identities may share it
 * @param datacenters in whose foreign logs it stands, in the world's order
 * @param primaryIn in whose primary logs its primary event stands
 * @param lines its contents; several if a repeat says something else
 * @param primaryLines its primary event's contents; empty: it never comes anywhere
 * @param alone it may be joined without its primary event, wherever it is read
 * @param joined every line that the built-in adapter may write; empty unless it can be joined
 * @param emitted every joined event that would be right; empty unless it can be joined
 */
public record ForeignIdentity(
        EventId id,
        String text,
        Fate fate,
        List<String> datacenters,
        List<String> primaryIn,
        List<String> lines,
        List<String> primaryLines,
        boolean alone,
        List<String> joined,
        List<Emitted> emitted) {
    public ForeignIdentity {
        datacenters = List.copyOf(datacenters);
        primaryIn = List.copyOf(primaryIn);
        lines = List.copyOf(lines);
        primaryLines = List.copyOf(primaryLines);
        joined = List.copyOf(joined);
        emitted = List.copyOf(emitted);
    }

    /** Whether it can be joined in this datacenter. */
    boolean joinableIn(String datacenter) {
        return datacenters.contains(datacenter) && (alone || primaryIn.contains(datacenter));
    }
}
