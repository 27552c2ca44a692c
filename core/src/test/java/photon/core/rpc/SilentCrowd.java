package photon.core.rpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own, for its descriptors: opens connections that say nothing, prints "open" when
 * all are, and "cut" when the other side has closed all of them.
 */
final class SilentCrowd {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(4);

    private SilentCrowd() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.getByName(args[0]), Integer.parseInt(args[1]));
        int count = Integer.parseInt(args[2]);
        try (Selector selector = Selector.open()) {
            for (int n = 0; n < count; n++) {
                SocketChannel one = SocketChannel.open(server);
                one.configureBlocking(false);
                one.register(selector, SelectionKey.OP_READ);
            }
            System.out.println("open");
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            ByteBuffer nothing = ByteBuffer.allocate(64);
            int cut = 0;
            while (cut < count && System.nanoTime() < deadline) {
                selector.select(1_000);
                for (SelectionKey key : selector.selectedKeys()) {
                    cut += closed(key, nothing) ? 1 : 0;
                }
                selector.selectedKeys().clear();
            }
            System.out.println(cut == count ? "cut" : "cut only " + cut);
        }
    }

    private static boolean closed(SelectionKey key, ByteBuffer nothing) throws Exception {
        SocketChannel channel = (SocketChannel) key.channel();
        nothing.clear();
        int read;
        try {
            read = channel.read(nothing);
        } catch (java.io.IOException e) {
            // Cut with a reset.
            read = -1;
        }
        if (read < 0) {
            channel.close();
        }
        return read < 0;
    }
}
