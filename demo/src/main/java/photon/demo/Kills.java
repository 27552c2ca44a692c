package photon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.demo.DemoEvent.Kind;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** Kills and starts again by a timetable, and looks how the rest takes it. Not thread-safe. */
final class Kills implements DemoKills {
    private static final String EAST = DemoLayout.EAST;

    private final DemoLayout layout;
    private final Fleet fleet;
    private final DemoObserver observer;
    private final JoinerLook joiners;
    private final List<Timetable.Action> left;
    private final Set<ProcessName> down = new HashSet<>();
    private final Map<ProcessName, Long> servingSince = new HashMap<>();
    private final Map<ProcessName, Long> startedAgain = new LinkedHashMap<>();
    private final List<KilledJoiner> killed = new ArrayList<>();
    private @Nullable ProcessName lastKilled;
    private @Nullable Outage outage;

    /** An incarnation that was killed. */
    record KilledJoiner(String datacenter, Incarnation incarnation, long atMillis) {}

    /** The east's, as far as it has come. */
    private static final class Outage {
        final long killedMillis;
        final long killedMicros;
        final long publishedBefore;
        long publishedAtReturn = -1;
        long loggedAtReturn;
        long resumedMillis = -1;
        long looksWhenServing = -1;
        boolean backTold;

        Outage(long killedMillis, long killedMicros, long publishedBefore) {
            this.killedMillis = killedMillis;
            this.killedMicros = killedMicros;
            this.publishedBefore = publishedBefore;
        }
    }

    Kills(DemoLayout layout, Fleet fleet, DemoObserver observer, Timetable timetable) {
        this.layout = layout;
        this.fleet = fleet;
        this.observer = observer;
        this.joiners = new JoinerLook(fleet);
        this.left = new ArrayList<>(timetable.actions());
    }

    @Override
    public Collection<ProcessName> shouldRun() {
        return layout.processes().stream().filter(process -> !down.contains(process)).toList();
    }

    @Override
    public List<KilledJoiner> killedJoiners() {
        return killed;
    }

    /**
     * @param nowMicros wall clock, as events' timestamps
     */
    @Override
    public void act(long nowMillis, long nowMicros) throws IOException {
        while (!left.isEmpty() && left.get(0).atMillis() <= nowMillis) {
            switch (left.remove(0).kind()) {
                case KILL_DATACENTER -> killEast(nowMillis, nowMicros);
                case RETURN_DATACENTER -> startEast(nowMillis);
                case KILL_JOINER -> killJoiner(nowMillis);
                case RESTART_JOINER -> restartJoiner(nowMillis);
                default -> throw new IllegalStateException("Expected HDFS");
            }
        }
        look(nowMillis);
    }

    private void killEast(long nowMillis, long nowMicros) {
        List<ProcessName> all = layout.processesIn(EAST);
        layout.joiners(EAST).forEach(joiner -> noteKilled(joiner, nowMillis));
        outage = new Outage(nowMillis, nowMicros, observer.output().distinct());
        down.addAll(all);
        fleet.kill(all);
        observer.happened(
                nowMillis,
                Kind.KILL,
                "east killed: %d processes, two replicas of the registry among them"
                        .formatted(all.size()));
    }

    private void startEast(long nowMillis) throws IOException {
        for (ProcessName process : layout.processesIn(EAST)) {
            start(process, nowMillis);
        }
        if (outage != null) {
            outage.publishedAtReturn = observer.output().distinct();
            outage.loggedAtReturn = observer.recordsLogged();
        }
        observer.happened(nowMillis, Kind.RETURN, "east is started again");
    }

    private void killJoiner(long nowMillis) {
        Optional<ProcessName> longest = Timetable.longestServing(servingSince);
        if (longest.isEmpty()) {
            return;
        }
        ProcessName joiner = longest.get();
        noteKilled(joiner, nowMillis);
        down.add(joiner);
        servingSince.remove(joiner);
        lastKilled = joiner;
        fleet.kill(joiner);
        observer.happened(nowMillis, Kind.KILL, joiner.label() + " killed");
    }

    private void restartJoiner(long nowMillis) throws IOException {
        if (lastKilled != null) {
            start(lastKilled, nowMillis);
            lastKilled = null;
        }
    }

    private void start(ProcessName process, long nowMillis) throws IOException {
        fleet.start(process);
        down.remove(process);
        startedAgain.put(process, nowMillis);
    }

    private void noteKilled(ProcessName joiner, long nowMillis) {
        servingSince.remove(joiner);
        killed.addAll(joiners.asKilled(joiner, nowMillis));
    }

    private void look(long nowMillis) {
        for (String datacenter : DemoLayout.DATACENTERS) {
            for (ProcessName joiner : layout.joiners(datacenter)) {
                if (joiners.serves(joiner)) {
                    servingSince.putIfAbsent(joiner, nowMillis);
                    Long since = startedAgain.remove(joiner);
                    if (since != null && outage == null) {
                        observer.happened(
                                nowMillis,
                                Kind.INFO,
                                "%s serves again after %.1f s"
                                        .formatted(joiner.label(), (nowMillis - since) / 1e3));
                    }
                } else {
                    servingSince.remove(joiner);
                }
            }
        }
        if (outage != null) {
            lookAtOutage(outage, nowMillis);
        }
    }

    private void lookAtOutage(Outage of, long nowMillis) {
        if (of.resumedMillis < 0 && newestJoinedForEast() > of.killedMicros) {
            of.resumedMillis = nowMillis;
            observer.happened(
                    nowMillis,
                    Kind.INFO,
                    "west carries all: the first of east's events joined after %.1f s"
                            .formatted((nowMillis - of.killedMillis) / 1e3));
        }
        if (of.publishedAtReturn >= 0 && !of.backTold) {
            fleet.status(new ProcessName(EAST, ProcessName.VERIFIER, ""))
                    .ifPresent(line -> lookAtReturn(of, line.status(), nowMillis));
        }
    }

    /** Registering is what lets the verifier see its predecessors: a look after it counts. */
    private void lookAtReturn(Outage of, JsonNode verifier, long nowMillis) {
        long looks = verifier.path("fullLooks").asLong();
        if (of.looksWhenServing < 0) {
            if (layout.joiners(EAST).stream().allMatch(joiners::serves)) {
                of.looksWhenServing = looks;
            }
        } else if (looks > of.looksWhenServing + 1 && verifier.path("pending").asLong() == 0) {
            of.backTold = true;
            observer.happened(
                    nowMillis, Kind.INFO, backText(verifier.path("repairedEvents").asLong()));
        }
    }

    /** What came of a datacenter's death, when it is back. */
    static String backText(long repaired) {
        return repaired == 0
                ? "east is back, and had lost nothing"
                : String.format(
                        Locale.ROOT,
                        "east is back: %,d events that its dead joiner had not written are joined again",
                        repaired);
    }

    private long newestJoinedForEast() {
        return layout.dispatchers(DemoLayout.WEST).stream()
                .flatMap(dispatcher -> fleet.status(dispatcher).stream())
                .mapToLong(line -> line.status().path("newestJoinedForOthersMicros").asLong())
                .max()
                .orElse(0);
    }

    @Override
    public Optional<DemoFigures.Outage> outage() {
        return Optional.ofNullable(outage)
                .map(
                        of ->
                                new DemoFigures.Outage(
                                        Math.max(0, of.publishedAtReturn - of.publishedBefore),
                                        joinedByReturnedEast(),
                                        of.resumedMillis < 0
                                                ? OptionalDouble.empty()
                                                : OptionalDouble.of(
                                                        (of.resumedMillis - of.killedMillis)
                                                                / 1e3)));
    }

    /** East was killed, and has joined nothing since: there must be something left to join. */
    @Override
    public Optional<String> awaited() {
        // Before the return they are the last words of those that were killed.
        return outage != null && (outage.publishedAtReturn < 0 || joinedByReturnedEast() == 0)
                ? Optional.of("east joins events again")
                : Optional.empty();
    }

    /**
     * How far the return is: which processes serve, and how much is read of what was logged before
     * it. What is logged now is read for ever.
     */
    @Override
    public Object awaitedProgress() {
        long logged = outage == null ? 0 : outage.loggedAtReturn;
        return List.of(
                StartProgress.of(
                        layout.processesIn(EAST),
                        fleet::serving,
                        fleet::cpuTime,
                        StartProgress.NONE),
                Math.min(logged, observer.recordsReadBy(EAST)));
    }

    /** By what its joiners, which are new processes, say: not what sealing has published. */
    private long joinedByReturnedEast() {
        return layout.joiners(EAST).stream()
                .flatMap(joiner -> fleet.status(joiner).stream())
                .mapToLong(line -> line.status().path("joined").asLong())
                .sum();
    }
}
