package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import photon.simulation.faults.Victim.Role;
import photon.simulation.network.SimulatedLinks;

/** Ways between hosts that are cut, slow, lossy, repeating or late. */
final class LinkFaults {
    private final Tools tools;

    LinkFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case PARTITION, ONE_WAY_PARTITION, DATACENTER_CUT_OFF -> cut(kind);
            case SLOW_LINK ->
                    links(kind, SimulatedLinks.Kind.SLOW, 0.1 + 5 * tools.random.nextDouble());
            case LOSSY_LINK ->
                    links(kind, SimulatedLinks.Kind.LOSSY, 0.05 + 0.6 * tools.random.nextDouble());
            case REPEATING_LINK ->
                    links(kind, SimulatedLinks.Kind.REPEATING, 0.2 + tools.random.nextDouble());
            case LATE_CALLS ->
                    links(kind, SimulatedLinks.Kind.LATE, 0.02 + 0.3 * tools.random.nextDouble());
            default -> throw new IllegalArgumentException("Not of a link: " + kind);
        }
    }

    private void cut(FaultKind kind) {
        Duration length = tools.seconds(2, 120);
        if (kind == FaultKind.DATACENTER_CUT_OFF) {
            String datacenter = tools.anyDatacenter();
            Predicate<String> there = in(datacenter);
            tools.happened(kind, datacenter);
            cut(there, there.negate(), length);
            cut(there.negate(), there, length);
            return;
        }
        Victim victim = tools.any(EnumSet.allOf(Role.class));
        Predicate<String> host = victim.host()::equals;
        boolean out = tools.random.nextBoolean();
        tools.happened(kind, victim.name());
        if (kind == FaultKind.PARTITION || out) {
            cut(host, h -> true, length);
        }
        if (kind == FaultKind.PARTITION || !out) {
            cut(h -> true, host, length);
        }
    }

    private Predicate<String> in(String datacenter) {
        List<String> hosts =
                tools.scene.victims().stream()
                        .filter(v -> v.datacenter().equals(datacenter))
                        .map(Victim::host)
                        .toList();
        return hosts::contains;
    }

    private void cut(Predicate<String> from, Predicate<String> to, Duration length) {
        tools.scene.links().trouble(SimulatedLinks.Kind.CUT, from, to, 1, length);
    }

    private void links(FaultKind kind, SimulatedLinks.Kind trouble, double share) {
        Victim victim = tools.any(EnumSet.allOf(Role.class));
        Predicate<String> all = h -> true;
        Predicate<String> host = tools.random.nextInt(3) == 0 ? all : victim.host()::equals;
        Duration length = tools.seconds(5, 120);
        tools.happened(kind, victim.name());
        tools.scene.links().trouble(trouble, host, all, share, length);
        tools.scene.links().trouble(trouble, all, host, share, length);
    }
}
