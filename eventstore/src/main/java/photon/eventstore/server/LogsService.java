package photon.eventstore.server;

import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;
import photon.storage.tail.LogOutage;
import photon.storage.tail.LogReadings;
import photon.storage.tail.LogTail;
import photon.storage.tail.SharedLogReadings;

/**
 * Tells people how far the primary logs are read.
 *
 * @param tailLoop owns the tail
 * @param answers where requests come from
 */
record LogsService(
        EventLoop tailLoop,
        EventLoop answers,
        LogTail tail,
        LogOutage outage,
        Supplier<TailProgress> progress)
        implements Handler<LogsRequest, LogsResponse> {
    /** One question at a time: each takes the time of the loop that reads the logs. */
    static Handler<LogsRequest, LogsResponse> shared(
            EventLoop tailLoop,
            EventLoop answers,
            LogTail tail,
            LogOutage outage,
            Supplier<TailProgress> progress) {
        return new SharedLogReadings(
                answers, new LogsService(tailLoop, answers, tail, outage, progress));
    }

    @Override
    public void handle(LogsRequest request, Consumer<LogsResponse> respond) {
        tailLoop.execute(
                () -> {
                    LogsResponse told =
                            LogReadings.response(
                                            tail,
                                            outage,
                                            request.getFilesMax(),
                                            tailLoop.nanoTime())
                                    .setCaughtUp(progress.get().caughtUp())
                                    .setEventsRead(progress.get().primaryEvents())
                                    .setBadRecords(progress.get().badRecords())
                                    .build();
                    answers.execute(() -> respond.accept(told));
                });
    }
}
