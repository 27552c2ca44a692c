package photon.bench.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.rpc.HostPort;

/**
 * A long way to a TCP port: hands every byte on, each direction, a fixed time after it came. There
 * is no loss and no limit of bandwidth but this machine's. Thread-safe.
 */
final class DelayProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DelayProxy.class);
    private static final int CHUNK_BYTES = 64 << 10;

    /**
     * On the way in one direction: 256 MiB at the most. A sender who has more waits, as TCP does.
     */
    private static final int CHUNKS_MAX = 4_096;

    private final ServerSocket listener;
    private final HostPort target;
    private final long delayNanos;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Bytes, and when they may arrive; none: the end of the stream. */
    private record Chunk(long dueNanos, byte[] bytes) {}

    private DelayProxy(ServerSocket listener, HostPort target, Duration delay) {
        this.listener = listener;
        this.target = target;
        this.delayNanos = delay.toNanos();
    }

    /**
     * @param port of loopback; 0: any
     * @param target where it leads; nobody needs to be there yet
     * @param delay of each direction
     */
    static DelayProxy start(int port, HostPort target, Duration delay) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        DelayProxy proxy = new DelayProxy(listener, target, delay);
        run("delay-accept", proxy::accept);
        return proxy;
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket near = listener.accept();
                run("delay-connect", () -> connect(near));
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("No more connections through the proxy of {}", target, e);
                }
                return;
            }
        }
    }

    private void connect(Socket near) {
        open.add(near);
        try {
            Socket far = new Socket(target.host(), target.port());
            open.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            carry(near, far);
            carry(far, near);
        } catch (IOException e) {
            // Nobody is there: whoever connected sees it as a broken connection.
            end(near);
        }
        if (closed) {
            open.forEach(DelayProxy::end);
        }
    }

    private void carry(Socket from, Socket to) throws IOException {
        BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(CHUNKS_MAX);
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        run("delay-in", () -> takeIn(in, way));
        run("delay-out", () -> bringOut(way, from, to, out));
    }

    private void takeIn(InputStream in, BlockingQueue<Chunk> way) {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            int read;
            do {
                read = in.read(buffer);
                way.put(
                        new Chunk(
                                System.nanoTime() + delayNanos,
                                Arrays.copyOf(buffer, Math.max(0, read))));
            } while (read >= 0);
        } catch (IOException e) {
            leaveQuietly(way);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A broken connection is at the far end so much later, too. */
    private void leaveQuietly(BlockingQueue<Chunk> way) {
        try {
            way.put(new Chunk(System.nanoTime() + delayNanos, new byte[0]));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void bringOut(BlockingQueue<Chunk> way, Socket from, Socket to, OutputStream out) {
        try {
            while (true) {
                Chunk chunk = way.take();
                for (long left = chunk.dueNanos() - System.nanoTime();
                        left > 0;
                        left = chunk.dueNanos() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                if (chunk.bytes().length == 0) {
                    break;
                }
                out.write(chunk.bytes());
            }
        } catch (IOException e) {
            LOG.debug("A connection through the proxy of {} is broken", target, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Also what was cut short: its reader ends, and with it the thread that filled the queue.
        end(from);
        end(to);
        open.remove(from);
        open.remove(to);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A socket is not closed", e);
        }
    }

    /** No more connections; those that are there are cut. Safe to call twice. */
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        open.forEach(DelayProxy::end);
    }
}
