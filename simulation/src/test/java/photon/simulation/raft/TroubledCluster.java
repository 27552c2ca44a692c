package photon.simulation.raft;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.server.groups.Group;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.RegisterRequest;
import photon.registry.api.RegistryProtos;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;

/**
 * Three servers whose control group is written and read all the time, while links are cut, servers
 * crash, sleep and lag, and leaders are deposed. Each write is a slot of its own, so that the state
 * tells which were applied.
 */
final class TroubledCluster {
    private static final int SERVERS = 3;
    private static final UUID PIPELINE = new UUID(1, 2);

    final Timeline timeline;
    final SimulatedCluster cluster;
    final List<String> violations = new ArrayList<>();
    final Set<String> answered = new LinkedHashSet<>();
    final Set<String> refused = new LinkedHashSet<>();
    final Set<String> unknown = new LinkedHashSet<>();
    int barriers;
    int barriersFailed;
    int staleReads;
    private final RandomGenerator random;
    private final List<Server> servers = new ArrayList<>();
    private final boolean[][] cut = new boolean[SERVERS][SERVERS];
    private int written;
    private boolean quiet;

    /** One server's present life. */
    private static final class Server {
        final String host;
        int lives;
        @Nullable Life life;
        @Nullable Group<ControlState> group;

        Server(String host) {
            this.host = host;
        }
    }

    TroubledCluster(long seed) {
        timeline = new Timeline(seed, new Trace(false));
        random = timeline.random().split();
        List<HostPort> addresses = new ArrayList<>();
        for (int n = 0; n < SERVERS; n++) {
            servers.add(new Server("registry-" + n));
            addresses.add(new HostPort("registry-" + n, 1));
        }
        Reach reach =
                new Reach() {
                    @Override
                    public boolean reaches(String from, String to) {
                        return !cut[number(from)][number(to)];
                    }

                    @Override
                    public long delayNanos(String from, String to) {
                        return random.nextLong(random.nextInt(20) == 0 ? 300_000_000L : 3_000_000L);
                    }
                };
        cluster = new SimulatedCluster(timeline, reach, addresses, violations::add);
        servers.forEach(this::start);
        timeline.after(Duration.ofMillis(100), this::use);
        timeline.after(Duration.ofSeconds(5), this::trouble);
    }

    private static int number(String host) {
        return host.charAt(host.length() - 1) - '0';
    }

    private void start(Server server) {
        if (server.life != null && server.life.alive()) {
            return;
        }
        Life life =
                new Life(
                        timeline,
                        new HostClock(timeline, 1_000),
                        server.host,
                        ++server.lives,
                        (in, where, bug) -> violations.add(where + ": " + bug));
        server.life = life;
        server.group = cluster.start(server.host, life).control();
    }

    void run(Duration length) {
        timeline.runUntil(timeline.nowNanos() + length.toNanos());
    }

    /** All is well again, for long enough. */
    void settle() {
        quiet = true;
        cluster.calm();
        for (boolean[] row : cut) {
            Arrays.fill(row, false);
        }
        servers.forEach(this::start);
        run(Duration.ofMinutes(3));
        if (!cluster.settled()) {
            violations.add("not settled");
        }
        cluster.compareStates();
    }

    private void trouble() {
        if (quiet) {
            return;
        }
        Server server = servers.get(random.nextInt(SERVERS));
        switch (random.nextInt(7)) {
            case 0, 1 -> kill(server);
            case 2 -> {
                if (server.life != null && server.life.alive()) {
                    server.life.pause(Duration.ofMillis(random.nextInt(15_000)));
                }
            }
            case 3 -> cut[random.nextInt(SERVERS)][random.nextInt(SERVERS)] = true;
            case 4 -> {
                for (int n = 0; n < SERVERS; n++) {
                    cut[number(server.host)][n] = true;
                    cut[n][number(server.host)] = true;
                }
            }
            case 5 -> cluster.lag(server.host, Duration.ofMillis(random.nextInt(60_000)));
            default -> cluster.deposeLeader("control");
        }
        if (random.nextInt(3) > 0) {
            for (boolean[] row : cut) {
                Arrays.fill(row, false);
            }
        }
        timeline.after(Duration.ofMillis(random.nextInt(8_000)), this::trouble);
    }

    private void kill(Server server) {
        if (server.life != null) {
            server.life.end("killed");
            timeline.after(
                    Duration.ofMillis(random.nextInt(20_000)),
                    () -> {
                        if (!quiet) {
                            start(server);
                        }
                    });
        }
    }

    private void use() {
        for (Server server : servers) {
            Group<ControlState> group = server.group;
            if (group != null
                    && server.life != null
                    && server.life.alive()
                    && !server.life.paused()) {
                write(group);
                if (random.nextInt(4) == 0) {
                    read(group);
                }
            }
        }
        if (!quiet) {
            timeline.after(Duration.ofMillis(random.nextInt(500)), this::use);
        }
    }

    private void write(Group<ControlState> group) {
        if (!group.log().leads() && random.nextInt(20) > 0) {
            return;
        }
        group.log()
                .submit(
                        ControlEntries.openPipeline(
                                OpenPipelineRequest.newBuilder()
                                        .setName("p")
                                        .setUuid(RegistryProtos.bytes(PIPELINE))
                                        .setShards(1)
                                        .build()));
        String slot = "slot-" + ++written;
        CompletableFuture<byte[]> result =
                group.log()
                        .submit(
                                ControlEntries.register(
                                        RegisterRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                                .setSlotName(slot)
                                                .setNonce(ByteString.copyFromUtf8(slot))
                                                .build()));
        result.whenComplete(
                (done, failure) -> {
                    if (failure == null) {
                        answered.add(slot);
                    } else if (failure instanceof ReplicatedLog.NotSubmittedException) {
                        refused.add(slot);
                    } else {
                        unknown.add(slot);
                    }
                });
    }

    private void read(Group<ControlState> group) {
        Set<String> before = new LinkedHashSet<>(answered);
        if (!slots(group).containsAll(before)) {
            staleReads++;
        }
        group.readBarrier()
                .whenComplete(
                        (sure, failure) -> {
                            if (failure != null) {
                                barriersFailed++;
                            } else {
                                barriers++;
                                if (!slots(group).containsAll(before)) {
                                    violations.add("a read behind a barrier is stale");
                                }
                            }
                        });
    }

    private static Set<String> slots(Group<ControlState> group) {
        return group.read(
                state ->
                        state.incarnations(PIPELINE, "").stream()
                                .map(IncarnationInfo::getSlotName)
                                .collect(Collectors.toSet()));
    }

    /** The slots that the first server's replica knows. */
    Set<String> applied() {
        Group<ControlState> group = servers.get(0).group;
        return group == null ? Set.of() : slots(group);
    }
}
