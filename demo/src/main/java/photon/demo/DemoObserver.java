package photon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import photon.core.id.EventId;
import photon.server.local.LocalBooks;
import photon.storage.files.FileStore;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;
import photon.testbed.process.ProcessStatusLine;

/**
 * Looks at the whole demo, again and again: what its processes say of themselves, what is
 * published, what the load has made. Not thread-safe.
 */
final class DemoObserver {
    /** Publication, stagger and a retry take less. */
    private static final long OVERDUE_MILLIS = 15_000;

    private static final long RATE_OVER_MILLIS = 1_000;

    static final String COMMITTED_IDS = "committedIds";
    static final String COMMIT_ENTRIES = "commitEntries";
    static final String EVENTS_READ = "eventsRead";
    static final String JOINED = "joined";
    static final String LOOKUPS = "lookups";
    static final String WASTED = "wastedAttempts";
    static final String MESSAGES = "messages";

    private final DemoLayout layout;
    private final Fleet fleet;
    private final DemoLoad load;
    private final Timetable timetable;
    private final OutputWatch output;
    private final LeaderWatch leaders = new LeaderWatch(DemoLayout::home);
    private final LagWatch lag = new LagWatch();
    private final OverdueWatch overdue = new OverdueWatch(OVERDUE_MILLIS);
    private final DelayTally delays = new DelayTally();
    private final StageTally stages = new StageTally();
    private final LifetimeCounts counts = new LifetimeCounts();
    private final Deque<IdsAt> ids = new ArrayDeque<>();
    private final List<DemoSample> samples = new ArrayList<>();
    private final List<DemoEvent> events = new ArrayList<>();

    private record IdsAt(long atMillis, long committed) {}

    DemoObserver(
            DemoLayout layout, Fleet fleet, FileStore files, DemoLoad load, Timetable timetable) {
        this.layout = layout;
        this.fleet = fleet;
        this.load = load;
        this.timetable = timetable;
        Map<String, String> outputs = new TreeMap<>();
        DemoLayout.DATACENTERS.forEach(
                name -> outputs.put(name, layout.paths(name).outputDirectory()));
        this.output = new OutputWatch(files, outputs, JoinedIdentity.ofNativeFields());
    }

    void happened(long atMillis, DemoEvent.Kind kind, String text) {
        events.add(new DemoEvent(atMillis, text, kind));
    }

    List<DemoEvent> events() {
        return events;
    }

    List<DemoSample> samples() {
        return samples;
    }

    OutputWatch output() {
        return output;
    }

    int leaderChanges() {
        return leaders.leaderChanges();
    }

    SortedMap<Long, Long> delays() {
        return delays.counts();
    }

    /** As {@link StageTally#counts}. */
    Map<StageTally.Stage, SortedMap<Long, Long>> stages() {
        return stages.counts();
    }

    /** Of one process, over all its lives. */
    long total(String counter, ProcessName process) {
        return counts.total(counter, process);
    }

    /** Over all processes and all their lives. */
    long total(String counter) {
        return counts.total(counter);
    }

    /**
     * What the run has cost so far.
     *
     * @param seconds since its start
     */
    LocalBooks.Costs costs(double seconds) {
        long entries = total(COMMIT_ENTRIES);
        return new LocalBooks.Costs(
                0,
                0,
                total(WASTED),
                entries == 0 ? 0 : (double) total(COMMITTED_IDS) / entries,
                total(MESSAGES),
                total(EVENTS_READ) / DemoLayout.DATACENTERS.size(),
                seconds);
    }

    /** Looks once more. */
    DemoSample look(long nowMillis) throws IOException {
        load.drainTo(overdue::expect);
        output.poll(nowMillis);
        RegistrySample registry = registry(nowMillis);
        Map<String, DatacenterSample> datacenters = new HashMap<>();
        for (String name : DemoLayout.DATACENTERS) {
            datacenters.put(name, datacenter(name, nowMillis));
        }
        if (samples.isEmpty() || samples.get(samples.size() - 1).published() == 0) {
            tellOfTheFirst(nowMillis);
        }
        DemoSample sample =
                new DemoSample(
                        nowMillis,
                        datacenters,
                        registry,
                        output.distinct(),
                        output.duplicates(),
                        load.joinable(),
                        overdue.count(nowMillis, this::isPublished));
        samples.add(sample);
        return sample;
    }

    private boolean isPublished(EventId id) {
        return output.firstSeenMillis(id).isPresent();
    }

    private void tellOfTheFirst(long nowMillis) {
        output.distinctByDatacenter().entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .findFirst()
                .ifPresent(
                        first ->
                                happened(
                                        nowMillis,
                                        DemoEvent.Kind.INFO,
                                        "first joined events, published by " + first.getKey()));
    }

    private RegistrySample registry(long nowMillis) {
        Map<String, List<String>> claims = new TreeMap<>();
        int up = 0;
        for (ProcessName replica : layout.replicas()) {
            if (!fleet.alive(replica)) {
                continue;
            }
            up++;
            Optional<ProcessStatusLine> line = fleet.status(replica);
            if (line.isPresent()) {
                count(line.get(), COMMITTED_IDS, COMMIT_ENTRIES);
                line.get()
                        .status()
                        .path("leads")
                        .properties()
                        .forEach(
                                group -> {
                                    List<String> who =
                                            claims.computeIfAbsent(
                                                    group.getKey(), name -> new ArrayList<>());
                                    if (group.getValue().asBoolean()) {
                                        who.add(replica.label());
                                    }
                                });
            }
        }
        Map<String, String> leading = new TreeMap<>();
        claims.forEach((group, who) -> leading.put(group, leaders.choose(group, who)));
        events.addAll(leaders.observe(nowMillis, leading));
        return new RegistrySample(leading, idsPerSecond(nowMillis), up);
    }

    private double idsPerSecond(long nowMillis) {
        IdsAt now = new IdsAt(nowMillis, counts.total(COMMITTED_IDS));
        ids.addLast(now);
        while (ids.size() > 2 && nowMillis - ids.getFirst().atMillis() > RATE_OVER_MILLIS) {
            ids.removeFirst();
        }
        long millis = nowMillis - ids.getFirst().atMillis();
        return millis == 0 ? 0 : (now.committed() - ids.getFirst().committed()) * 1e3 / millis;
    }

    private DatacenterSample datacenter(String name, long nowMillis) {
        boolean alive = false;
        long lagBytes = 0;
        long waiting = 0;
        for (ProcessName process : layout.daemons(name)) {
            alive |= fleet.alive(process);
            Optional<ProcessStatusLine> heard = fleet.status(process);
            if (heard.isEmpty()) {
                continue;
            }
            JsonNode status = heard.get().status();
            lagBytes += status.path("lagBytes").asLong();
            waiting += status.path("waitingRows").asLong();
            switch (process.role()) {
                case ProcessName.EVENT_STORE -> count(heard.get(), LOOKUPS);
                case ProcessName.DISPATCHER -> count(heard.get(), EVENTS_READ);
                case ProcessName.JOINER -> {
                    count(heard.get(), WASTED, JOINED);
                    delays.observe(
                            process.label(),
                            StageTally.delays(status.path("durableDelay")),
                            timetable.isCalm(nowMillis));
                }
                default -> {}
            }
            stages.observe(process.role(), process.label(), status, timetable.isCalm(nowMillis));
            counts.observe(MESSAGES, process, heard.get().messages());
        }
        long read = readBy(name);
        return new DatacenterSample(
                alive,
                read,
                output.distinctByDatacenter().getOrDefault(name, 0L),
                waiting,
                lagBytes,
                lag.observe(name, nowMillis, load.records(), recordsReadBy(name)));
    }

    /** Foreign events that its dispatchers have read, in all their lives. */
    private long readBy(String datacenter) {
        return layout.dispatchers(datacenter).stream()
                .mapToLong(dispatcher -> counts.total(EVENTS_READ, dispatcher))
                .sum();
    }

    /** Records of both streams that were logged so far. */
    long recordsLogged() {
        return load.records();
    }

    /**
     * Of both streams. An event store counts on where it was in its last life; of two, each keeps
     * all primary events, and an event is joined when one of them has its primary event.
     */
    long recordsReadBy(String datacenter) {
        long primaryEvents =
                layout.eventStores(datacenter).stream()
                        .flatMap(store -> fleet.status(store).stream())
                        .mapToLong(line -> line.status().path("primaryEvents").asLong())
                        .max()
                        .orElse(0);
        return readBy(datacenter) + primaryEvents;
    }

    private void count(ProcessStatusLine line, String... counters) {
        for (String counter : counters) {
            counts.observe(counter, line.process(), line.status().path(counter).asLong());
        }
    }

    /** Incarnations that have ended and are not repaired, as the verifiers know. */
    int repairsPending() {
        return (int) verifiers("pending");
    }

    /** Outcomes that no repair can bring back. */
    long outcomesLost() {
        return verifiers("outcomesLost");
    }

    private long verifiers(String field) {
        return DemoLayout.DATACENTERS.stream()
                .map(name -> new ProcessName(name, ProcessName.VERIFIER, ""))
                .flatMap(verifier -> fleet.status(verifier).stream())
                .mapToLong(line -> line.status().path(field).asLong())
                .sum();
    }
}
