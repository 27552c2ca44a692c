package photon.server.roles;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import photon.core.error.IoText;
import photon.server.roles.DaemonRun.Serving;

/**
 * Prints a daemon's status on stdout, a line of JSON each time. Whoever should read it may be slow
 * or gone: the daemon does not mind. A line is late then, or there are none any more.
 */
public final class StatusPrinter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private StatusPrinter() {}

    /**
     * From now on, as long as the process lives.
     *
     * @param messages that the process has sent to others so far; thread-safe
     */
    public static void start(Serving serving, LongSupplier messages, Duration every) {
        Thread thread = new Thread(() -> print(serving, messages, every), "status");
        thread.setDaemon(true);
        thread.start();
    }

    // Not System.out: a write that nobody reads would hold its lock, for which a shutdown waits.
    @SuppressWarnings("resource") // Nobody else may lose stdout when this thread ends.
    private static void print(Serving serving, LongSupplier messages, Duration every) {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        try {
            while (true) {
                out.write(line(serving, messages.getAsLong()));
                LockSupport.parkNanos(every.toNanos());
            }
        } catch (IOException e) {
            System.err.println(
                    "photon: no more status lines, since stdout is closed: " + IoText.of(e));
        }
    }

    private static byte[] line(Serving serving, long messages) throws IOException {
        ObjectNode line = JSON.createObjectNode();
        line.put("atMicros", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        line.put("role", serving.role().label());
        line.put("datacenter", serving.datacenter());
        line.put("name", serving.name());
        line.put("messages", messages);
        line.set("status", serving.status().get());
        return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
