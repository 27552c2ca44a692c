package photon.simulation.parts;

import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.random.RandomGenerator;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ReshardClient.Begun;
import photon.registry.api.ReshardClient.Reshard;
import photon.registry.client.PipelineDescription;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.network.SimulatedLinks;

/**
 * People who give the pipeline another number of shards: each attempt is begun by a process of its
 * own, which may end before it is through; another may ask once more, or cancel it.
 */
public final class ReshardOperators {
    private static final int SHARDS_MAX = 4;
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(45);
    private static final long SECOND_MICROS = 1_000_000L;

    private final Surroundings world;
    private final RandomGenerator random;
    private int begun;

    public ReshardOperators(Surroundings world) {
        this.world = world;
        this.random = world.timeline().random().split();
    }

    /** So many at once, from the map that stands. */
    public void begin(int attempts) {
        long startMicros =
                world.timeline().nowMicros()
                        + switch (random.nextInt(4)) {
                            // Refused, if anything was accepted since; small worlds have lulls.
                            case 0 -> -random.nextLong(60 * SECOND_MICROS);
                            case 1 -> random.nextLong(120 * SECOND_MICROS);
                            default -> random.nextLong(15 * SECOND_MICROS);
                        };
        for (int i = 0; i < attempts; i++) {
            byte[] nonce = new byte[16];
            random.nextBytes(nonce);
            String nonceHex = HexFormat.of().formatHex(nonce);
            int shards = 1 + random.nextInt(SHARDS_MAX);
            long start = startMicros + (random.nextBoolean() ? 0 : random.nextInt(10_000_000));
            attempt(shards, start, nonceHex);
            if (random.nextInt(4) == 0) {
                Duration later = Duration.ofMillis(random.nextInt(40_000));
                world.timeline().after(later, () -> attempt(shards, start, nonceHex));
            }
            if (random.nextInt(4) == 0) {
                world.timeline().after(amidst(), () -> cancel(shards, start, nonceHex));
            }
        }
    }

    /** One from the map that stands, about to begin at once; nothing is wrong with its operator. */
    public void beginAlone() {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String process = "operator-" + ++begun;
        HostClock clock = new HostClock(world.timeline(), 0);
        Life life = new Life(world.timeline(), clock, process, 1, world.bugs());
        EventLoop loop = life.loop("main");
        int shards = 1 + random.nextInt(SHARDS_MAX);
        long start = world.timeline().nowMicros() + random.nextLong(SECOND_MICROS);
        String nonceHex = HexFormat.of().formatHex(nonce);
        loop.execute(() -> reshard(life, process, loop, shards, start, nonceHex));
    }

    private void attempt(int shards, long startMicros, String nonceHex) {
        String process = "operator-" + ++begun;
        HostClock clock = new HostClock(world.timeline(), 0);
        Life life = new Life(world.timeline(), clock, process, 1, world.bugs());
        EventLoop loop = life.loop("main");
        if (random.nextInt(3) == 0) {
            Duration soon = amidst();
            world.timeline().after(soon, () -> life.end("killed"));
        }
        if (random.nextInt(3) == 0) {
            farAway(process);
        }
        if (random.nextInt(3) == 0) {
            Duration soon = amidst();
            Duration length = Duration.ofMillis(random.nextInt(60_000));
            world.timeline().after(soon, () -> life.pause(length));
        }
        loop.execute(() -> reshard(life, process, loop, shards, startMicros, nonceHex));
    }

    /** Its messages take seconds: shards are prepared one by one while ids flow. */
    private void farAway(String process) {
        SimulatedLinks links = world.network().links();
        double seconds = 0.5 + 7 * random.nextDouble();
        Duration length = Duration.ofMinutes(2);
        links.trouble(SimulatedLinks.Kind.SLOW, process::equals, host -> true, seconds, length);
        links.trouble(SimulatedLinks.Kind.SLOW, host -> true, process::equals, seconds, length);
    }

    /** A moment between the steps of an attempt; if all is well it takes some 30 ms. */
    private Duration amidst() {
        return Duration.ofMillis(random.nextInt(random.nextInt(3) > 0 ? 20 : 15_000));
    }

    private void reshard(
            Life life,
            String process,
            EventLoop loop,
            int shards,
            long startMicros,
            String nonceHex) {
        RegistryConnection connection = connect(life, process, loop);
        connection
                .describe()
                .thenAccept(
                        known ->
                                connection
                                        .reshards()
                                        .reshard(
                                                wanted(known, shards, startMicros, nonceHex),
                                                GIVE_UP_AFTER)
                                        .thenAccept(
                                                result -> {
                                                    world.timeline()
                                                            .trace()
                                                            .add(
                                                                    process,
                                                                    "resharding to %d ends: %s",
                                                                    shards,
                                                                    result);
                                                    life.end("done");
                                                }));
    }

    /**
     * The incarnation's published file was declared lost; one process asks until it is answered.
     */
    public void reopenForLostFile(UUID pipeline, Incarnation incarnation, int timesReopened) {
        String process = "operator-" + ++begun;
        HostClock clock = new HostClock(world.timeline(), 0);
        Life life = new Life(world.timeline(), clock, process, 1, world.bugs());
        EventLoop loop = life.loop("main");
        loop.execute(
                () ->
                        connect(life, process, loop)
                                .states()
                                .reopenForLostFile(pipeline, incarnation, timesReopened)
                                .thenAccept(
                                        state -> {
                                            world.timeline()
                                                    .trace()
                                                    .add(
                                                            process,
                                                            "reopening %s ends: %s",
                                                            incarnation,
                                                            state);
                                            life.end("done");
                                        }));
    }

    private RegistryConnection connect(Life life, String process, EventLoop loop) {
        return connect(world, life, process, loop);
    }

    /** As any operator's process reaches the registry. */
    static RegistryConnection connect(
            Surroundings world, Life life, String process, EventLoop loop) {
        return new RegistryConnection(
                loop,
                world.registry().connect(life, process, loop),
                world.registryServers(),
                world.config().pipeline(),
                life.random());
    }

    /** Whoever does not know the attempt's number begins it once more. */
    private void cancel(int shards, long startMicros, String nonceHex) {
        String process = "operator-" + ++begun;
        HostClock clock = new HostClock(world.timeline(), 0);
        Life life = new Life(world.timeline(), clock, process, 1, world.bugs());
        EventLoop loop = life.loop("main");
        loop.execute(
                () -> {
                    RegistryConnection connection = connect(life, process, loop);
                    connection
                            .describe()
                            .thenAccept(
                                    known ->
                                            connection
                                                    .reshards()
                                                    .begin(
                                                            wanted(
                                                                    known,
                                                                    shards,
                                                                    startMicros,
                                                                    nonceHex))
                                                    .thenAccept(
                                                            begun ->
                                                                    cancel(
                                                                            life, connection,
                                                                            known, begun)));
                });
    }

    private void cancel(
            Life life, RegistryConnection connection, PipelineDescription known, Begun begun) {
        if (begun.isRefused()) {
            life.end("done");
            return;
        }
        connection
                .reshards()
                .cancel(known.uuid(), begun.attempt())
                .thenAccept(
                        result -> {
                            world.timeline()
                                    .trace()
                                    .add(life.process(), "cancelling ends: %s", result);
                            life.end("done");
                        });
    }

    private static Reshard wanted(
            PipelineDescription known, int shards, long startMicros, String nonceHex) {
        return new Reshard(known.uuid(), known.map().version(), shards, startMicros, nonceHex);
    }
}
