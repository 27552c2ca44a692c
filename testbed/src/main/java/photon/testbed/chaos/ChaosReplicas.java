package photon.testbed.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.registry.admin.MembersView;
import photon.registry.admin.StatusPoll;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** The replicas as they are now, by number. Thread-safe, as the fleet is. */
final class ChaosReplicas {
    private static final Duration SERVES_WITHIN = Duration.ofMinutes(4);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(3);
    private static final Duration LEADER_WITHIN = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final String CONTROL = "control";
    private static final int CONTROL_ONE_IN = 5;

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(3);

    private final Fleet fleet;
    private final ChaosLayout layout;

    ChaosReplicas(Fleet fleet, ChaosLayout layout) {
        this.fleet = fleet;
        this.layout = layout;
    }

    int size() {
        return ChaosLayout.size();
    }

    private static ProcessName name(int replica) {
        return ChaosLayout.replica(replica);
    }

    private static List<ProcessName> names(Collection<Integer> replicas) {
        return replicas.stream().map(ChaosReplicas::name).toList();
    }

    /** All at the same time; returns when they serve. */
    void start(Collection<Integer> replicas) throws IOException, InterruptedException {
        for (ProcessName name : names(replicas)) {
            fleet.start(name);
        }
        awaitServing(replicas);
    }

    void startAll() throws IOException, InterruptedException {
        start(IntStream.range(0, size()).boxed().toList());
    }

    /** SIGKILL, all at one moment; returns when they are gone. */
    void kill(Collection<Integer> replicas) {
        fleet.kill(names(replicas));
    }

    /** Where each is reached whatever is cut off. */
    List<HostPort> services() {
        return layout.directServices();
    }

    /** As they tell now. */
    MembersView members() {
        return new MembersView(
                new StatusPoll(ANSWERS_WITHIN, RpcSecurity.PLAINTEXT).askOnly(services()),
                Map.of());
    }

    /** All that a replica which is not alive had on its disk. */
    void deleteDisk(int replica) throws IOException {
        try (Stream<Path> all = Files.walk(layout.data(replica))) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    void pause(int replica) throws IOException, InterruptedException {
        fleet.pause(name(replica));
    }

    void goOn(int replica) throws IOException, InterruptedException {
        fleet.goOn(name(replica));
    }

    /**
     * SIGTERM; returns when it has ended.
     *
     * @throws ChaosAction.TroubleException if it does not end in good order
     */
    void stop(int replica) {
        if (!fleet.stop(name(replica), ENDS_WITHIN)) {
            throw new ChaosAction.TroubleException(
                    "Expected %s to end in good order within %d s of SIGTERM"
                            .formatted(name(replica).name(), ENDS_WITHIN.toSeconds()));
        }
    }

    /**
     * Waits until they say that they serve.
     *
     * @throws ChaosAction.TroubleException if one does not
     */
    void awaitServing(Collection<Integer> replicas) throws InterruptedException {
        long began = System.nanoTime();
        while (!names(replicas).stream().allMatch(fleet::serving)) {
            checkAlive(names(replicas));
            if (System.nanoTime() - began > SERVES_WITHIN.toNanos()) {
                throw new ChaosAction.TroubleException(
                        "Expected %s to serve within %d s of their start"
                                .formatted(names(replicas), SERVES_WITHIN.toSeconds()));
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
    }

    private void checkAlive(List<ProcessName> names) {
        try {
            fleet.checkAlive(names);
        } catch (FailedException e) {
            throw new ChaosAction.TroubleException(String.valueOf(e.getMessage()));
        }
    }

    /** The same, and the control group's sometimes. */
    int anyLeader(int pick) throws InterruptedException {
        return leader(pick, pick % CONTROL_ONE_IN == 0);
    }

    /**
     * A replica that leads a shard of the newest epoch, as it last said. If nobody says so for a
     * while, any.
     *
     * @param pick chooses among them
     */
    int leader(int pick) throws InterruptedException {
        return leader(pick, false);
    }

    private int leader(int pick, boolean control) throws InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < LEADER_WITHIN.toNanos()) {
            Optional<Integer> leader = leads(pick, control);
            if (leader.isPresent()) {
                return leader.get();
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
        return pick % size();
    }

    private Optional<Integer> leads(int pick, boolean control) {
        TreeMap<String, Integer> leaders = new TreeMap<>();
        for (int i = 0; i < size(); i++) {
            int replica = i;
            if (fleet.serving(name(i))) {
                fleet.status(name(i)).stream()
                        .flatMap(line -> line.status().path("leads").properties().stream())
                        .filter(group -> group.getValue().asBoolean())
                        .forEach(group -> leaders.put(group.getKey(), replica));
            }
        }
        int newest =
                leaders.keySet().stream()
                        .map(ChaosReplicas::epoch)
                        .max(Comparator.naturalOrder())
                        .orElse(0);
        List<String> groups =
                leaders.keySet().stream()
                        .filter(group -> group.equals(CONTROL) ? control : epoch(group) == newest)
                        .toList();
        return groups.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(leaders.get(groups.get(pick % groups.size())));
    }

    /** Of {@code pipeline/epoch/shard}; 0 for the control group. */
    private static int epoch(String group) {
        String[] parts = group.split("/");
        return parts.length < 3 ? 0 : Integer.parseInt(parts[parts.length - 2]);
    }

    /** One that leads nothing, as they last said; else the first. */
    int follower() {
        return IntStream.range(0, size())
                .filter(
                        i ->
                                fleet.status(name(i)).stream()
                                        .flatMap(
                                                line ->
                                                        line
                                                                .status()
                                                                .path("leads")
                                                                .properties()
                                                                .stream())
                                        .noneMatch(group -> group.getValue().asBoolean()))
                .findFirst()
                .orElse(0);
    }

    /** Another one. */
    int other(int replica, int pick) {
        return (replica + 1 + pick % (size() - 1)) % size();
    }
}
