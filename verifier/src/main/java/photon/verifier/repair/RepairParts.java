package photon.verifier.repair;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;

/**
 * All that a repair works with.
 *
 * @param loop owns the repair: blocking file work is done in it, and every answer arrives there
 * @param output this datacenter's
 * @param logs this datacenter's
 * @param dispatcher one of this datacenter's
 * @param records told what is lost before it is handed over
 * @param tally told how many events of an incarnation are handed over so far
 */
record RepairParts(
        EventLoop loop,
        UUID pipeline,
        ControlClient control,
        OutputFiles output,
        ForeignLogs logs,
        Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher,
        LostOutcomes lostOutcomes,
        Tally tally,
        Records records,
        CrashPoints crashPoints,
        RepairLimits limits) {

    /** See {@link RepairRecords#add}. */
    @FunctionalInterface
    interface Records {
        void add(Incarnation incarnation, Map<EventId, CommitToken> lost) throws IOException;
    }

    /** See {@link RepairTally#raise}. */
    @FunctionalInterface
    interface Tally {
        void raise(Incarnation incarnation, long events) throws IOException;
    }
}
