package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumSet;
import photon.core.crash.CrashPoint;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.Life;

/** Joiners of which nothing is heard: for good, for a while, or since nobody can be heard. */
final class SilenceFaults {
    private final Tools tools;

    SilenceFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case SLOT_GONE -> slotGone(kind);
            case LATE_FENCE -> lateFence(kind);
            case REGISTRY_AWAY -> registryAway(kind);
            default -> throw new IllegalArgumentException("Not of silence: " + kind);
        }
    }

    private void slotGone(FaultKind kind) {
        Victim joiner = tools.any(EnumSet.of(Role.JOINER));
        tools.triggers.atPoint(
                joiner.name(),
                CrashPoint.COMMIT_ACCEPTED,
                1 + tools.random.nextInt(3),
                life -> {
                    tools.happened(kind, joiner.name());
                    joiner.takeOtherSlot();
                    Tools.killed(joiner, life);
                });
    }

    /** It wakes as the fence is sent, and has renewed long before it comes. */
    private void lateFence(FaultKind kind) {
        Victim joiner = tools.any(EnumSet.of(Role.JOINER));
        Victim verifier = tools.in(joiner.datacenter(), Role.VERIFIER);
        Duration late = tools.seconds(1, 20);
        // Asleep in one piece, with what it has accepted, and not replaced.
        Duration most = tools.scene.fenceAfter().plus(tools.seconds(30, 60));
        tools.triggers.atPoint(
                joiner.name(),
                CrashPoint.COMMIT_ACCEPTED,
                1 + tools.random.nextInt(4),
                life -> {
                    tools.happened(kind, joiner.name());
                    Slumber slumber = new Slumber(tools, life, most);
                    tools.scene.fenceComesLate(verifier, late, slumber::end);
                });
    }

    /** All of its servers stand still, while joiners and verifiers go on. */
    private void registryAway(FaultKind kind) {
        tools.happened(kind, "");
        Duration away = tools.seconds(20, 100);
        for (Victim victim : tools.scene.victims()) {
            Life life = victim.life();
            if (victim.role() == Role.REGISTRY && life != null && life.alive()) {
                life.pause(away);
            }
        }
    }
}
