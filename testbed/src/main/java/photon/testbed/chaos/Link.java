package photon.testbed.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections from one replica to another, through this process, which can cut them: then
 * nothing goes through in either direction, no connection ends, and new ones are not answered, as
 * when a cable is pulled. What is on its way is delivered when the link is mended, unless {@link
 * #reset} ends the connections. Thread-safe.
 */
public final class Link implements AutoCloseable {
    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean cut;

    /**
     * Carries from now on.
     *
     * @param listen an address of the loopback network that is this link's own
     * @param target where the other replica listens
     */
    public Link(InetSocketAddress listen, InetSocketAddress target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(listen);
        spawn("accept", this::accept);
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

    synchronized boolean isCut() {
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
        try {
            awaitMended();
            to.connect(target);
            to.setTcpNoDelay(true);
            from.setTcpNoDelay(true);
            sockets.add(to);
            spawn("back", () -> pump(to, from));
            pump(from, to);
        } catch (IOException e) {
            close(to);
            close(from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                awaitMended();
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One end is gone: so is the other, below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sockets.remove(from);
        sockets.remove(to);
        close(from);
        close(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing else to lose.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        mend();
        reset();
    }
}
