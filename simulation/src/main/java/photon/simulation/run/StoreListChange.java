package photon.simulation.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import photon.simulation.checks.GroundTruth;
import photon.simulation.kernel.Timeline;
import photon.simulation.parts.ProcessHost;
import photon.simulation.parts.SimulatedDatacenter;

/**
 * Changes the list of event stores of each datacenter while it works, and restarts its processes
 * one after another, each at a time of its own. The order that docs/operating.md asks for keeps
 * events from waiting; in any order none may be lost, and none be joined without its primary event
 * that has one. Every other process is killed in place of being restarted.
 */
final class StoreListChange {
    private static final Duration RESTARTS_MAX = Duration.ofMinutes(3);

    private final Timeline timeline;
    private final List<SimulatedDatacenter> datacenters;
    private final RandomGenerator random;
    private final List<Started> old = new ArrayList<>();
    private boolean calm;
    private int changed;

    /** A process that may have the old list, as long as it is in this life. */
    private record Started(ProcessHost host, int life) {
        boolean isOld() {
            return host.life() != null && host.lives() == life;
        }
    }

    /**
     * @param random draws when what is done
     */
    StoreListChange(
            Timeline timeline, List<SimulatedDatacenter> datacenters, RandomGenerator random) {
        this.timeline = timeline;
        this.datacenters = List.copyOf(datacenters);
        this.random = random;
    }

    /** From the time on at which the input begins. */
    void begin() {
        long millis = GroundTruth.SPAN.toMillis();
        for (SimulatedDatacenter datacenter : datacenters) {
            timeline.after(
                    Duration.ofMillis(random.nextLong(millis / 10, millis * 7 / 10)),
                    () -> change(datacenter));
        }
    }

    private void change(SimulatedDatacenter datacenter) {
        timeline.trace().add(datacenter.name(), "has another list of event stores");
        datacenter.changeEventStores();
        changed++;
        for (ProcessHost host : readers(datacenter)) {
            if (host.isListed()) {
                host.start();
            }
            Started before = new Started(host, host.lives());
            old.add(before);
            boolean orderly = random.nextBoolean();
            timeline.after(
                    Duration.ofMillis(random.nextLong(RESTARTS_MAX.toMillis())),
                    () -> {
                        if (!calm) {
                            renew(before, orderly);
                        }
                    });
        }
    }

    private static List<ProcessHost> readers(SimulatedDatacenter datacenter) {
        return Stream.of(datacenter.eventStores(), datacenter.joiners(), datacenter.dispatchers())
                .flatMap(hosts -> hosts.stream().map(ProcessHost.class::cast))
                .toList();
    }

    private static void renew(Started started, boolean orderly) {
        ProcessHost host = started.host();
        if (!host.isListed()) {
            host.shutDown("is no event store any more");
        } else if (started.isOld() && orderly) {
            host.restartOrderly();
        } else if (started.isOld()) {
            host.kill("restarted for the other list of event stores");
        }
    }

    /** Nothing goes wrong any more, and all have the list that stands. */
    void calm() {
        calm = true;
        old.forEach(started -> renew(started, false));
    }

    /** Datacenters whose list was changed. */
    int changed() {
        return changed;
    }
}
