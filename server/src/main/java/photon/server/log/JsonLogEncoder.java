package photon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One JSON object a line: {@code time} (ISO 8601, UTC), {@code level}, {@code logger}, {@code
 * thread}, {@code event} (the message without the values in it: the same for all lines of one
 * kind), {@code message}, and {@code stack} if there is one. Thread-safe.
 */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NONE = {};

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent line) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("time", Instant.ofEpochMilli(line.getTimeStamp()).toString());
        fields.put("level", line.getLevel().toString());
        fields.put("logger", line.getLoggerName());
        fields.put("thread", line.getThreadName());
        fields.put("event", line.getMessage());
        fields.put("message", line.getFormattedMessage());
        if (line.getThrowableProxy() != null) {
            fields.put("stack", ThrowableProxyUtil.asString(line.getThrowableProxy()));
        }
        try {
            return (JSON.writeValueAsString(fields) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // Text can always be written.
        }
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
