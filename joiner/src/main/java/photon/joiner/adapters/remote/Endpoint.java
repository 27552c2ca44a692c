package photon.joiner.adapters.remote;

import io.grpc.ManagedChannel;
import java.util.concurrent.CompletableFuture;

/** Where one process of an adapter is reached. Thread-safe. */
interface Endpoint extends AutoCloseable {
    /** For people, and for the metrics' label. */
    String name();

    /** Its configuration key, for messages. */
    String key();

    /**
     * Completed: a connection may be tried. Not completed: it is about to be so. Exceptionally: not
     * now, for the reason in the message.
     */
    CompletableFuture<Void> ready();

    /** For one session: a channel that failed once waits before it connects again. */
    ManagedChannel channel();

    /** It does not answer: ends its process, if this is Photon's to start again. */
    void hangs();

    /** How often it was started; 0: others start it. */
    long starts();

    /** Never throws. */
    @Override
    void close();
}
