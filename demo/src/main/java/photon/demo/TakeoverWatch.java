package photon.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.testbed.process.ProcessName;

/** When others work on all the partitions of a dispatcher that was killed. Not thread-safe. */
final class TakeoverWatch {
    private final List<Death> deaths = new ArrayList<>();

    /**
     * The partitions of a dispatcher that was killed.
     *
     * @param dispatcher its label
     * @param seconds from its death to the moment at which others were seen to have all of them, as
     *     the leases say; empty: they never had
     * @param workingSeconds from its death to the moment at which others said that they work on all
     *     of them: before that they recover what it had open, which takes HDFS some seconds a file
     */
    record Takeover(
            String dispatcher,
            int partitions,
            OptionalDouble seconds,
            OptionalDouble workingSeconds) {}

    private static final class Death {
        final ProcessName dispatcher;
        final SortedSet<Integer> partitions;
        final long atMillis;
        @Nullable Long leasedMillis;
        @Nullable Long workingMillis;
        boolean over;

        Death(ProcessName dispatcher, Set<Integer> partitions, long atMillis) {
            this.dispatcher = dispatcher;
            this.partitions = new TreeSet<>(partitions);
            this.atMillis = atMillis;
        }
    }

    /**
     * @param partitions that it worked on
     */
    void killed(ProcessName dispatcher, Set<Integer> partitions, long nowMillis) {
        deaths.add(new Death(dispatcher, partitions, nowMillis));
    }

    /** The dispatcher whose partitions are awaited in a datacenter; empty: none. */
    Optional<ProcessName> awaitedIn(String datacenter) {
        return deaths.stream()
                .filter(death -> !death.over && death.dispatcher.datacenter().equals(datacenter))
                .map(death -> death.dispatcher)
                .findFirst();
    }

    /** Whether that dispatcher's leases are awaited in a datacenter. */
    boolean awaitsLeasesIn(String datacenter) {
        return deaths.stream()
                .anyMatch(
                        death ->
                                !death.over
                                        && death.leasedMillis == null
                                        && death.dispatcher.datacenter().equals(datacenter));
    }

    /** What others of the datacenter have, as the leases say. */
    void leased(String datacenter, Set<Integer> othersHave, long nowMillis) {
        for (Death death : deaths) {
            if (!death.over
                    && death.leasedMillis == null
                    && death.dispatcher.datacenter().equals(datacenter)
                    && othersHave.containsAll(death.partitions)) {
                death.leasedMillis = nowMillis;
            }
        }
    }

    boolean awaits() {
        return deaths.stream().anyMatch(death -> !death.over);
    }

    /**
     * What the others of the datacenter work on now.
     *
     * @return what was taken over, when it is seen first
     */
    Optional<Takeover> seen(String datacenter, Set<Integer> othersWorkOn, long nowMillis) {
        for (Death death : deaths) {
            if (!death.over
                    && death.dispatcher.datacenter().equals(datacenter)
                    && othersWorkOn.containsAll(death.partitions)) {
                death.over = true;
                death.workingMillis = nowMillis;
                if (death.leasedMillis == null) {
                    death.leasedMillis = nowMillis;
                }
                return Optional.of(takeover(death));
            }
        }
        return Optional.empty();
    }

    /** Those that have waited for as long: they are not awaited any more. */
    List<ProcessName> giveUp(long afterMillis, long nowMillis) {
        List<ProcessName> given = new ArrayList<>();
        for (Death death : deaths) {
            if (!death.over && nowMillis - death.atMillis >= afterMillis) {
                death.over = true;
                given.add(death.dispatcher);
            }
        }
        return given;
    }

    /** Of all that were killed, in order of time. */
    List<Takeover> takeovers() {
        return deaths.stream().map(TakeoverWatch::takeover).toList();
    }

    private static Takeover takeover(Death death) {
        return new Takeover(
                death.dispatcher.label(),
                death.partitions.size(),
                seconds(death, death.leasedMillis),
                seconds(death, death.workingMillis));
    }

    private static OptionalDouble seconds(Death death, @Nullable Long until) {
        return until == null
                ? OptionalDouble.empty()
                : OptionalDouble.of((until - death.atMillis) / 1e3);
    }
}
