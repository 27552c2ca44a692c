package photon.joiner.adapters.remote;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.error.IoText;

/**
 * Starts the adapter's process, starts it again when it ends, and ends it. The process listens on a
 * Unix socket whose path it is given by an environment variable.
 */
final class ChildProcess implements Endpoint {
    private static final Logger log = LoggerFactory.getLogger(ChildProcess.class);

    /** Where the process is to listen. */
    static final String SOCKET = "PHOTON_ADAPTER_SOCKET";

    /** A Unix socket's address holds no more, with a byte for its end. */
    private static final int PATH_BYTES_MAX = 107;

    private static final int NAME_CHARS_MAX = 100;
    private static final Duration LISTENS_WITHIN = RemoteInstance.GREETING_MAX;
    private static final long POLL_MILLIS = 20;
    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(10);

    /** One that lived so long is not taken to fail at once when it is started again. */
    private static final Duration LIVES_LONG = Duration.ofSeconds(30);

    private static final Duration ENDS_BY_ITSELF_WITHIN = Duration.ofSeconds(2);

    /** A process that it has started itself may hold the output open: there is no end to see. */
    private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(1);

    /** The same, while it has said nothing: a line that says why it ended is worth the wait. */
    private static final Duration ONLY_WORDS_WITHIN = Duration.ofSeconds(10);

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(2);

    private final List<String> command;
    private final File workingDirectory;
    private final Path directory;
    private final Path socket;
    private final EventLoopGroup network =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder starts = new LongAdder();
    private final Thread supervisor;
    private volatile CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile @Nullable Process process;
    private volatile @Nullable ChildOutput output;

    private ChildProcess(List<String> command, String workingDirectory) throws IOException {
        this.command = command;
        this.workingDirectory = new File(workingDirectory);
        this.directory = Files.createTempDirectory("photon-adapter-");
        this.socket = directory.resolve("socket");
        this.supervisor = new Thread(this::supervise, "adapter-process");
        supervisor.setDaemon(true);
    }

    /**
     * Starts it.
     *
     * @param workingDirectory of the process
     * @throws ConfigException if it cannot be started, or this machine has no Unix sockets
     */
    static ChildProcess start(List<String> command, String workingDirectory) {
        if (!Epoll.isAvailable()) {
            throw new ConfigException(
                    "adapter.command: Photon starts an adapter on Linux only (x86-64 and ARM64): start it yourself, and name its address in adapter.address");
        }
        try {
            ChildProcess child = new ChildProcess(command, workingDirectory);
            try {
                child.checkSocket();
                child.startOnce();
            } catch (IOException | RuntimeException e) {
                child.close();
                throw e;
            }
            child.supervisor.start();
            return child;
        } catch (IOException e) {
            throw new ConfigException(
                    "adapter.command: cannot start it: "
                            + IoText.of(e)
                            + ". Expected a program and its arguments, such as [python3, adapter.py]");
        }
    }

    private void checkSocket() {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > PATH_BYTES_MAX) {
            throw new ConfigException(
                    "adapter.command: the path of its socket, %s, has %s bytes: a Unix socket's has at most %s. Name a shorter directory for temporary files by -Djava.io.tmpdir"
                            .formatted(socket, length, PATH_BYTES_MAX));
        }
    }

    private Process startOnce() throws IOException {
        Files.deleteIfExists(socket);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(workingDirectory).redirectErrorStream(true);
        builder.environment().put(SOCKET, socket.toString());
        Process started = builder.start();
        starts.increment();
        output = ChildOutput.follow(started);
        process = started;
        return started;
    }

    private void supervise() {
        Duration backOff = BACKOFF_MIN;
        try {
            Process now = process;
            while (now != null) {
                boolean livedLong = watch(now);
                backOff = livedLong ? BACKOFF_MIN : doubled(backOff);
                String ended = ended(now, backOff);
                if (closing.await(0, TimeUnit.SECONDS)) {
                    return;
                }
                log.warn("The adapter {}: {}", name(), ended);
                fail(ended);
                if (closing.await(backOff.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                now = again(backOff);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            fail("it was ended");
            Process last = process;
            if (last != null) {
                kill(last); // It may have been started just when its end began.
            }
        }
    }

    private static Duration doubled(Duration backOff) {
        Duration twice = backOff.multipliedBy(2);
        return twice.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : twice;
    }

    private String ended(Process now, Duration backOff) throws InterruptedException {
        ChildOutput said = output;
        if (said != null) {
            said.awaitEnd(said.last().isEmpty() ? ONLY_WORDS_WITHIN : LAST_WORDS_WITHIN);
        }
        String last = said == null ? "" : said.last();
        return "it has ended with exit status %s, and is started again in %s%s"
                .formatted(
                        now.exitValue(),
                        DurationText.of(backOff),
                        last.isEmpty() ? "" : "; its last words: " + last);
    }

    /** Null: it is ended. */
    private @Nullable Process again(Duration backOff) throws InterruptedException {
        while (true) {
            try {
                ready = new CompletableFuture<>();
                return startOnce();
            } catch (IOException e) {
                fail("it cannot be started again: " + IoText.of(e));
                log.warn("The adapter {} cannot be started again: {}", name(), IoText.of(e));
            }
            if (closing.await(backOff.toMillis(), TimeUnit.MILLISECONDS)) {
                return null;
            }
        }
    }

    private void fail(String why) {
        CompletableFuture<Void> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException(why));
        CompletableFuture<Void> before = ready;
        ready = failed;
        before.completeExceptionally(new IllegalStateException(why));
    }

    /** Until it ends. True: it has lived for long. */
    private boolean watch(Process now) throws InterruptedException {
        if (!listens(now) && now.isAlive()) {
            log.warn(
                    "The adapter {} does not listen at the path in {} within {}: it is ended",
                    name(),
                    SOCKET,
                    DurationText.of(LISTENS_WITHIN));
            kill(now);
        }
        boolean lived = !now.waitFor(LIVES_LONG.toMillis(), TimeUnit.MILLISECONDS);
        now.waitFor();
        return lived;
    }

    private boolean listens(Process now) throws InterruptedException {
        for (long left = LISTENS_WITHIN.toMillis(); left > 0; left -= POLL_MILLIS) {
            if (Files.exists(socket) && accepts()) {
                ready.complete(null);
                return true;
            }
            if (now.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return false;
    }

    /** The file is there a moment before connections are accepted. */
    private boolean accepts() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            return false;
        }
    }

    private static void kill(Process now) {
        now.descendants().forEach(ProcessHandle::destroyForcibly);
        now.destroyForcibly();
    }

    @Override
    public String name() {
        String whole = String.join(" ", command);
        return whole.length() <= NAME_CHARS_MAX
                ? whole
                : whole.substring(0, NAME_CHARS_MAX) + "...";
    }

    @Override
    public String key() {
        return "adapter.command";
    }

    @Override
    public CompletableFuture<Void> ready() {
        return ready;
    }

    @Override
    public ManagedChannel channel() {
        return AddressEndpoint.usual(
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .usePlaintext()
                        .channelType(EpollDomainSocketChannel.class)
                        .eventLoopGroup(network)
                        .overrideAuthority("localhost"));
    }

    @Override
    public void hangs() {
        Process now = process;
        if (now != null && now.isAlive()) {
            log.warn("The adapter {} does not answer: its process is ended", name());
            kill(now);
        }
    }

    @Override
    public long starts() {
        return starts.sum();
    }

    /** Its standard input ends first; what does not heed that is ended. */
    @Override
    public void close() {
        closing.countDown();
        Process now = process;
        if (now != null) {
            end(now);
        }
        supervisor.interrupt();
        network.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        try {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            log.debug("{} stays: {}", directory, IoText.of(e));
        }
    }

    private static void end(Process now) {
        // A script that has started the adapter may end by the signal alone, and leave it behind.
        List<ProcessHandle> started = now.descendants().toList();
        endItself(now);
        List<CompletableFuture<ProcessHandle>> left = new ArrayList<>();
        for (ProcessHandle one : started) {
            if (one.isAlive()) {
                one.destroy();
                left.add(one.onExit());
            }
        }
        try {
            CompletableFuture.allOf(left.toArray(CompletableFuture[]::new))
                    .get(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("What the adapter's process had started does not end", e);
        }
        started.forEach(ProcessHandle::destroyForcibly);
    }

    private static void endItself(Process now) {
        try {
            now.getOutputStream().close();
        } catch (IOException e) {
            log.debug("The adapter's input is closed already: {}", IoText.of(e));
        }
        try {
            if (now.waitFor(ENDS_BY_ITSELF_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            now.destroy();
            if (now.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill(now);
    }
}
