package photon.core.id;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import photon.core.time.IntervalClock;

/** The README's example: an application that logs clicks. */
// README begins
/** Logs clicks as JSON lines with native ids. Not thread-safe (the generator alone would be). */
final class ClickLog implements AutoCloseable {
    private static final long RESERVE_MICROS = 500_000; // below AHEAD_MAX

    private final InetAddress server;
    private final int process;
    private final Path mark; // no id of this or an earlier life is at or above what it holds
    private final EventIdGenerator ids;
    private final FileChannel log;
    private long reserved;

    ClickLog(Path directory, InetAddress server, int process, IntervalClock clock)
            throws IOException {
        this.server = server;
        this.process = process;
        this.mark = directory.resolve("ids.mark");
        this.reserved = Files.exists(mark) ? Long.parseLong(Files.readString(mark)) : 0;
        this.ids = new EventIdGenerator(server, process, clock, reserved);
        this.log =
                FileChannel.open(
                        directory.resolve("clicks.log"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
    }

    /**
     * @param primary native id of what was clicked on, as JSON; it came with the page
     * @throws IdsAheadOfClockException as an answer to the browser: try again later
     */
    EventId click(String primary, String ad) throws IOException, IdsAheadOfClockException {
        EventId id = ids.next();
        if (id.micros() >= reserved) {
            reserve(id.micros() + RESERVE_MICROS);
        }
        String line =
                "{\"server\":\"%s\",\"process\":%s,\"timestamp\":%d,\"query\":%s,\"ad\":\"%s\"}\n"
                        .formatted(
                                server.getHostAddress(),
                                Integer.toUnsignedString(process),
                                id.micros(),
                                primary,
                                ad);
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line);
        while (bytes.hasRemaining()) {
            log.write(bytes);
        }
        return id;
    }

    /** On disk before any id below it is seen: the next life begins there. */
    private void reserve(long until) throws IOException {
        Path next = mark.resolveSibling("ids.mark.new");
        try (FileChannel file =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            file.write(StandardCharsets.UTF_8.encode(Long.toString(until)));
            file.force(true);
        }
        Files.move(next, mark, StandardCopyOption.ATOMIC_MOVE);
        reserved = until;
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
// README ends
