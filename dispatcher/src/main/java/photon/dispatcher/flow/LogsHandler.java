package photon.dispatcher.flow;

import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.dispatcher.state.DispatcherStatus;
import photon.proto.v1.DispatchStatus;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;

/** Tells people how far the foreign logs are read, and where the events are. */
public final class LogsHandler implements Handler<LogsRequest, LogsResponse> {
    private final PartitionFlows flows;

    public LogsHandler(PartitionFlows flows) {
        this.flows = flows;
    }

    @Override
    public void handle(LogsRequest request, Consumer<LogsResponse> respond) {
        flows.tellOfLogs(
                request.getFilesMax(),
                told -> {
                    DispatcherStatus now = flows.status();
                    respond.accept(
                            told.setCaughtUp(now.caughtUp())
                                    .setEventsRead(now.eventsRead())
                                    .setBadRecords(now.badRecords())
                                    .addAllPartitions(flows.partitions())
                                    .setPartitionCount(flows.count())
                                    .setDispatch(
                                            DispatchStatus.newBuilder()
                                                    .setInFlight(now.inFlight())
                                                    .setHeld(now.held())
                                                    .setGated(now.gated())
                                                    .setWaiting(now.waitingRows())
                                                    .setJoined(now.joined())
                                                    .setAlreadyJoined(now.alreadyJoined())
                                                    .setSkipped(now.skipped())
                                                    .setDeadLettered(now.deadLettered())
                                                    .setOutcomeLost(now.outcomeLost()))
                                    .build());
                });
    }
}
