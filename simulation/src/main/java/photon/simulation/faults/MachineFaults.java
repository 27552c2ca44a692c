package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.HostClock;
import photon.storage.files.MemoryFileStore.Operation;

/** Disks that fail and clocks that are wrong. */
final class MachineFaults {
    private static final List<Operation> CHANGES =
            List.of(Operation.values()).stream().filter(Operation::changes).toList();

    private final Tools tools;

    MachineFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case DISK_FULL, DISK_ERRORS, DISK_SLOW -> disk(kind);
            case FILES_AWAY -> {
                Victim verifier = tools.any(EnumSet.of(Role.VERIFIER));
                tools.happened(kind, verifier.name());
                tools.scene.hideFiles(verifier, tools.seconds(5, 120));
            }
            case CLOCK_JUMP, CLOCK_DRIFT -> clock(kind);
            case CLOCK_UNSYNCHRONISED -> loseSync();
            default -> throw new IllegalArgumentException("Not of a machine: " + kind);
        }
    }

    private void disk(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Duration length = tools.seconds(1, 60);
        tools.happened(kind, datacenter);
        switch (kind) {
            case DISK_FULL ->
                    tools.scene.disk(datacenter).full(tools.random.nextInt(20_000), length);
            case DISK_SLOW ->
                    tools.scene
                            .disk(datacenter)
                            .slow(
                                    EnumSet.copyOf(CHANGES),
                                    0.02 + 0.1 * tools.random.nextDouble(),
                                    Duration.ofSeconds(3),
                                    length);
            default -> {
                Set<Operation> failing = EnumSet.noneOf(Operation.class);
                boolean one = tools.random.nextInt(3) == 0;
                if (one) {
                    failing.add(CHANGES.get(tools.random.nextInt(CHANGES.size())));
                }
                for (Operation operation : Operation.values()) {
                    if (!one && tools.random.nextInt(3) == 0) {
                        failing.add(operation);
                    }
                }
                tools.scene
                        .disk(datacenter)
                        .fail(failing, 0.01 + 0.2 * tools.random.nextDouble(), length);
            }
        }
    }

    /** Of some registry servers, of all perhaps. */
    private void loseSync() {
        List<HostClock> clocks = tools.scene.clocks().subList(0, tools.scene.registryClocks());
        int count = 1 + tools.random.nextInt(clocks.size());
        long micros = tools.random.nextLong(-3_600_000_000L, 3_600_000_000L);
        tools.happened(
                FaultKind.CLOCK_UNSYNCHRONISED,
                count + " of the registry's, off by about " + micros / 1_000_000 + " s");
        Duration length = tools.seconds(20, 180);
        for (HostClock clock : clocks.subList(0, count)) {
            clock.loseSync();
            clock.jump(micros + tools.random.nextLong(1_000_000));
            tools.after(length, clock::mend);
        }
    }

    private void clock(FaultKind kind) {
        List<HostClock> clocks = tools.scene.clocks();
        // Of a registry server, often: these move the boundary.
        int chosen =
                tools.random.nextInt(3) == 0
                        ? tools.random.nextInt(tools.scene.registryClocks())
                        : tools.random.nextInt(clocks.size());
        HostClock clock = clocks.get(chosen);
        if (kind == FaultKind.CLOCK_JUMP) {
            long micros = tools.random.nextLong(-3_600_000_000L, 3_600_000_000L);
            tools.happened(kind, "of machine " + chosen + " by " + micros / 1_000_000 + " s");
            clock.jump(micros);
        } else {
            long drift = tools.random.nextLong(-2_000, 2_000);
            tools.happened(kind, "of machine " + chosen + " by " + drift + " ppm");
            clock.drift(drift);
        }
    }
}
