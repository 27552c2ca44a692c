package photon.server.plan;

import java.util.List;
import java.util.Locale;
import photon.core.config.DurationText;

/** A plan for people. */
public final class PlanText {
    private static final List<Long> RATES = List.of(10_000L, 100_000L, 1_000_000L);
    private static final List<Integer> PLACES = List.of(2, 3, 5);
    private static final double KILO = 1_000;
    private static final double MILLION = 1e6;

    private static final String HEADING =
            "| events/s | datacenters | machines (registry, each datacenter) | cores of each datacenter | its event stores: number, heap, disk | each registry server: cores, heap, disk | logs into each datacenter | commits out of the leaders' place |\n";

    private PlanText() {}

    /** Ends with a line feed. */
    public static String of(Plan plan) {
        PlanRequest request = plan.request();
        StringBuilder text = new StringBuilder();
        line(
                text,
                "load",
                "%,d events/s of %s, %d foreign per 100 primary: %,.0f primary and %,.0f foreign/s"
                        .formatted(
                                request.eventsPerSecond(),
                                size((double) request.eventBytes()),
                                request.clicks(),
                                request.primaryPerSecond(),
                                request.foreignPerSecond()));
        line(
                text,
                "",
                "%d datacenters, %s apart, retention %s"
                        .formatted(
                                request.datacenters(),
                                DurationText.of(request.roundTrip()),
                                DurationText.of(request.retention())));
        parts(text, plan);
        plan.notes().forEach(note -> line(text, "note", note));
        return text.toString();
    }

    private static void parts(StringBuilder text, Plan plan) {
        Plan.Server registry = plan.registry();
        Plan.Datacenter each = plan.datacenter();
        line(
                text,
                "machines",
                "%d: %d for the registry, and %d for each datacenter"
                        .formatted(plan.machines(), plan.registryServers(), each.machines()));
        line(
                text,
                "registry",
                "%d shards; each server %d cores, %s of heap, %s of disk for %,.0f million ids"
                        .formatted(
                                plan.shards(),
                                registry.cores(),
                                size(registry.heapBytes()),
                                size(registry.diskBytes()),
                                registry.idsHeld() / MILLION));
        line(
                text,
                "datacenter",
                "each %s cores, %s of heap, %s of output a day"
                        .formatted(
                                cores(each.cores()),
                                size(each.heapBytes()),
                                size(each.outputBytesPerDay())));
        line(
                text,
                "event store",
                "%d in each datacenter, each with %s of heap and %s of disk"
                        .formatted(
                                each.eventStores(),
                                size(each.storeHeapBytes()),
                                size(each.storeDiskBytes())));
        line(
                text,
                "network",
                "logs into each datacenter %s, commits %s out of the leaders' place and %s into it"
                        .formatted(
                                bits(plan.network().logsIntoEach()),
                                bits(plan.network().commitsOutOfLeader()),
                                bits(plan.network().commitsIntoLeader())));
        line(
                text,
                "commit",
                "%.0f ms, where the leader is elsewhere".formatted(plan.commitMillis()));
    }

    private static void line(StringBuilder text, String name, String what) {
        text.append("%-11s %s\n".formatted(name, what));
    }

    /** The table of docs/sizing.md. Ends with a line feed. */
    public static String page() {
        StringBuilder table =
                new StringBuilder(HEADING).append("|---|---|---|---|---|---|---|---|\n");
        for (long rate : RATES) {
            for (int places : PLACES) {
                Plan plan = Plan.of(PlanRequest.DEFAULTS.at(rate, places));
                table.append(
                        String.format(
                                Locale.ROOT,
                                "| %,d | %d | %d (%d, %d) | %s | %d, %s, %s | %d, %s, %s | %s | %s |\n",
                                rate,
                                places,
                                plan.machines(),
                                plan.registryServers(),
                                plan.datacenter().machines(),
                                cores(plan.datacenter().cores()),
                                plan.datacenter().eventStores(),
                                size(plan.datacenter().storeHeapBytes()),
                                size(plan.datacenter().storeDiskBytes()),
                                plan.registry().cores(),
                                size(plan.registry().heapBytes()),
                                size(plan.registry().diskBytes()),
                                bits(plan.network().logsIntoEach()),
                                bits(plan.network().commitsOutOfLeader())));
            }
        }
        return table.toString();
    }

    private static String cores(double cores) {
        return String.format(Locale.ROOT, "%.1f", Math.ceil(cores * 10) / 10);
    }

    private static String size(double bytes) {
        return scaled(bytes, List.of("B", "kB", "MB", "GB", "TB", "PB"));
    }

    private static String bits(double bits) {
        return scaled(bits, List.of("bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"));
    }

    /** Two digits are all that such figures are worth. */
    private static String scaled(double value, List<String> units) {
        double left = value;
        int unit = 0;
        while (left >= KILO && unit < units.size() - 1) {
            left /= KILO;
            unit++;
        }
        return String.format(Locale.ROOT, left < 10 ? "%.1f %s" : "%.0f %s", left, units.get(unit));
    }
}
