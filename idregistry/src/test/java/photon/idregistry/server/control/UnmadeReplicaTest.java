package photon.idregistry.server.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryProtos;
import photon.registry.client.FakeRegistryTransport;

/** What an operator reads of a replica that cannot be made. */
class UnmadeReplicaTest {
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final String WHY = "of this test alone";

    private final ManualLoop loop = new ManualLoop();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Reconciler.class);

    private static final GroupMaker MAKES_NOTHING =
            new GroupMaker() {
                @Override
                public @Nullable Group<ShardState> find(ShardRef ref) {
                    return null;
                }

                @Override
                public CompletableFuture<?> make(ShardRef ref) {
                    return CompletableFuture.failedFuture(new IllegalStateException(WHY));
                }

                @Override
                public CompletableFuture<?> remove(ShardRef ref) {
                    return CompletableFuture.completedFuture(null);
                }
            };

    @BeforeEach
    void start() {
        FakeLog control = new FakeLog(new ControlState());
        control.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("p")
                                .setUuid(RegistryProtos.bytes(new UUID(3, 4)))
                                .setShards(1)
                                .build()));
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
        new Reconciler(
                        loop,
                        new ServedGroups(
                                loop,
                                BatchLimits.DEFAULTS,
                                FakeLog.group(control, ControlState.class, "", null)),
                        MAKES_NOTHING,
                        new ServerPeers(
                                List.of(HostPort.parse("a:1"), HostPort.parse("b:1")),
                                new FakeRegistryTransport(loop),
                                new SplittableRandom(1)),
                        new Stamping(() -> new IntervalClock.Interval(5, 6)),
                        EVERY)
                .start();
    }

    @AfterEach
    void stop() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }

    private void pass(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += EVERY.toMillis()) {
            loop.advance(EVERY);
        }
    }

    private List<Level> told() {
        return List.copyOf(appender.list).stream()
                .filter(line -> line.getFormattedMessage().contains(WHY))
                .map(ILoggingEvent::getLevel)
                .toList();
    }

    @Test
    void theFirstMomentsOfAStartAreNoReasonToWarnAndWhatLastsIsToldNowAndThen() {
        pass(Reconciler.NOT_MADE_TOLD_EVERY.minus(EVERY.multipliedBy(2)));
        assertThat(told()).containsExactly(Level.INFO);
        pass(EVERY.multipliedBy(4));
        assertThat(told()).containsExactly(Level.INFO, Level.WARN);
        pass(Reconciler.NOT_MADE_TOLD_EVERY);
        assertThat(told()).containsExactly(Level.INFO, Level.WARN, Level.WARN);
    }
}
