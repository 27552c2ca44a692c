package photon.joiner.task;

import java.time.Duration;
import photon.core.config.PipelineConfig.Limits;
import photon.core.crash.CrashPoints;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.output.DurableDelay;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.rules.CommitRoom;
import photon.joiner.rules.UnmatchedRule;
import photon.registry.api.RegistryClient;

/**
 * What every incarnation of a joiner works with.
 *
 * @param main owns everything but the files
 * @param adapters runs a user's adapter
 * @param adapterTimeout of one call of it; zero: none
 * @param unmatched what becomes of events without a primary event
 * @param clock by which that is judged
 * @param room of the commits of all of them
 * @param traces told of each attempt
 */
public record JoinTaskContext(
        EventLoop main,
        RegistryClient registry,
        EventStores eventStores,
        PairAdapter adapter,
        JoinerWorkArea area,
        DurableDelay delays,
        AdapterThreads adapters,
        Duration adapterTimeout,
        Limits limits,
        UnmatchedRule unmatched,
        IntervalClock clock,
        CommitRoom room,
        CrashPoints crashPoints,
        JoinerBooks books,
        JoinTraces traces) {

    /** Primary events a lookup request. */
    static final int LOOKUP_BATCH_MAX = 512;

    /**
     * Lookup requests at one time to each event store: few, so that what comes meanwhile goes
     * together.
     */
    static final int LOOKUPS_MAX = 4;
}
