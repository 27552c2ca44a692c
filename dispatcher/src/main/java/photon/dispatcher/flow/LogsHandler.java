package photon.dispatcher.flow;

import java.util.function.Consumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.dispatcher.state.DispatcherStatus;
import photon.proto.v1.DispatchStatus;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;
import photon.storage.tail.SharedLogReadings;

/** Tells people how far the foreign logs are read, and where the events are. */
public final class LogsHandler implements Handler<LogsRequest, LogsResponse> {
    private final PartitionFlows flows;

    private LogsHandler(PartitionFlows flows) {
        this.flows = flows;
    }

    /**
     * One question at a time: each takes the time of the loop that reads the logs.
     *
     * @param main the flows'
     */
    public static Handler<LogsRequest, LogsResponse> shared(EventLoop main, PartitionFlows flows) {
        return new SharedLogReadings(main, new LogsHandler(flows));
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
