package photon.verifier.repair;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient;
import photon.verifier.runs.IdRuns;
import photon.verifier.source.CheckpointTimes;
import photon.verifier.source.DispatcherCheckpoint;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.IdHolders;
import photon.verifier.source.OutputFiles;
import photon.verifier.source.RegisteredState;

/**
 * All that a repair works with.
 *
 * @param loop owns the repair: blocking file work is done in it, and every answer arrives there
 * @param output this datacenter's
 * @param logs this datacenter's
 * @param holders asked who holds what an earlier attempt has found lost
 * @param registeredState of this datacenter's dispatcher
 * @param checkpoint of this datacenter's dispatcher
 * @param history of that checkpoint: only ever a place to start reading at
 * @param clock tells how old files are at least
 * @param terms of a write-off
 * @param dispatcher one of this datacenter's
 * @param records told what is lost before it is handed over
 * @param orders of persons, to write off what a repair does not find
 * @param scratch where what an incarnation has published is sorted
 * @param tally told how many events of an incarnation are handed over so far
 */
record RepairParts(
        EventLoop loop,
        UUID pipeline,
        ControlClient control,
        IdHolders holders,
        OutputFiles output,
        ForeignLogs logs,
        RegisteredState registeredState,
        DispatcherCheckpoint checkpoint,
        CheckpointTimes history,
        IntervalClock clock,
        WriteOffRule.Terms terms,
        Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher,
        LostOutcomes lostOutcomes,
        Tally tally,
        Records records,
        Orders orders,
        Scratch scratch,
        CrashPoints crashPoints,
        RepairLimits limits) {

    /** Makes an empty set, of which scratch files may be left behind by nothing but a crash. */
    @FunctionalInterface
    interface Scratch {
        IdRuns of(Incarnation incarnation);
    }

    /** See {@link WriteOffOrders}. */
    interface Orders {
        Optional<String> reason(Incarnation incarnation, int timesReopened) throws IOException;

        void drop(Incarnation incarnation) throws IOException;
    }

    /** See {@link RepairRecords}. */
    interface Records {
        void add(Incarnation incarnation, Map<EventId, CommitToken> lost) throws IOException;

        Map<EventId, CommitToken> read(Incarnation incarnation) throws IOException;
    }

    /** See {@link RepairTally#raise}. */
    @FunctionalInterface
    interface Tally {
        void raise(Incarnation incarnation, long events) throws IOException;
    }
}
