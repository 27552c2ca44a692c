package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import photon.core.config.PipelineConfig;
import photon.simulation.checks.GroundTruth.Kind;
import photon.simulation.checks.InputRecord.Stream;
import photon.simulation.checks.Streams.ForeignKey;

/** Writes the lines of a world, event by event, and what must become of each. */
final class Script {
    private static final long SECOND = 1_000_000_000L;
    private static final long LAST_EVENT_NANOS = GroundTruth.SPAN.toNanos() - 30 * SECOND;
    private static final long FAR_MICROS = Duration.ofHours(100).toNanos() / 1_000;
    private static final String[] CORRUPT_FOREIGN = {
        "not JSON at all",
        "{\"kind\":\"click\",\"user\":\"torn",
        "{\"kind\":\"click\",\"user\":\"u\",\"at\":1,\"query\":\"q\"}",
        "{\"kind\":\"click\",\"user\":\"u\",\"click\":\"\",\"at\":1,\"query\":\"q\"}",
        "{\"kind\":\"click\",\"user\":\"u\",\"click\":\"c\",\"at\":\"yesterday\",\"query\":\"q\"}",
        "{\"kind\":\"click\",\"user\":\"u\",\"click\":\"c\",\"at\":-5,\"query\":\"q\"}",
        "{\"kind\":\"click\",\"user\":\"u\",\"click\":\"c\",\"at\":5}",
        "\u0001\u0002 binary \u0003"
    };
    private static final String[] CORRUPT_PRIMARY = {
        "]", "{\"at\":1}", "{\"query\":\"q\",\"at\":\"\"}", "{\"query\":\"q\"}"
    };

    private final RandomGenerator random;
    private final Optional<RandomGenerator> emissions;
    private final List<String> datacenters;
    private final long startMicros;
    private final long boundaryMicros;
    private final boolean unmatched;
    private final boolean upgrades;
    private final List<InputRecord> inputs = new ArrayList<>();
    private final List<ForeignIdentity> identities = new ArrayList<>();
    private final List<Primary> sharable = new ArrayList<>();
    private final Map<String, Integer> corruptForeign = new TreeMap<>();
    private int number;

    /** When many events come at once; empty: they come one by one. */
    private final List<Long> bursts = new ArrayList<>();

    /** A primary event with its contents. */
    private record Primary(String query, List<String> lines, List<String> holders) {}

    /**
     * @param emissions draws what the adapter makes of each event; empty: what the built-in one
     *     does
     * @param unmatched what becomes of events whose primary event does not come in time
     */
    Script(
            RandomGenerator random,
            Optional<RandomGenerator> emissions,
            List<String> datacenters,
            long startMicros,
            long boundaryMicros,
            Optional<PipelineConfig.Unmatched> unmatched) {
        this.random = random;
        this.unmatched = unmatched.isPresent();
        this.upgrades = unmatched.map(PipelineConfig.Unmatched::upgrade).orElse(false);
        this.emissions = emissions;
        this.datacenters = List.copyOf(datacenters);
        this.startMicros = startMicros;
        this.boundaryMicros = boundaryMicros;
        int many = random.nextBoolean() ? 0 : 4 + random.nextInt(16);
        for (int i = 0; i < many; i++) {
            bursts.add(random.nextLong(SECOND, LAST_EVENT_NANOS - 3 * SECOND));
        }
    }

    List<InputRecord> inputs() {
        return inputs;
    }

    List<ForeignIdentity> identities() {
        return identities;
    }

    Map<String, Integer> corruptForeign() {
        return corruptForeign;
    }

    void add(Kind kind) {
        number++;
        long atNanos = atNanos();
        long micros = startMicros + atNanos / 1_000 - random.nextLong(2_000_000) + ahead(kind);
        ForeignKey key = new ForeignKey("u" + random.nextInt(50), "c" + number, micros);
        if (kind == Kind.TOO_OLD) {
            key = at(key, boundaryMicros - 1 - random.nextLong(7_200_000_000L));
        }
        if (kind == Kind.AMBIGUOUS) {
            ForeignKey other = new ForeignKey("a:b" + number, "c", micros);
            addForeign(Kind.PLAIN, other, atNanos);
            key = new ForeignKey("a", "b" + number + ":c", micros);
        }
        addForeign(kind, key, atNanos);
        if (kind == Kind.TWIN) {
            addForeign(Kind.PLAIN, at(key, micros + 1), atNanos + random.nextLong(SECOND));
        }
    }

    private long atNanos() {
        return bursts.isEmpty() || random.nextInt(4) == 0
                ? random.nextLong(SECOND, LAST_EVENT_NANOS)
                : bursts.get(random.nextInt(bursts.size())) + random.nextLong(2 * SECOND);
    }

    private static ForeignKey at(ForeignKey key, long micros) {
        return new ForeignKey(key.user(), key.click(), micros);
    }

    private long ahead(Kind kind) {
        return switch (kind) {
            case PAST -> -random.nextLong(300_000_000L);
            case SOON -> 20_000_000L + random.nextLong(200_000_000L);
            case FAR_FUTURE -> FAR_MICROS;
            default -> 0;
        };
    }

    private void addForeign(Kind kind, ForeignKey key, long atNanos) {
        String home = datacenters.get(random.nextInt(datacenters.size()));
        List<String> readers =
                kind == Kind.ALONE || kind == Kind.APART ? List.of(home) : datacenters;
        Primary primary = primary(kind, home, atNanos);
        List<String> lines = new ArrayList<>();
        String sort = kind == Kind.ROBOT ? Streams.DROPPED : Streams.KEPT;
        List<Emission> emitted = new ArrayList<>(List.of(emission(kind)));
        lines.add(key.line(sort, primary.query(), 0, padding(), emitted.get(0)));
        write(readers, Stream.FOREIGN, atNanos, lines.get(0));
        if (kind == Kind.REPEATED || (kind == Kind.SOON && random.nextBoolean())) {
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times; i++) {
                write(readers, Stream.FOREIGN, later(atNanos), lines.get(0));
            }
        }
        if (kind == Kind.CHANGED) {
            emitted.add(again(emitted.get(0)));
            lines.add(key.line(sort, primary.query(), 1, padding(), emitted.get(1)));
            // Perhaps at the same time, or even before the first in some datacenter.
            long again = random.nextBoolean() ? atNanos : later(atNanos);
            write(List.of(home), Stream.FOREIGN, again, lines.get(1));
        }
        Fate fate = fate(kind) == Fate.JOINABLE ? emitted.get(0).fate() : fate(kind);
        identities.add(identity(key, fate, readers, primary, lines, emitted));
    }

    private ForeignIdentity identity(
            ForeignKey key,
            Fate fate,
            List<String> readers,
            Primary primary,
            List<String> lines,
            List<Emission> emissions) {
        List<String> joined = new ArrayList<>();
        List<Emitted> emitted = new ArrayList<>();
        if (fate == Fate.JOINABLE) {
            for (int line = 0; line < lines.size(); line++) {
                for (String content : primary.lines()) {
                    String pair = Streams.joined(key, primary.query(), lines.get(line), content);
                    joined.add(pair);
                    emitted.addAll(emissions.get(line).of(key.id(), key.id(), pair, false));
                    if (upgrades) {
                        String upgrade = Streams.upgraded(pair);
                        emitted.addAll(
                                emissions
                                        .get(line)
                                        .of(key.id(), key.id().upgrade(), upgrade, false));
                    }
                }
                if (unmatched) {
                    String alone = Streams.unmatched(key, primary.query(), lines.get(line));
                    joined.add(alone);
                    emitted.addAll(emissions.get(line).of(key.id(), key.id(), alone, true));
                }
            }
        }
        return new ForeignIdentity(
                key.id(),
                key.text(),
                fate,
                readers,
                primary.holders(),
                lines,
                primary.lines(),
                unmatched,
                joined,
                emitted);
    }

    /**
     * What can be joined in one place only is joined: where it waits for its primary event nobody
     * would hear that the adapter leaves it out. So is, for the adapter, what is then not
     * committed.
     */
    private Emission emission(Kind kind) {
        boolean mustJoin = (kind == Kind.SPLIT && !unmatched) || fate(kind) != Fate.JOINABLE;
        return emissions
                .map(draws -> mustJoin ? Emission.draw(draws, Fate.JOINABLE) : Emission.draw(draws))
                .orElse(Emission.AS_BUILT_IN);
    }

    /** Of the same event's other content. */
    private Emission again(Emission first) {
        return emissions
                .map(draws -> Emission.draw(draws, first.fate()))
                .orElse(Emission.AS_BUILT_IN);
    }

    /** As the built-in adapter would have it. */
    private Fate fate(Kind kind) {
        return switch (kind) {
            case ORPHAN, APART -> unmatched ? Fate.JOINABLE : Fate.WAITING;
            case FAR_FUTURE -> Fate.FUTURE;
            case TOO_OLD -> Fate.TOO_OLD;
            case ROBOT -> Fate.FILTERED;
            default -> Fate.JOINABLE;
        };
    }

    private Primary primary(Kind kind, String home, long atNanos) {
        if (kind == Kind.SHARED_PRIMARY && !sharable.isEmpty()) {
            return sharable.get(random.nextInt(sharable.size()));
        }
        String query = "q" + number + "." + identities.size();
        long written =
                kind == Kind.EARLY
                        ? atNanos + (30 + random.nextLong(240)) * SECOND
                        : atNanos - random.nextLong(SECOND);
        List<String> lines = new ArrayList<>();
        lines.add(Streams.primaryLine(query, startMicros + written / 1_000, 0, padding()));
        if (kind == Kind.ORPHAN) {
            return new Primary(query, List.of(), List.of());
        }
        List<String> holders = datacenters;
        if (kind == Kind.SPLIT) {
            holders = List.of(home);
        } else if (kind == Kind.APART) {
            holders = datacenters.stream().filter(name -> !name.equals(home)).toList();
        }
        write(holders, Stream.PRIMARY, written, lines.get(0));
        if (kind == Kind.PRIMARY_CHANGED) {
            lines.add(Streams.primaryLine(query, startMicros + written / 1_000, 1, padding()));
            write(holders, Stream.PRIMARY, later(written), lines.get(1));
        }
        Primary primary = new Primary(query, List.copyOf(lines), holders);
        if (kind == Kind.PLAIN) {
            sharable.add(primary);
        }
        return primary;
    }

    /** Some of both streams, everywhere. */
    void addCorruptLines() {
        for (String datacenter : datacenters) {
            int foreign = 3 + random.nextInt(4);
            for (int i = 0; i < foreign; i++) {
                corrupt(datacenter, Stream.FOREIGN, CORRUPT_FOREIGN);
            }
            corruptForeign.put(datacenter, foreign);
            corrupt(datacenter, Stream.PRIMARY, CORRUPT_PRIMARY);
            corrupt(datacenter, Stream.PRIMARY, CORRUPT_PRIMARY);
        }
    }

    private void corrupt(String datacenter, Stream stream, String[] lines) {
        String line = lines[random.nextInt(lines.length)];
        long atNanos = random.nextLong(LAST_EVENT_NANOS);
        inputs.add(new InputRecord(datacenter, stream, atNanos, line.getBytes(UTF_8)));
    }

    /** Each datacenter has its own copy, each with its own delay: mostly short. */
    private void write(List<String> into, Stream stream, long atNanos, String line) {
        for (String datacenter : into) {
            long delay =
                    random.nextInt(20) == 0
                            ? random.nextLong(30 * SECOND)
                            : random.nextLong(bursts.isEmpty() ? 2 * SECOND : SECOND / 4);
            long at = Math.max(0, atNanos) + delay;
            inputs.add(new InputRecord(datacenter, stream, at, line.getBytes(UTF_8)));
        }
    }

    /** Soon after, or much later. */
    private long later(long atNanos) {
        return atNanos + random.nextLong(random.nextBoolean() ? SECOND : 120 * SECOND);
    }

    private String padding() {
        return "x".repeat(random.nextInt(4) == 0 ? random.nextInt(400) : random.nextInt(20));
    }
}
