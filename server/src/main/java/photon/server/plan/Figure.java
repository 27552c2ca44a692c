package photon.server.plan;

import java.util.Locale;

/** A figure that the plan calculates with, and where it is from. */
public enum Figure {
    /**
     * Fitted, with {@link #JOIN_MICROS}, so that no measured row costs more than is calculated:
     * {@code READ + 1/11 x JOIN = 8.0} with one datacenter, and {@code 2 x READ + 1/2 x JOIN =
     * 23.0} with two and as many foreign events as primary ones. The third row, 11.1, is calculated
     * as 14.0.
     */
    READ_MICROS(
            6.0,
            "us of CPU to read and index an event, per datacenter",
            "docs/sizing.md",
            "| input event, one datacenter, registry included, 10 foreign per 100 primary events | 8.0 |"),
    /** As above. */
    JOIN_MICROS(
            22,
            "us of CPU to join a foreign event, commit and output included",
            "docs/sizing.md",
            "| input event, two datacenters, 100 per 100 | 23.0 |"),
    /** The leader's, at 343 ids per log entry: the dearest row of the table. */
    REGISTRY_MICROS(
            3.2,
            "us of CPU per id and registry server",
            "docs/benchmarks.md",
            "| 3 replicas, open loop, 200,000 ids/s offered | 200,174 | 7, 90, 147 ms | 8.8 (3.2, 2.5, 0.5) |"),
    SHARD_IDS(
            200_000,
            "ids per second for a shard",
            "docs/benchmarks.md",
            "| 3 replicas, open loop, 200,000 ids/s offered | 200,174 |"),
    PEAK_FACTOR(
            3,
            "times the CPU that the rate needs, for catching up after an outage",
            "docs/sizing.md",
            "plan three times that"),
    MEASURED_EVENTS(
            241_994,
            "events per second, the most that was measured for one datacenter",
            "docs/benchmarks.md",
            "203,454 by 270,777: **0.75** | 241,994 by"),
    REGISTRY_DISK_BYTES(
            44.6,
            "bytes of a registry server's disk per id",
            "docs/sizing.md",
            "| disk for an id in files | 44.6 bytes;"),
    REGISTRY_DISK_FACTOR(
            4,
            "times that, since snapshots share files only in part",
            "docs/sizing.md",
            "plan four times that"),
    REGISTRY_LOG_BYTES(
            512L << 20,
            "bytes of logs per shard, a snapshot under way included",
            "docs/sizing.md",
            "| disk for logs | up to 256 MiB per shard between snapshots, and as much again"),
    REGISTRY_HEAP_BYTES(
            1.4,
            "bytes of a registry server's heap per id",
            "docs/sizing.md",
            "| memory for an id in files | 1.4 bytes |"),
    STORE_DISK_BYTES(
            25.4,
            "bytes of an event store's disk per primary event, without its record",
            "docs/sizing.md",
            "| disk per primary event | 25.4 bytes and the record"),
    /** (93.9 - 25.4) / 224. */
    STORE_COMPRESSION(
            0.306,
            "of a record's bytes are left by zstd",
            "docs/sizing.md",
            "93.9 bytes in all for records of 224 bytes"),
    STORE_HEAP_BYTES(
            1.35,
            "bytes of an event store's heap per primary event",
            "docs/sizing.md",
            "| heap | 48 MiB of tables, 1.35 bytes per event held"),
    STORE_RETENTIONS(
            2,
            "retentions for which an event store keeps primary events",
            "docs/sizing.md",
            "Events that it holds: P x 2T"),
    DAEMON_HEAP_BYTES(
            2L << 30,
            "bytes of heap for any daemon",
            "docs/sizing.md",
            "A heap of 2 GiB for each daemon"),
    OUTPUT_BYTES(
            90,
            "bytes of a joined line beside both records",
            "docs/sizing.md",
            "has both records and some 90 bytes"),
    COMMIT_BYTES(
            44,
            "bytes of an id and its token on the wire",
            "docs/decisions/0006-commit-answers-are-a-byte-an-id.md",
            "44 bytes per id go the other way"),
    COMMIT_ROUND_TRIPS(
            1.06,
            "round trips of a commit, from its leader",
            "docs/benchmarks.md",
            "p50 106 ms, 1.06 round trips"),
    EVENTS_IN_FLIGHT(
            8_192,
            "events that a dispatcher has at its joiners at one time, unless limits.eventsInFlightMax says otherwise",
            "docs/configuration-reference.md",
            "| `limits.eventsInFlightMax` | whole number from 1 to 10,000,000 | `8192` |");

    private final double value;
    private final String meaning;
    private final String page;
    private final String quoted;

    Figure(double value, String meaning, String page, String quoted) {
        this.value = value;
        this.meaning = meaning;
        this.page = page;
        this.quoted = quoted;
    }

    public double value() {
        return value;
    }

    /** What it is, with its unit. */
    public String meaning() {
        return meaning;
    }

    /** The page that it is from. */
    public String page() {
        return page;
    }

    /** The words there. */
    public String quoted() {
        return quoted;
    }

    /** As JSON has it. */
    public String key() {
        String[] words = name().toLowerCase(Locale.ROOT).split("_", -1);
        StringBuilder key = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            key.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
        }
        return key.toString();
    }
}
