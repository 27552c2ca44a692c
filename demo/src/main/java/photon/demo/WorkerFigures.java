package photon.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import photon.demo.TakeoverWatch.Takeover;
import photon.storage.lease.PartitionLeases;

/**
 * What each worker of a demo on HDFS has done, and what came of the deaths of some.
 *
 * @param read of each datacenter the foreign events that each of its dispatchers has read, by
 *     label, in all its lives; what one had read and not told at its death is missing
 * @param lookedUp of each datacenter the primary events that each of its event stores was asked
 *     for, likewise
 * @param joined of each datacenter the events that each of its joiners has joined, likewise
 * @param takeovers of each dispatcher that was killed
 * @param dispatchersKilled how many
 * @param eventStoresKilled how many
 * @param joinersKilled how many
 * @param endedByThemselves processes that ended without being killed, and were started again, as a
 *     supervisor does: a dispatcher whose lease has run out, since its machine was too busy, ends
 * @param joinedWithoutDataNode distinct events that were published while a DataNode was away;
 *     empty: none was
 */
record WorkerFigures(
        Map<String, Map<String, Long>> read,
        Map<String, Map<String, Long>> lookedUp,
        Map<String, Map<String, Long>> joined,
        List<Takeover> takeovers,
        int dispatchersKilled,
        int eventStoresKilled,
        int joinersKilled,
        int endedByThemselves,
        OptionalLong joinedWithoutDataNode) {

    /** Within this after its death others have a dispatcher's partitions: its lease, and 2 s. */
    static final Duration TAKEOVER_BOUND = PartitionLeases.TERM.plusSeconds(2);

    WorkerFigures {
        read = Collections.unmodifiableMap(new LinkedHashMap<>(read));
        lookedUp = Collections.unmodifiableMap(new LinkedHashMap<>(lookedUp));
        joined = Collections.unmodifiableMap(new LinkedHashMap<>(joined));
        takeovers = List.copyOf(takeovers);
    }

    /** Takeovers that took longer than the bound, or did not come. */
    long takeoversLate() {
        return takeovers.stream()
                .filter(t -> t.seconds().orElse(Double.MAX_VALUE) > boundSeconds())
                .count();
    }

    void writeTo(ObjectNode json) {
        ObjectNode killed = json.putObject("killed");
        killed.put("dispatchers", dispatchersKilled)
                .put("eventStores", eventStoresKilled)
                .put("joiners", joinersKilled)
                .put("dataNodes", joinedWithoutDataNode.isPresent() ? 1 : 0);
        json.put("endedByThemselves", endedByThemselves);
        ArrayNode takeoversJson = json.putArray("takeovers");
        for (Takeover takeover : takeovers) {
            ObjectNode one = takeoversJson.addObject();
            one.put("dispatcher", takeover.dispatcher()).put("partitions", takeover.partitions());
            put(one, "seconds", takeover.seconds());
            put(one, "workingSeconds", takeover.workingSeconds());
        }
        json.put("takeoverBoundSeconds", boundSeconds());
        json.put("takeoversLate", takeoversLate());
        ObjectNode shares = json.putObject("workers");
        write(shares, read, "eventsRead");
        write(shares, lookedUp, "lookups");
        write(shares, joined, "joined");
        json.put(
                "joinedWithoutDataNode",
                joinedWithoutDataNode.isPresent() ? joinedWithoutDataNode.getAsLong() : null);
    }

    private static void put(ObjectNode json, String name, OptionalDouble value) {
        json.put(name, value.isPresent() ? value.getAsDouble() : null);
    }

    private static void write(
            ObjectNode into, Map<String, Map<String, Long>> byDatacenter, String what) {
        byDatacenter
                .values()
                .forEach(
                        workers ->
                                workers.forEach(
                                        (label, count) ->
                                                into.putObject(label)
                                                        .put(what, count)
                                                        .put("share", share(workers, count))));
    }

    /** Of what all workers of its kind in its datacenter have done, in hundredths. */
    private static double share(Map<String, Long> workers, long count) {
        long all = workers.values().stream().mapToLong(Long::longValue).sum();
        return all == 0 ? 0 : Math.round(count * 100.0 / all) / 100.0;
    }

    /** For people: what it is about, and what there is to say. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        if (dispatchersKilled + eventStoresKilled + joinersKilled > 0) {
            rows.add(
                    new Row(
                            "workers killed",
                            "%,d dispatchers, %,d event stores, %,d joiners"
                                    .formatted(
                                            dispatchersKilled, eventStoresKilled, joinersKilled)));
        }
        for (Takeover takeover : takeovers) {
            rows.add(new Row("  taken over from", takeoverText(takeover)));
        }
        if (endedByThemselves > 0) {
            rows.add(
                    new Row(
                            "ended by themselves",
                            "%,d, started again".formatted(endedByThemselves)));
        }
        joinedWithoutDataNode.ifPresent(
                count -> rows.add(new Row("joined without a DataNode", "%,d".formatted(count))));
        addShares(rows, read, "read");
        addShares(rows, lookedUp, "looked up");
        addShares(rows, joined, "joined");
        return rows;
    }

    private static void addShares(
            List<Row> rows, Map<String, Map<String, Long>> byDatacenter, String what) {
        byDatacenter
                .values()
                .forEach(
                        workers ->
                                workers.forEach(
                                        (label, count) ->
                                                rows.add(
                                                        new Row(
                                                                "  %s by %s".formatted(what, label),
                                                                String.format(
                                                                        Locale.ROOT,
                                                                        "%,d (%.0f %%)",
                                                                        count,
                                                                        100
                                                                                * share(
                                                                                        workers,
                                                                                        count))))));
    }

    /** A line of the table. */
    record Row(String name, String value) {}

    static String takeoverText(Takeover takeover) {
        String bound = String.format(Locale.ROOT, "(bound: %.0f s)", boundSeconds());
        if (takeover.seconds().isEmpty()) {
            return "%s: %d partitions, NEVER %s"
                    .formatted(takeover.dispatcher(), takeover.partitions(), bound);
        }
        double seconds = takeover.seconds().getAsDouble();
        return String.format(
                Locale.ROOT,
                "%s: %d partitions after %.1f s %s%s, worked on %s",
                takeover.dispatcher(),
                takeover.partitions(),
                seconds,
                bound,
                seconds > boundSeconds() ? ", LATE" : "",
                takeover.workingSeconds().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "after %.1f s",
                                takeover.workingSeconds().getAsDouble())
                        : "NEVER");
    }

    private static double boundSeconds() {
        return TAKEOVER_BOUND.toMillis() / 1e3;
    }
}
