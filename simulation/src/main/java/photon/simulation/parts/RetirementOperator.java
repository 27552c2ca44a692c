package photon.simulation.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;
import photon.proto.v1.RetireDatacenterResponse.Verdict;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.client.RegistryConnection;
import photon.server.datacenters.DatacenterFacts;
import photon.server.datacenters.DatacenterLook;
import photon.server.datacenters.DatacenterPaths;
import photon.server.datacenters.RetirementRule;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;

/**
 * Retires a datacenter, as {@code photon datacenter retire} does: stops all of it, looks at what it
 * has left, and asks the registry. If that is refused, it lets the datacenter repair for a while
 * and tries again.
 */
public final class RetirementOperator {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration REPAIRS_MIN = Duration.ofSeconds(45);
    private static final Duration REPAIRS_MAX = Duration.ofMinutes(3);
    private static final RetirementRule.Parts STOPPED =
            new RetirementRule.Parts(false, "Start it again");

    private final Surroundings world;
    private final SimulatedDatacenter datacenter;
    private final RandomGenerator random;
    private Duration repairs = REPAIRS_MIN;
    private int tries;
    private int refused;
    private boolean calm;
    private boolean retired;

    /**
     * @param random of its own: worlds in which nothing is retired must not differ by it
     */
    public RetirementOperator(
            Surroundings world, SimulatedDatacenter datacenter, RandomGenerator random) {
        this.world = world;
        this.datacenter = datacenter;
        this.random = random;
    }

    public String datacenter() {
        return datacenter.name();
    }

    public boolean retired() {
        return retired;
    }

    /** How often something was left that only this datacenter can do. */
    public int refused() {
        return refused;
    }

    /** From now on it stops processes in order, and nobody disturbs it. */
    public void calm() {
        calm = true;
    }

    /** Stops the datacenter, and tries until it is retired. */
    public void begin() {
        boolean orderly = calm || random.nextInt(3) > 0;
        world.timeline().trace().add(datacenter.name(), "is stopped, to be retired");
        datacenter.close(orderly);
        Duration ended = orderly ? ProcessHost.STOP_MAX.plusSeconds(1) : Duration.ofSeconds(1);
        world.timeline().after(ended, this::look);
    }

    private void again(String why) {
        refused++;
        world.timeline().trace().add(datacenter.name(), "is not retired: %s", why);
        datacenter.open();
        world.timeline().after(repairs, this::begin);
        repairs =
                repairs.multipliedBy(2).compareTo(REPAIRS_MAX) < 0
                        ? repairs.multipliedBy(2)
                        : REPAIRS_MAX;
    }

    private void look() {
        datacenter.close(false); // what has not ended in order
        UUID pipeline = datacenter.site().pipeline();
        if (pipeline == null) {
            again("it has never run");
        } else {
            new Attempt(pipeline).look();
        }
    }

    /** What has been seen. */
    private record Seen(List<IncarnationInfo> incarnations, Optional<UUID> state) {}

    /** One process of the operator. */
    private final class Attempt {
        private final UUID pipeline;
        private final Life life;
        private final EventLoop loop;

        /** Of its questions; what comes late belongs to an earlier one. */
        private int question;

        Attempt(UUID pipeline) {
            this.pipeline = pipeline;
            this.life =
                    new Life(
                            world.timeline(),
                            new HostClock(world.timeline(), 0),
                            "retirement-" + ++tries,
                            1,
                            world.bugs());
            this.loop = life.loop("main");
        }

        private void ask(Consumer<RegistryConnection> what) {
            int number = ++question;
            world.timeline()
                    .after(
                            ANSWER_MAX,
                            () -> {
                                if (question == number) {
                                    end(false, "the registry does not answer");
                                }
                            });
            loop.execute(
                    () -> what.accept(ReshardOperators.connect(world, life, life.process(), loop)));
        }

        private void end(boolean done, String why) {
            question = -1;
            life.end("done");
            if (done) {
                retired = true;
                world.timeline().trace().add(datacenter.name(), "is retired");
            } else {
                again(why);
            }
        }

        void look() {
            ask(
                    connection ->
                            connection
                                    .control()
                                    .incarnations(pipeline, datacenter.name() + "/")
                                    .thenCombine(
                                            connection
                                                    .states()
                                                    .registered(pipeline, datacenter.name()),
                                            (incarnations, state) ->
                                                    new Seen(incarnations, state.state()))
                                    .thenAccept(seen -> loop.execute(() -> decide(seen))));
        }

        private void decide(Seen seen) {
            question++;
            DatacenterFacts facts = facts(pipeline, seen);
            List<String> refusals = RetirementRule.refusals(facts, false, STOPPED);
            if (!refusals.isEmpty()) {
                end(false, refusals.toString());
            } else if (!calm && random.nextInt(3) == 0) {
                // Somebody starts it meanwhile, and stops it before the request is made.
                datacenter.open();
                world.timeline()
                        .after(
                                Duration.ofMillis(random.nextInt(60_000)),
                                () -> {
                                    datacenter.close(false);
                                    retire(facts);
                                });
            } else {
                retire(facts);
            }
        }

        private void retire(DatacenterFacts facts) {
            ask(
                    connection ->
                            connection
                                    .pipelines()
                                    .retire(facts.request(pipeline))
                                    .thenAccept(
                                            answer ->
                                                    loop.execute(
                                                            () ->
                                                                    end(
                                                                            answer.getVerdict()
                                                                                    == Verdict
                                                                                            .RETIRED,
                                                                            answer.getVerdict()
                                                                                    .name()))));
        }
    }

    private DatacenterFacts facts(UUID pipeline, Seen seen) {
        long now = world.timeline().nowMicros();
        IntervalClock clock = () -> new IntervalClock.Interval(now, now);
        Layout layout = datacenter.layout();
        DatacenterPaths paths =
                new DatacenterPaths(datacenter.name(), Path.of(layout.states()), layout.output());
        DatacenterLook look = new DatacenterLook(datacenter.disk().unharmed(), clock, pipeline);
        try {
            return new DatacenterFacts(
                    datacenter.name(),
                    Optional.empty(),
                    seen.incarnations(),
                    seen.state(),
                    look.published(paths),
                    look.journal(paths, seen.state()));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected files that can be read", e);
        }
    }
}
