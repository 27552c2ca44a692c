package photon.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import photon.demo.DemoEvent.Kind;
import photon.demo.hdfs.HdfsServers;
import photon.dispatcher.lease.PartitionOwners;
import photon.storage.files.FileStore;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/**
 * Kills dispatchers, event stores and joiners at random, and a DataNode, and starts them again.
 * What ends by itself is started again as well, as by a supervisor. Not thread-safe.
 */
final class WorkerKills implements DemoKills {
    private static final long RESTART_MILLIS = 500;

    /**
     * A dispatcher whose partitions nobody takes over for so long is started again all the same.
     */
    private static final long TAKEOVER_MILLIS_MAX = 90_000;

    private static final int STARTS_MAX = 10;
    private static final ProcessName DATANODE = HdfsServers.dataNode(DemoLayout.EAST, 1);

    private final DemoLayout layout;
    private final Fleet fleet;
    private final Fleet servers;
    private final FileStore files;
    private final DemoObserver observer;
    private final RandomGenerator random;
    private final JoinerLook joiners;
    private final List<Timetable.Action> left;
    private final TakeoverWatch takeovers = new TakeoverWatch();
    private final List<Kills.KilledJoiner> killedJoiners = new ArrayList<>();
    private final List<ProcessName> killed = new ArrayList<>();

    /**
     * When they are started again: dispatchers when others have taken over, the rest by the time.
     */
    private final Map<ProcessName, Long> down = new LinkedHashMap<>();

    private final Set<ProcessName> startedAgain = new LinkedHashSet<>();
    private final Map<ProcessName, Integer> endedByThemselves = new HashMap<>();
    private long publishedBefore;
    private OptionalLong joinedWithoutDataNode = OptionalLong.empty();
    private boolean dataNodeReturns;

    /**
     * @param servers of HDFS
     * @param files there
     */
    WorkerKills(
            DemoLayout layout,
            Fleet fleet,
            Fleet servers,
            FileStore files,
            DemoObserver observer,
            Timetable timetable,
            RandomGenerator random) {
        this.layout = layout;
        this.fleet = fleet;
        this.servers = servers;
        this.files = files;
        this.observer = observer;
        this.random = random;
        this.joiners = new JoinerLook(fleet);
        this.left = new ArrayList<>(timetable.actions());
    }

    @Override
    public void act(long nowMillis, long nowMicros) throws IOException {
        startThoseThatEnded(nowMillis);
        while (!left.isEmpty() && left.get(0).atMillis() <= nowMillis) {
            switch (left.remove(0).kind()) {
                case KILL_WORKER -> killWorker(nowMillis);
                case KILL_DATANODE -> killDataNode(nowMillis);
                case RETURN_DATANODE -> startDataNode(nowMillis);
                default -> throw new IllegalStateException("Expected what is killed on HDFS");
            }
        }
        look(nowMillis);
    }

    /** The rest has a supervisor. */
    @Override
    public Collection<ProcessName> shouldRun() {
        List<ProcessName> all = new ArrayList<>(layout.replicas());
        endedByThemselves.forEach(
                (process, times) -> {
                    if (times > STARTS_MAX) {
                        all.add(process);
                    }
                });
        return all;
    }

    @Override
    public List<Kills.KilledJoiner> killedJoiners() {
        return killedJoiners;
    }

    @Override
    public Optional<String> awaited() {
        return takeovers.awaits()
                ? Optional.of("the partitions of a killed dispatcher are taken over")
                : Optional.empty();
    }

    /** It has a bound of its own. */
    @Override
    public Object awaitedProgress() {
        return observer.output().distinct();
    }

    private void startThoseThatEnded(long nowMillis) throws IOException {
        for (String datacenter : DemoLayout.DATACENTERS) {
            for (ProcessName process : layout.daemons(datacenter)) {
                if (down.containsKey(process)
                        || fleet.alive(process)
                        || endedByThemselves.merge(process, 1, Integer::sum) > STARTS_MAX) {
                    continue;
                }
                observer.happened(
                        nowMillis,
                        Kind.INFO,
                        process.label() + " has ended by itself, and is started again");
                fleet.start(process);
            }
        }
    }

    private void killWorker(long nowMillis) {
        List<ProcessName> candidates = new ArrayList<>();
        for (String datacenter : DemoLayout.DATACENTERS) {
            layout.joiners(datacenter).stream().filter(joiners::serves).forEach(candidates::add);
            List<ProcessName> stores = layout.eventStores(datacenter);
            if (stores.stream().allMatch(fleet::serving)) {
                candidates.addAll(stores);
            }
            List<ProcessName> dispatchers = layout.dispatchers(datacenter);
            if (takeovers.awaitedIn(datacenter).isEmpty()
                    && dispatchers.stream().noneMatch(each -> partitions(each).isEmpty())) {
                candidates.addAll(dispatchers);
            }
        }
        NextVictim.of(candidates, killed, random).ifPresent(victim -> kill(victim, nowMillis));
    }

    private void kill(ProcessName victim, long nowMillis) {
        killed.add(victim);
        if (victim.role().equals(ProcessName.DISPATCHER)) {
            Set<Integer> had = partitions(victim);
            down.put(victim, Long.MAX_VALUE);
            fleet.kill(victim);
            takeovers.killed(victim, had, nowMillis);
            observer.happened(
                    nowMillis,
                    Kind.KILL,
                    "%s killed, which worked on %d partitions"
                            .formatted(victim.label(), had.size()));
        } else {
            if (victim.role().equals(ProcessName.JOINER)) {
                killedJoiners.addAll(joiners.asKilled(victim, nowMillis));
            }
            down.put(victim, nowMillis + RESTART_MILLIS);
            fleet.kill(victim);
            observer.happened(nowMillis, Kind.KILL, victim.label() + " killed");
        }
    }

    /** That a dispatcher which is alive works on. */
    private Set<Integer> partitions(ProcessName dispatcher) {
        Set<Integer> partitions = new TreeSet<>();
        if (fleet.alive(dispatcher)) {
            fleet.status(dispatcher)
                    .ifPresent(
                            line ->
                                    line.status()
                                            .path("partitions")
                                            .forEach(number -> partitions.add(number.asInt())));
        }
        return partitions;
    }

    private void killDataNode(long nowMillis) {
        servers.kill(DATANODE);
        publishedBefore = observer.output().distinct();
        observer.happened(
                nowMillis, Kind.KILL, "one of the two DataNodes of " + DemoLayout.EAST + " killed");
    }

    private void startDataNode(long nowMillis) throws IOException {
        servers.start(DATANODE);
        joinedWithoutDataNode = OptionalLong.of(observer.output().distinct() - publishedBefore);
        dataNodeReturns = true;
        observer.happened(nowMillis, Kind.RETURN, "the DataNode is started again");
    }

    private void look(long nowMillis) throws IOException {
        for (String datacenter : DemoLayout.DATACENTERS) {
            lookAtTakeover(datacenter, nowMillis);
        }
        for (ProcessName late : takeovers.giveUp(TAKEOVER_MILLIS_MAX, nowMillis)) {
            observer.happened(
                    nowMillis,
                    Kind.INFO,
                    "nobody has taken over from %s, which is started again"
                            .formatted(late.label()));
            down.put(late, nowMillis);
        }
        for (Map.Entry<ProcessName, Long> each : List.copyOf(down.entrySet())) {
            if (each.getValue() <= nowMillis) {
                down.remove(each.getKey());
                fleet.start(each.getKey());
                startedAgain.add(each.getKey());
            }
        }
        startedAgain.removeIf(process -> servesAgain(process, nowMillis));
        if (dataNodeReturns && servers.serving(DATANODE)) {
            dataNodeReturns = false;
            observer.happened(nowMillis, Kind.INFO, "the DataNode serves again");
        }
    }

    private void lookAtTakeover(String datacenter, long nowMillis) {
        takeovers
                .awaitedIn(datacenter)
                .ifPresent(
                        dead -> {
                            lookAtLeases(datacenter, layout.address(dead), nowMillis);
                            Set<Integer> others = new HashSet<>();
                            layout.dispatchers(datacenter)
                                    .forEach(each -> others.addAll(partitions(each)));
                            takeovers
                                    .seen(datacenter, others, nowMillis)
                                    .ifPresent(
                                            takeover -> {
                                                observer.happened(
                                                        nowMillis,
                                                        Kind.INFO,
                                                        "taken over from "
                                                                + WorkerFigures.takeoverText(
                                                                        takeover));
                                                down.put(dead, nowMillis);
                                            });
                        });
    }

    private void lookAtLeases(String datacenter, String dead, long nowMillis) {
        if (!takeovers.awaitsLeasesIn(datacenter)) {
            return;
        }
        Set<Integer> others = new HashSet<>();
        try {
            for (PartitionOwners.Owner owner :
                    PartitionOwners.read(files, layout.paths(datacenter).dispatcher())) {
                if (!owner.address().isEmpty() && !owner.address().equals(dead)) {
                    others.add(owner.partition());
                }
            }
        } catch (IOException e) {
            return; // a document is being written: the next look tells
        }
        takeovers.leased(datacenter, others, nowMillis);
    }

    private boolean servesAgain(ProcessName process, long nowMillis) {
        boolean serves =
                switch (process.role()) {
                    case ProcessName.JOINER -> joiners.serves(process);
                    case ProcessName.DISPATCHER -> !partitions(process).isEmpty();
                    default -> fleet.serving(process);
                };
        if (serves) {
            observer.happened(
                    nowMillis,
                    Kind.INFO,
                    process.label()
                            + (process.role().equals(ProcessName.DISPATCHER)
                                    ? " works again, and has partitions"
                                    : " serves again"));
        }
        return serves;
    }

    @Override
    public Optional<WorkerFigures> workers() {
        Map<String, Map<String, Long>> read = new LinkedHashMap<>();
        Map<String, Map<String, Long>> lookedUp = new LinkedHashMap<>();
        Map<String, Map<String, Long>> joined = new LinkedHashMap<>();
        for (String datacenter : DemoLayout.DATACENTERS) {
            read.put(datacenter, counts(DemoObserver.EVENTS_READ, layout.dispatchers(datacenter)));
            lookedUp.put(datacenter, counts(DemoObserver.LOOKUPS, layout.eventStores(datacenter)));
            joined.put(datacenter, counts(DemoObserver.JOINED, layout.joiners(datacenter)));
        }
        return Optional.of(
                new WorkerFigures(
                        read,
                        lookedUp,
                        joined,
                        takeovers.takeovers(),
                        killed(ProcessName.DISPATCHER),
                        killed(ProcessName.EVENT_STORE),
                        killed(ProcessName.JOINER),
                        endedByThemselves.values().stream().mapToInt(Integer::intValue).sum(),
                        joinedWithoutDataNode));
    }

    private int killed(String role) {
        return (int) killed.stream().filter(each -> each.role().equals(role)).count();
    }

    private Map<String, Long> counts(String counter, List<ProcessName> processes) {
        Map<String, Long> counts = new LinkedHashMap<>();
        processes.forEach(process -> counts.put(process.label(), observer.total(counter, process)));
        return counts;
    }
}
