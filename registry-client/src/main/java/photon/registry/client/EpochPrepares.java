package photon.registry.client;

import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Asks shards to prepare for one reshard attempt, each one's leader until it answers, for the
 * server that leads the attempt. Used in the loop.
 */
public final class EpochPrepares implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EpochPrepares.class);

    /** The shard's map is behind, which its leader mends by itself within a moment. */
    private static final int TOO_EARLY_FAILURES = 4;

    private final Asking asking;
    private final Leaders leaders;

    /**
     * @param transport not closed with this
     * @param servers nearest first
     * @param random for the jitter of pauses
     */
    public EpochPrepares(
            EventLoop loop,
            RegistryTransport transport,
            List<HostPort> servers,
            RandomGenerator random) {
        this.asking = new Asking(loop, transport, random, "");
        this.leaders = new Leaders(servers);
    }

    /**
     * Asks one shard. Nobody is told if its pipeline was dropped: with it, the attempt is no more.
     *
     * @param again true: it said that it is too early
     */
    public void prepare(
            UUID pipeline,
            ReshardAttempt attempt,
            Shard shard,
            boolean again,
            Consumer<PrepareVerdict> answered) {
        if (again) {
            asking.later(
                    asking.backoff.afterFailures(TOO_EARLY_FAILURES),
                    () -> prepare(pipeline, attempt, shard, false, answered));
            return;
        }
        ShardRef group = RegistryProtos.shardRef(pipeline, shard);
        asking.leader(
                leaders.of(group),
                Rpc.PREPARE_EPOCH,
                PrepareEpochRequest.newBuilder()
                        .setShard(group)
                        .setAttempt(attempt.getNumber())
                        .setBaseVersion(attempt.getBaseVersion())
                        .setStartMicros(attempt.getStartMicros())
                        .build(),
                answer -> answered.accept(answer.getVerdict()),
                gone -> LOG.info("Nothing is to be prepared: {}", gone.getMessage()));
    }

    /** Asks nobody any more, and tells nobody. */
    @Override
    public void close() {
        asking.close();
    }
}
