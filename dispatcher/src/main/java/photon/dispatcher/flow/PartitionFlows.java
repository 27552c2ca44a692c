package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.metrics.StageDelays;
import photon.dispatcher.state.DispatchStage;
import photon.dispatcher.state.DispatcherHealth;
import photon.dispatcher.state.DispatcherStatus;
import photon.proto.v1.LogsResponse;
import photon.storage.tail.LogPartition;

/**
 * The flows of the partitions that a dispatcher works on, one each; they share its loops, and
 * nothing else that is written. Main loop, but for what is said to be thread-safe.
 */
public final class PartitionFlows {
    /** Requests; their callers repeat them. */
    private static final int WAITING_MAX = 8;

    private final EventLoop main;
    private final int count;
    private final Maker maker;
    private final TreeMap<Integer, Flow> flows = new TreeMap<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int repairsTaken;
    private boolean stopping;

    /** For other threads, which must not find a flow among both. */
    private volatile Shown shown =
            new Shown(
                    new TreeMap<>(),
                    DispatcherStatus.NOTHING_TO_DO,
                    new StageDelays<>(DispatchStage.class).counts());

    /**
     * What is told.
     *
     * @param ended what flows have done that have ended
     * @param endedStages likewise
     */
    private record Shown(
            SortedMap<Integer, Flow> running,
            DispatcherStatus ended,
            Map<String, SortedMap<Long, Long>> endedStages) {}

    /** Rows that came while no partition was worked on. */
    private record Waiting(List<RepairRow> rows, Runnable durable) {}

    /** Makes a flow, which is not started. */
    @FunctionalInterface
    public interface Maker {
        /**
         * @param state claimed
         */
        Flow make(LogPartition partition, StateFiles state);
    }

    /**
     * @param count of the state's partitions
     */
    public PartitionFlows(EventLoop main, int count, Maker maker) {
        this.main = main;
        this.count = count;
        this.maker = maker;
    }

    /** Begins to work on a partition, whose state is claimed. */
    public void begin(int partition, StateFiles state) {
        Flow flow = maker.make(new LogPartition(partition, count), state);
        flows.put(partition, flow);
        shown = new Shown(new TreeMap<>(flows), shown.ended(), shown.endedStages());
        flow.start();
        List<Waiting> rows = List.copyOf(waiting);
        waiting.clear();
        rows.forEach(some -> addRepairRows(some.rows(), some.durable()));
        if (stopping) {
            flow.stop(Duration.ZERO, () -> {});
        }
    }

    /**
     * Ends the work on a partition, as {@link Flow#stop} does.
     *
     * @param done run in the main loop when nothing is written there any more
     */
    public void end(int partition, Duration drain, Runnable done) {
        Flow flow = flows.get(partition);
        if (flow == null) {
            done.run();
            return;
        }
        flow.stop(
                drain,
                () ->
                        main.execute(
                                () -> {
                                    forget(partition, flow);
                                    done.run();
                                }));
    }

    private void forget(int partition, Flow flow) {
        if (flows.remove(partition, flow)) {
            shown =
                    new Shown(
                            new TreeMap<>(flows),
                            shown.ended().and(flow.status().asEnded()),
                            sum(shown.endedStages(), flow.stages()));
        }
    }

    /** Ends the work on all of them. They are still told of. */
    public void stop(Duration drain, Runnable done) {
        stopping = true;
        int[] left = {flows.size()};
        if (left[0] == 0) {
            done.run();
            return;
        }
        for (Flow flow : List.copyOf(flows.values())) {
            flow.stop(
                    drain,
                    () -> {
                        left[0]--;
                        if (left[0] == 0) {
                            done.run();
                        }
                    });
        }
    }

    /** Of the state's partitions. */
    public int count() {
        return count;
    }

    /** The partitions that are worked on, in order. Thread-safe. */
    public List<Integer> partitions() {
        return List.copyOf(shown.running().keySet());
    }

    /**
     * {@code durable} is run once all rows are durable in the journal of some partition.
     * Repeatable. While none is worked on the newest wait.
     */
    public void addRepairRows(List<RepairRow> repairs, Runnable durable) {
        if (flows.isEmpty()) {
            if (waiting.size() == WAITING_MAX) {
                waiting.remove(); // their sender sends them again
            }
            waiting.add(new Waiting(List.copyOf(repairs), durable));
            return;
        }
        List<Flow> all = List.copyOf(flows.values());
        repairsTaken = (repairsTaken + 1) % all.size();
        all.get(repairsTaken).addRepairRows(repairs, durable);
    }

    /** {@link Flow#retryAllWaiting} of all. */
    public void retryAllWaiting(CompletableFuture<@Nullable Void> done) {
        List<CompletableFuture<@Nullable Void>> each = new ArrayList<>();
        for (Flow flow : flows.values()) {
            CompletableFuture<@Nullable Void> one = new CompletableFuture<>();
            each.add(one);
            flow.retryAllWaiting(one);
        }
        CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .whenComplete((nothing, failure) -> done.complete(null));
    }

    /** {@link Flow#tryDeferred} of all. */
    public void tryDeferred() {
        flows.values().forEach(Flow::tryDeferred);
    }

    /** How far the logs are read, for people. Answers in the main loop. */
    void tellOfLogs(int filesMax, Consumer<LogsResponse.Builder> answer) {
        List<Flow> all = List.copyOf(flows.values());
        LogsResponse.Builder whole = LogsResponse.newBuilder();
        if (all.isEmpty()) {
            answer.accept(whole);
            return;
        }
        int[] left = {all.size()};
        for (Flow flow : all) {
            flow.tellOfLogs(
                    filesMax,
                    told -> {
                        add(whole, told);
                        left[0]--;
                        if (left[0] == 0) {
                            answer.accept(whole);
                        }
                    });
        }
    }

    private static void add(LogsResponse.Builder whole, LogsResponse.Builder part) {
        whole.setFiles(whole.getFiles() + part.getFiles())
                .setUnreadBytes(whole.getUnreadBytes() + part.getUnreadBytes())
                .setLagSeconds(Math.max(whole.getLagSeconds(), part.getLagSeconds()))
                .addAllListed(part.getListedList());
        if (whole.getTrouble().isEmpty() || part.getTroubleSeconds() > whole.getTroubleSeconds()) {
            whole.setTrouble(part.getTrouble()).setTroubleSeconds(part.getTroubleSeconds());
        }
    }

    /** Of the one whose reading has stood still for the longest. */
    public DispatcherHealth health() {
        DispatcherHealth worst = new DispatcherHealth(OptionalLong.empty(), "");
        for (Flow flow : flows.values()) {
            DispatcherHealth health = flow.health();
            boolean older =
                    health.readingNanos().isPresent()
                            && (worst.readingNanos().isEmpty()
                                    || health.readingNanos().getAsLong()
                                                    - worst.readingNanos().getAsLong()
                                            < 0);
            if (older || (worst.trouble().isEmpty() && !health.trouble().isEmpty())) {
                worst = health;
            }
        }
        return worst;
    }

    /** The sum of all, those included that have ended. Thread-safe. */
    public DispatcherStatus status() {
        Shown now = shown;
        DispatcherStatus sum = now.ended();
        for (Flow flow : now.running().values()) {
            sum = sum.and(flow.status());
        }
        return sum;
    }

    /** How old the rows are that something holds up, of all. Thread-safe. */
    public HeldUp.Rows heldUp() {
        HeldUp.Rows all = HeldUp.Rows.NONE;
        for (Flow flow : shown.running().values()) {
            all = all.and(flow.heldUp());
        }
        return all;
    }

    /** As {@link Flow#stages}, of all, those included that have ended. Thread-safe. */
    public Map<String, SortedMap<Long, Long>> stages() {
        Shown now = shown;
        Map<String, SortedMap<Long, Long>> sum = now.endedStages();
        for (Flow flow : now.running().values()) {
            sum = sum(sum, flow.stages());
        }
        return sum;
    }

    private static Map<String, SortedMap<Long, Long>> sum(
            Map<String, SortedMap<Long, Long>> some, Map<String, SortedMap<Long, Long>> others) {
        Map<String, SortedMap<Long, Long>> sum = new LinkedHashMap<>();
        some.forEach((stage, counts) -> sum.put(stage, new TreeMap<>(counts)));
        others.forEach(
                (stage, counts) -> {
                    SortedMap<Long, Long> all = sum.computeIfAbsent(stage, s -> new TreeMap<>());
                    counts.forEach((bound, n) -> all.merge(bound, n, Long::sum));
                });
        return sum;
    }
}
