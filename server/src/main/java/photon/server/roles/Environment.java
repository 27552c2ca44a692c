package photon.server.roles;

import java.util.random.RandomGenerator;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.IntervalClock;
import photon.server.trace.Traces;
import photon.storage.files.FileStore;

/**
 * The outside world, handed to every part of a process.
 *
 * @param traces of those parts that make attempts at events
 */
public record Environment(
        FileStore files,
        IntervalClock clock,
        RandomGenerator random,
        ProcessRpcs rpcs,
        CrashPoints crashPoints,
        BugHandler bugs,
        Traces traces) {}
