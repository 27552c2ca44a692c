package photon.demo.generate.model;

/**
 * One record as it stands in a log.
 *
 * @param process index of the process that logs it, within its stream
 * @param micros timestamp of its id
 * @param primaryProcess foreign records: index of the process that logs the primary event; else -1
 * @param primaryMicros foreign records: timestamp of the primary event's id; else -1
 * @param content what its other fields are made of
 * @param orphan a foreign record whose primary event is in no log
 * @param repeat this very record was logged before
 */
public record LogRecord(
        LogStream stream,
        int process,
        long micros,
        int primaryProcess,
        long primaryMicros,
        long content,
        boolean orphan,
        boolean repeat) {

    static LogRecord primary(int process, long micros, long content) {
        return new LogRecord(LogStream.PRIMARY, process, micros, -1, -1, content, false, false);
    }

    LogRecord repeated() {
        return new LogRecord(
                stream, process, micros, primaryProcess, primaryMicros, content, orphan, true);
    }
}
