package photon.storage.tail;

import java.time.Duration;
import java.util.List;
import photon.proto.v1.LogFile;
import photon.proto.v1.LogsResponse;

/** How far the logs of a stream are read, as it is told to people. */
public final class LogReadings {
    /** Well below what a message may hold. */
    private static final int FILES_MAX = 50_000;

    private LogReadings() {}

    /**
     * What a tail and its outage say; the rest is the caller's.
     *
     * @param filesMax how many files are listed, the most urgent first; unsigned
     */
    public static LogsResponse.Builder response(
            LogTail tail, LogOutage outage, int filesMax, long nanoTime) {
        List<FileReading> readings = tail.readings();
        TailLag lag = tail.lag();
        long nowMillis = tail.nowMillis();
        LogsResponse.Builder response =
                LogsResponse.newBuilder()
                        .setFiles(readings.size())
                        .setUnreadBytes(lag.bytes())
                        .setLagSeconds(TailLag.seconds(lag.sinceMillis(), nowMillis))
                        .setTrouble(outage.trouble());
        outage.sinceNanos()
                .ifPresent(
                        since ->
                                response.setTroubleSeconds(
                                        Math.max(
                                                0,
                                                Duration.ofNanos(nanoTime - since).toSeconds())));
        readings.stream()
                .sorted(FileReading.URGENT_FIRST)
                .limit(Math.min(FILES_MAX, Integer.toUnsignedLong(filesMax)))
                .map(file -> message(file, nowMillis))
                .forEach(response::addListed);
        return response;
    }

    private static LogFile message(FileReading file, long nowMillis) {
        return LogFile.newBuilder()
                .setPath(file.path())
                .setState(
                        switch (file.state()) {
                            case READ -> LogFile.State.READ;
                            case UNREAD -> LogFile.State.UNREAD;
                            case INCOMPLETE -> LogFile.State.INCOMPLETE;
                            case FAILED -> LogFile.State.FAILED;
                            case GONE -> LogFile.State.GONE;
                        })
                .setOffset(file.offset())
                .setUnreadBytes(file.unreadBytes())
                .setLagSeconds(TailLag.seconds(file.sinceMillis(), nowMillis))
                .setWhy(file.why())
                .build();
    }
}
