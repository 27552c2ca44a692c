package photon.demo;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import photon.testbed.process.ProcessName;

/** What is killed in a demo and started again, and what was seen of it. Not thread-safe. */
interface DemoKills {
    /** Does what is due and tells what has come of it. */
    void act(long nowMillis, long nowMicros) throws IOException;

    /** Those whose end would be a failure of the run. */
    Collection<ProcessName> shouldRun();

    /** In order of time. */
    List<Kills.KilledJoiner> killedJoiners();

    /** What the load goes on for after its time; empty: nothing. */
    Optional<String> awaited();

    /** How far what is awaited is. */
    Object awaitedProgress();

    /** What came of the death of a datacenter; empty: there was none. */
    default Optional<DemoFigures.Outage> outage() {
        return Optional.empty();
    }

    /** What each worker has done; empty: nobody wants to know. */
    default Optional<WorkerFigures> workers() {
        return Optional.empty();
    }
}
