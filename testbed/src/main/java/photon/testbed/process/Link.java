package photon.testbed.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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

/**
 * The connections from one process to another, through this process, which can delay and cut them.
 * Each byte goes on a fixed time after it came; nothing is lost. While the link is cut, nothing
 * goes through in either direction, no connection ends, and new ones are not answered, as when a
 * cable is pulled. What is on its way is delivered when the link is mended, unless {@link #reset}
 * ends the connections. Thread-safe.
 */
public final class Link implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    /**
     * On the way in one direction: 256 MiB at the most. A sender who has more waits, as TCP does.
     */
    private static final int DELAYED_CHUNKS_MAX = 4_096;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final long delayNanos;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean cut;

    /** Bytes, and when they may arrive; none: the end of the stream. */
    private record Chunk(long dueNanos, byte[] bytes) {}

    /**
     * Carries from now on.
     *
     * @param listen an address of the loopback network that is this link's own; port 0: any
     * @param target where the other process listens; nobody needs to be there yet
     * @param delay of each direction
     */
    public Link(InetSocketAddress listen, InetSocketAddress target, Duration delay)
            throws IOException {
        this.target = target;
        this.delayNanos = delay.toNanos();
        this.listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(listen);
        spawn("accept", this::accept);
    }

    /** The port that it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    private void spawn(String what, Runnable task) {
        Thread thread = new Thread(task, what + " " + listener.getLocalSocketAddress());
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on nothing goes through. */
    public synchronized void cut() {
        cut = true;
    }

    public synchronized boolean isCut() {
        return cut;
    }

    /** Goes on with what was held up. */
    public synchronized void mend() {
        cut = false;
        notifyAll();
    }

    /** Ends all connections, whether cut or not. */
    public void reset() {
        sockets.forEach(Link::close);
    }

    private synchronized void awaitMended() throws InterruptedException {
        while (cut) {
            wait();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket from = listener.accept();
                sockets.add(from);
                spawn("connect", () -> connect(from));
            } catch (IOException e) {
                // Closed, or the caller is gone already: looks whether it goes on.
            }
        }
    }

    private void connect(Socket from) {
        Socket to = new Socket();
        sockets.add(to);
        try {
            awaitMended();
            to.connect(target);
            to.setTcpNoDelay(true);
            from.setTcpNoDelay(true);
            carry(from, to);
            carry(to, from);
        } catch (IOException e) {
            // Nobody is there: the caller sees a broken connection.
            end(from, to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (listener.isClosed()) {
            reset();
        }
    }

    private void carry(Socket from, Socket to) throws IOException {
        BlockingQueue<Chunk> way =
                new ArrayBlockingQueue<>(delayNanos == 0 ? 1 : DELAYED_CHUNKS_MAX);
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        spawn("in", () -> takeIn(in, way));
        spawn("out", () -> bringOut(way, from, to, out));
    }

    private void takeIn(InputStream in, BlockingQueue<Chunk> way) {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            int read;
            do {
                read = readOrEnd(in, buffer);
                way.put(
                        new Chunk(
                                System.nanoTime() + delayNanos,
                                Arrays.copyOf(buffer, Math.max(0, read))));
            } while (read >= 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A broken connection is an end, and at the far end so much later, too. */
    private static int readOrEnd(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Takes all that comes, even if nobody wants it any more: so the other thread ends, too. */
    private void bringOut(BlockingQueue<Chunk> way, Socket from, Socket to, OutputStream out) {
        try {
            for (Chunk chunk = way.take(); chunk.bytes().length > 0; chunk = way.take()) {
                awaitDue(chunk);
                awaitMended();
                if (!isWritten(chunk, out)) {
                    end(from, to);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end(from, to);
    }

    private static boolean isWritten(Chunk chunk, OutputStream out) {
        try {
            out.write(chunk.bytes());
            return true;
        } catch (IOException e) {
            // One end is gone: so is the other, then.
            return false;
        }
    }

    private static void awaitDue(Chunk chunk) {
        for (long left = chunk.dueNanos() - System.nanoTime();
                left > 0;
                left = chunk.dueNanos() - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void end(Socket from, Socket to) {
        close(from);
        close(to);
        sockets.remove(from);
        sockets.remove(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing else to lose.
        }
    }

    /** No more connections; those that are there end. Safe to call twice. */
    @Override
    public void close() throws IOException {
        listener.close();
        mend();
        reset();
    }
}
