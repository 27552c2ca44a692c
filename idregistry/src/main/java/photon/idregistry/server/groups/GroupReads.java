package photon.idregistry.server.groups;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The reads of one replica that are under way: its files must not be closed before their end. Used
 * in the server's loop.
 */
public final class GroupReads {
    private int underWay;
    private boolean closed;

    /**
     * Reads, and tells in the loop.
     *
     * @return false, and {@code then} is never told, if too much waits to be read, or the replica
     *     is being removed
     */
    public <R> boolean read(Readers readers, Supplier<R> reading, Consumer<R> then) {
        if (closed) {
            return false;
        }
        underWay++;
        boolean begun =
                readers.read(
                        reading,
                        result -> {
                            underWay--;
                            then.accept(result);
                        });
        if (!begun) {
            underWay--;
        }
        return begun;
    }

    /** From now on none is begun. */
    void close() {
        closed = true;
    }

    /** True if none is under way. */
    public boolean ended() {
        return underWay == 0;
    }
}
