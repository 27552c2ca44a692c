package photon.core.rpc;

/**
 * Decides when a stream is read on: up to a number of messages ahead of the loop, and only one at a
 * time while its connection is full. So a stream goes on, however much others make wait.
 * Thread-safe.
 */
final class StreamIntake {
    private final int messagesAhead;
    private final ConnectionLoad connection;
    private int held;
    private boolean asked;

    StreamIntake(int messagesAhead, ConnectionLoad connection) {
        this.messagesAhead = messagesAhead;
        this.connection = connection;
    }

    /** True if the first message is to be asked for. */
    synchronized boolean opened() {
        return ask();
    }

    /** The message that was asked for is here; true if one more is to be asked for. */
    synchronized boolean arrived() {
        asked = false;
        held++;
        return ask();
    }

    /** That many messages are handled now. Returns true if one more is to be asked for. */
    synchronized boolean handled(int messages) {
        held -= messages;
        return ask();
    }

    private boolean ask() {
        if (asked || held >= messagesAhead || (held > 0 && connection.isFull())) {
            return false;
        }
        asked = true;
        return true;
    }
}
