package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.Life;

/** What all sorts of faults need: whom they hit, how long, and that it is counted. */
final class Tools {
    final Scene scene;
    final RandomGenerator random;
    final Triggers triggers;
    private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);
    private boolean over;

    Tools(Scene scene, RandomGenerator random, Triggers triggers) {
        this.scene = scene;
        this.random = random;
        this.triggers = triggers;
    }

    void happened(FaultKind kind, String what) {
        done.merge(kind, 1, Integer::sum);
        scene.timeline().trace().add("world", "FAULT %s %s", kind, what);
    }

    Map<FaultKind, Integer> done() {
        return done;
    }

    Victim any(Set<Role> roles) {
        List<Victim> some = scene.victims().stream().filter(v -> roles.contains(v.role())).toList();
        return some.get(random.nextInt(some.size()));
    }

    /** Any of the datacenter's. */
    Victim in(String datacenter, Role role) {
        List<Victim> some =
                scene.victims().stream()
                        .filter(v -> v.role() == role && v.datacenter().equals(datacenter))
                        .toList();
        return some.size() == 1 ? some.get(0) : some.get(random.nextInt(some.size()));
    }

    /** Those whose steps are worth stopping in; joiners most of all. */
    Victim anyWithSteps() {
        return random.nextInt(2) == 0
                ? any(EnumSet.of(Role.JOINER))
                : any(EnumSet.of(Role.DISPATCHER, Role.JOINER, Role.VERIFIER));
    }

    String anyDatacenter() {
        List<String> all = scene.datacenters();
        return all.get(random.nextInt(all.size()));
    }

    Duration seconds(int least, int most) {
        return Duration.ofMillis(least * 1_000L + random.nextLong((most - least) * 1_000L));
    }

    /** Unless all is mended by then. */
    void after(Duration delay, Runnable task) {
        scene.timeline()
                .after(
                        delay,
                        () -> {
                            if (!over) {
                                task.run();
                            }
                        });
    }

    void stop() {
        over = true;
    }

    boolean over() {
        return over;
    }

    /** The life ends within the task that runs: what that still does has no effect. */
    static void killed(Victim at, Life life) {
        life.end("killed in a step of " + at.role());
        life.checkAlive();
    }
}
