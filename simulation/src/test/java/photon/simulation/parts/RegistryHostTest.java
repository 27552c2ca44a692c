package photon.simulation.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.idregistry.batch.BatchLimits;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse.Verdict;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitListener;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;
import photon.simulation.network.Network;
import photon.simulation.raft.Reach;
import photon.simulation.raft.SimulatedCluster;

/** The real client, servers and state, between the simulated network and the simulated log. */
class RegistryHostTest {
    private static final int IDS = 100;
    private static final UUID PIPELINE = new UUID(1, 2);

    /** Small, so that they are met. */
    private static final BatchLimits LIMITS = new BatchLimits(64, 3, 512);

    private static final List<HostPort> SERVERS =
            List.of(
                    new HostPort("registry-0", 1),
                    new HostPort("registry-1", 1),
                    new HostPort("registry-2", 1));

    /** Two clients that commit the same ids, each with tokens of its own, among crashes. */
    private static final class World {
        final Timeline timeline;
        final Network network;
        final SimulatedCluster cluster;
        final List<RegistryHost> hosts = new ArrayList<>();
        final List<String> violations = new ArrayList<>();

        boolean dropped;

        /** By id: client and result, sorted. */
        final Map<Integer, List<String>> results = new TreeMap<>();

        World(long seed) {
            timeline = new Timeline(seed, new Trace(false));
            network = new Network(timeline);
            cluster = new SimulatedCluster(timeline, Reach.over(network), SERVERS, violations::add);
            for (HostPort server : SERVERS) {
                hosts.add(
                        new RegistryHost(
                                timeline, network, cluster, server, SERVERS, LIMITS, this::met));
            }
            hosts.forEach(RegistryHost::start);
            client(1);
            client(2);
            timeline.after(Duration.ofSeconds(3), this::trouble);
        }

        private void met(Life life, String where, Throwable bug) {
            violations.add(life + " in " + where + ": " + bug);
        }

        private void client(int number) {
            String host = "client-" + number;
            Life life = new Life(timeline, new HostClock(timeline, 1_000), host, 1, this::met);
            EventLoop loop = life.loop("main");
            loop.execute(
                    () -> {
                        RegistryConnection connection =
                                new RegistryConnection(
                                        loop,
                                        new SimulatedTransport(network, life, host, loop),
                                        SERVERS,
                                        "p",
                                        life.random());
                        connection
                                .control()
                                .openPipeline("p", PIPELINE, "f", 2)
                                .thenCompose(opened -> connection.registry())
                                .thenAccept(registry -> commit(number, loop, registry, 0));
                    });
        }

        private void commit(int client, EventLoop loop, RegistryClient registry, int id) {
            if (id == IDS) {
                return;
            }
            CommitListener listener =
                    (commit, result, holder, askedAgain) ->
                            results.computeIfAbsent(id, i -> new ArrayList<>())
                                    .add(client + " " + result);
            registry.commit(
                    List.of(
                            new Commit(
                                    EventId.ofUser(
                                            Timeline.START_MICROS + id,
                                            UserKey.of(List.of("id" + id))),
                                    new CommitToken(client, 1, id))),
                    listener);
            loop.schedule(Duration.ofMillis(300), () -> commit(client, loop, registry, id + 1));
        }

        /** Somebody drops the pipeline, asking until it is decided. */
        void dropAt(long nanos) {
            String host = "operator";
            timeline.at(
                    nanos,
                    () -> {
                        Life life =
                                new Life(
                                        timeline,
                                        new HostClock(timeline, 1_000),
                                        host,
                                        1,
                                        this::met);
                        EventLoop loop = life.loop("main");
                        loop.execute(
                                () ->
                                        new RegistryConnection(
                                                        loop,
                                                        new SimulatedTransport(
                                                                network, life, host, loop),
                                                        SERVERS,
                                                        "p",
                                                        life.random(),
                                                        "operator")
                                                .pipelines()
                                                .drop(
                                                        DropPipelineRequest.newBuilder()
                                                                .setPipeline(
                                                                        RegistryProtos.bytes(
                                                                                PIPELINE))
                                                                .build())
                                                .thenAccept(
                                                        answer ->
                                                                dropped =
                                                                        answer.getVerdict()
                                                                                == Verdict
                                                                                        .DROPPED));
                    });
        }

        private void trouble() {
            if (timeline.nowNanos() > 40_000_000_000L) {
                return;
            }
            RegistryHost host = hosts.get(timeline.random().nextInt(hosts.size()));
            Life life = host.life();
            switch (timeline.random().nextInt(3)) {
                case 0 -> host.kill("test");
                case 1 -> {
                    if (life != null) {
                        life.pause(Duration.ofMillis(timeline.random().nextInt(6_000)));
                    }
                }
                default -> {
                    List<String> groups = cluster.groups();
                    cluster.deposeLeader(groups.get(timeline.random().nextInt(groups.size())));
                }
            }
            timeline.after(Duration.ofMillis(timeline.random().nextInt(3_000)), this::trouble);
        }

        void run() {
            timeline.runUntil(120_000_000_000L);
            cluster.compareStates();
        }
    }

    @Test
    void everyIdIsAcceptedForOneOfTwoClientsWhateverTheServersMeet() {
        long unknown = 0;
        for (int seed = 0; seed < 20; seed++) {
            World world = new World(seed);
            world.run();
            assertThat(world.violations).as("seed %s", seed).isEmpty();
            assertThat(world.results).as("seed %s", seed).hasSize(IDS);
            world.results
                    .values()
                    .forEach(
                            both -> {
                                assertThat(both).hasSize(2);
                                assertThat(both)
                                        .filteredOn(r -> r.endsWith(" " + CommitResult.ACCEPTED))
                                        .hasSize(1);
                                assertThat(both)
                                        .filteredOn(r -> r.endsWith(" " + CommitResult.TAKEN))
                                        .hasSize(1);
                            });
            unknown += world.cluster.counts().unknownSubmits();
        }
        assertThat(unknown).isPositive();
    }

    @Test
    void aDroppedPipelineIsGoneFromEveryServerAndEveryCommitIsAnswered() {
        int fencedSeeds = 0;
        for (int seed = 100; seed < 120; seed++) {
            World world = new World(seed);
            // Among crashes and pauses; each host is up again at the end.
            world.dropAt(8_000_000_000L + seed * 100_000_000L);
            // Else an election of the last moment is not settled.
            world.timeline.after(Duration.ofSeconds(100), world.cluster::calm);
            world.run();
            assertThat(world.violations).as("seed %s", seed).isEmpty();
            assertThat(world.dropped).as("seed %s", seed).isTrue();
            assertThat(world.cluster.removed(PIPELINE)).as("seed %s", seed).isTrue();
            assertThat(world.cluster.settled()).as("seed %s", seed).isTrue();
            assertThat(world.results).as("seed %s", seed).hasSize(IDS);
            boolean fenced = false;
            for (List<String> both : world.results.values()) {
                assertThat(both).as("seed %s", seed).hasSize(2);
                assertThat(both)
                        .filteredOn(r -> r.endsWith(" " + CommitResult.ACCEPTED))
                        .hasSizeLessThanOrEqualTo(1);
                fenced |= both.stream().allMatch(r -> r.endsWith(" " + CommitResult.FENCED));
            }
            assertThat(world.results.get(IDS - 1))
                    .as("seed %s", seed)
                    .allMatch(r -> r.endsWith(" " + CommitResult.FENCED));
            fencedSeeds += fenced ? 1 : 0;
        }
        assertThat(fencedSeeds).isEqualTo(20);
    }

    @Test
    void aSeedIsTheSameEachTime() {
        World first = new World(5);
        first.run();
        World again = new World(5);
        again.run();
        assertThat(again.timeline.trace().hash()).isEqualTo(first.timeline.trace().hash());
        assertThat(again.timeline.steps()).isEqualTo(first.timeline.steps());
    }

    @Test
    void aHostStartsItsProcessAgainUntilItIsShutDown() {
        World world = new World(1);
        RegistryHost host = world.hosts.get(0);
        Life first = Objects.requireNonNull(host.life());
        host.kill("test");
        assertThat(first.alive()).isFalse();
        world.timeline.runUntil(2_900_000_000L + 8_000_000_000L);
        assertThat(host.lives()).isGreaterThan(1);
        host.shutDown("test");
        int lives = host.lives();
        world.timeline.runUntil(world.timeline.nowNanos() + 60_000_000_000L);
        assertThat(host.life()).isNull();
        assertThat(host.lives()).isEqualTo(lives);
    }
}
