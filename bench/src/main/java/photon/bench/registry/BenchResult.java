package photon.bench.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import photon.core.error.FailedException;

/** What a run has shown, as JSON and as lines for people. */
final class BenchResult {
    /** The process that commits and looks up, which is this one. */
    static final String LOAD = "load";

    /** Microseconds an id; kinds of threads that used less are in the JSON only. */
    private static final double THREAD_TOLD_MIN = 0.01;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RegistryBenchOptions options;
    private final ObjectNode root = JSON.createObjectNode();
    private final List<String> lines = new ArrayList<>();
    private double acceptedInWindow;
    private boolean right;

    BenchResult(RegistryBenchOptions options) {
        this.options = options;
        root.put("replicas", options.replicas());
        root.put("shards", options.shards());
        root.put("connections", options.connections());
        root.put("callers", options.callers());
        root.put("batch", options.batch());
        root.put("inFlight", options.inFlight());
        root.put("mode", options.rate().isPresent() ? "open-loop" : "closed-loop");
        options.rate().ifPresent(rate -> root.put("rate", rate));
        root.put("contestedPercent", options.contestedPercent());
        root.put("wanDelayMillis", options.wanDelay().toMillis());
        root.put("seconds", options.seconds());
        root.put("warmUpSeconds", options.warmUp().toSeconds());
        root.put("warmedUp", options.warmedUp());
        if (!options.warmedUp()) {
            lines.add(
                    "NOT WARM: %d s of warm-up, so the compiler was at work; %d s are needed for figures that mean anything"
                            .formatted(
                                    options.warmUp().toSeconds(),
                                    RegistryBenchOptions.WARM_UP_MIN.toSeconds()));
        }
    }

    void preloaded(long ids, long nanos) {
        ObjectNode node = root.putObject("preload");
        node.put("ids", ids);
        node.put("seconds", nanos / 1e9);
        line("preloaded", "%,d ids over 3 days in %,.1f s", ids, nanos / 1e9);
    }

    void measured(
            long accepted,
            long nanos,
            Map<String, ProcessFigures> used,
            BenchReplicas.Entries entries,
            String leader) {
        double seconds = nanos / 1e9;
        acceptedInWindow = Math.max(1, accepted);
        root.put("acceptedIdsPerSecond", Math.round(accepted / seconds));
        line("accepted", "%,.0f ids/s", accepted / seconds);
        double perEntry = entries.entries() == 0 ? 0 : (double) entries.ids() / entries.entries();
        root.put("leader", leader);
        root.put("idsPerEntry", perEntry);
        root.put("entriesPerSecond", entries.entries() / seconds);
        line("ids per entry", "%,.0f (%,.0f entries/s)", perEntry, entries.entries() / seconds);

        ProcessFigures all =
                used.values().stream().reduce(ProcessFigures::plus).orElse(ProcessFigures.NONE);
        root.put("cpuMicrosPerId", all.cpuMicros() / acceptedInWindow);
        root.put("coresUsed", all.cpuMicros() / 1e6 / seconds);
        root.put("jitShare", share(all.compilerMicros(), all.cpuMicros()));
        root.put("gcShare", share(all.collectorMicros(), all.cpuMicros()));
        StringBuilder by = new StringBuilder();
        ObjectNode cpu = root.putObject("cpuMicrosPerIdByProcess");
        ObjectNode resident = root.putObject("residentBytes");
        for (Map.Entry<String, ProcessFigures> process : used.entrySet()) {
            ProcessFigures figures = process.getValue();
            cpu.put(process.getKey(), figures.cpuMicros() / acceptedInWindow);
            resident.put(process.getKey(), figures.residentBytes());
            by.append(
                    String.format(
                            Locale.ROOT,
                            " %s %.2f",
                            process.getKey(),
                            figures.cpuMicros() / acceptedInWindow));
        }
        line(
                "CPU",
                "%.2f us an id (%s), %.2f cores; JIT %.0f %%, GC %.0f %%",
                all.cpuMicros() / acceptedInWindow,
                by.toString().strip(),
                all.cpuMicros() / 1e6 / seconds,
                100 * share(all.compilerMicros(), all.cpuMicros()),
                100 * share(all.collectorMicros(), all.cpuMicros()));
        StringBuilder memory = new StringBuilder();
        used.forEach(
                (name, figures) ->
                        memory.append(
                                String.format(
                                        Locale.ROOT,
                                        " %s %,d MiB",
                                        name,
                                        figures.residentBytes() >> 20)));
        line("resident", "%s", memory.toString().strip());
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    void commits(List<Latencies> latencies, SnapshotWatch snapshots) {
        latency("commit", Latencies.of(latencies, second -> true));
        root.put("snapshots", snapshots.taken());
        Latencies.Summary during = Latencies.of(latencies, snapshots::wasWritten);
        Latencies.Summary usual = Latencies.of(latencies, second -> !snapshots.wasWritten(second));
        if (during.calls() > 0 && usual.calls() > 0) {
            latency("commitDuringSnapshots", during);
            latency("commitWithoutSnapshots", usual);
        }
    }

    void dropped(List<Latencies> latencies, DropPhase drop, long held) {
        Latencies.Summary before = Latencies.of(latencies, drop::isBefore);
        Latencies.Summary during = Latencies.of(latencies, drop::wasDropping);
        if (before.calls() == 0 || during.calls() == 0) {
            throw new FailedException(
                    "Expected commits in the measured time both before the preloaded ids were dropped and while they were: make --duration longer");
        }
        latency("commitBeforeDropping", before);
        latency("commitWhileDropping", during);
        ObjectNode node = root.putObject("drop");
        node.put("secondsDropping", drop.secondsDropping());
        node.put("idsHeldAfterwards", held);
        OptionalDouble ratio = OptionalDouble.empty();
        if (before.calls() > 0 && during.calls() > 0) {
            ratio =
                    OptionalDouble.of(
                            during.percentileMillis(99).orElseThrow()
                                    / before.percentileMillis(99).orElseThrow());
        }
        put(node, "p99Ratio", ratio);
        line(
                "dropped",
                "the preloaded ids within %d s; commits' p99 %.2f times that of before; %,d ids held afterwards",
                drop.secondsDropping(),
                ratio.orElse(Double.NaN),
                held);
    }

    void recovered(
            String replica, long nanos, long lookedUp, long wrongAnswers, long residentBytes) {
        ObjectNode node = root.putObject("recovery");
        node.put("replica", replica);
        node.put("servesAfterSeconds", nanos / 1e9);
        node.put("lookedUp", lookedUp);
        node.put("wrongAnswers", wrongAnswers);
        node.put("residentBytes", residentBytes);
        line(
                "recovery",
                "%s killed (SIGKILL), knew all ids again after %.1f s; %,d ids looked up there, %,d wrong answers; %,d MiB resident",
                replica,
                nanos / 1e9,
                lookedUp,
                wrongAnswers,
                residentBytes >> 20);
    }

    void lookups(long ids, long nanos, Latencies latencies, boolean halfOld) {
        root.put("lookupIdsPerSecond", Math.round(ids / (nanos / 1e9)));
        root.put("lookupBatch", options.lookupBatch());
        root.put("lookupOldShare", halfOld ? 0.25 : 0);
        line(
                "looked up",
                "%,.0f ids/s at one replica, half of them held%s",
                ids / (nanos / 1e9),
                halfOld ? ", half of these old" : "");
        latency("lookup", Latencies.of(List.of(latencies), second -> true));
    }

    private void latency(String what, Latencies.Summary summary) {
        ObjectNode node = root.putObject(what);
        node.put("calls", summary.calls());
        put(node, "p50Millis", summary.percentileMillis(50));
        put(node, "p99Millis", summary.percentileMillis(99));
        put(node, "p999Millis", summary.percentileMillis(99.9));
        put(node, "maxMillis", summary.maxMillis());
        line(
                what,
                "p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, longest %.1f ms",
                summary.percentileMillis(50).orElse(Double.NaN),
                summary.percentileMillis(99).orElse(Double.NaN),
                summary.percentileMillis(99.9).orElse(Double.NaN),
                summary.maxMillis().orElse(Double.NaN));
    }

    private static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(name, value.getAsDouble());
        } else {
            node.putNull(name);
        }
    }

    void recorded(Map<String, FlightRecording.Recorded> recorded) {
        long forces = 0;
        long micros = 0;
        long bytes = 0;
        boolean known = true;
        for (int i = 0; i < options.replicas(); i++) {
            FlightRecording.Recorded replica = recorded.get("r" + i);
            known &= replica != null;
            forces += replica == null ? 0 : replica.forces();
            micros += replica == null ? 0 : replica.forceMicros();
            bytes += replica == null ? 0 : replica.writtenBytes();
        }
        if (known) {
            root.put("fsyncs", forces);
            root.put("fsyncMeanMillis", forces == 0 ? 0 : micros / 1e3 / forces);
            root.put(
                    "filesCountedBy",
                    "jdk.FileForce and jdk.FileWrite of each replica's flight recorder");
            line(
                    "fsyncs",
                    "%,d, all replicas together, %.2f ms each (flight recorder, jdk.FileForce)",
                    forces,
                    forces == 0 ? 0 : micros / 1e3 / forces);
            root.put("bytesWrittenPerId", bytes / acceptedInWindow);
            line(
                    "written",
                    "%.0f bytes an id, all replicas together (flight recorder, jdk.FileWrite)",
                    bytes / acceptedInWindow);
        } else {
            root.putNull("fsyncs");
            root.putNull("bytesWrittenPerId");
            line("fsyncs", "not counted: no jcmd in this Java");
        }
        if (options.profile()) {
            ObjectNode profile = root.putObject("profile");
            recorded.forEach(
                    (process, r) -> {
                        ObjectNode node = profile.putObject(process);
                        lines.add("profile of " + process + ", methods on top:");
                        r.frames()
                                .forEach(
                                        f -> {
                                            node.put(f.method(), f.share());
                                            lines.add(
                                                    String.format(
                                                            Locale.ROOT,
                                                            "  %5.1f %%  %s",
                                                            100 * f.share(),
                                                            f.method()));
                                        });
                    });
        }
    }

    /** Microseconds by kind of thread, by process; nothing without a profile. */
    void threads(Map<String, Map<String, Long>> used) {
        used.forEach(
                (process, kinds) -> {
                    ObjectNode node = root.withObject("/threads").putObject(process);
                    lines.add("threads of " + process + ", us an id:");
                    kinds.entrySet().stream()
                            .sorted(
                                    Map.Entry.<String, Long>comparingByValue(
                                                    Comparator.reverseOrder())
                                            .thenComparing(Map.Entry::getKey))
                            .forEach(
                                    kind -> {
                                        double each = kind.getValue() / acceptedInWindow;
                                        node.put(kind.getKey(), each);
                                        if (each >= THREAD_TOLD_MIN) {
                                            lines.add(
                                                    String.format(
                                                            Locale.ROOT,
                                                            "  %6.3f  %s",
                                                            each,
                                                            kind.getKey()));
                                        }
                                    });
                });
    }

    void judged(Referee referee) {
        right = referee.isRight();
        root.put("distinctIds", referee.distinctIds());
        root.put("acceptedIds", referee.accepted());
        root.put("contestedIds", referee.contested());
        root.put("takenAnswers", referee.taken());
        root.put("wrongAnswers", referee.wrong());
        root.put("right", right);
        referee.told().forEach(root.withArray("wrong")::add);
        line(
                right ? "right" : "WRONG",
                "%,d different ids, %,d accepted; %,d of them raced by two callers, %,d refused as taken; %,d wrong answers",
                referee.distinctIds(),
                referee.accepted(),
                referee.contested(),
                referee.taken(),
                referee.wrong());
        referee.told().forEach(what -> lines.add("  " + what));
    }

    private void line(String what, String format, Object... values) {
        lines.add(
                String.format(Locale.ROOT, "%-14s ", what)
                        + String.format(Locale.ROOT, format, values));
    }

    String toJson() {
        return root.toString();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** 0 if every answer was right. */
    int exitStatus() {
        return right ? 0 : 1;
    }
}
