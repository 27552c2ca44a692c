package photon.core.rpc;

import static photon.core.error.Checks.check;

/**
 * Bounds on what peers can make a {@link GrpcServer} hold. What goes beyond a bound is answered
 * {@code RESOURCE_EXHAUSTED}. Immutable.
 *
 * @param connections open at a time, above 0; calls on those beyond it are refused until others
 *     have ended
 * @param callsPerConnection open at a time, streams and others, above 0
 * @param messageBytes of one message, above 0
 * @param waitingBytesPerConnection bytes of messages that have come and are not handled, above 0. A
 *     stream beyond it is read one message at a time; a call of one message is refused
 */
public record RpcLimits(
        int connections, int callsPerConnection, int messageBytes, long waitingBytesPerConnection) {
    /**
     * Room for the streams of a client of several thousand shards, and for the largest batch of any
     * service.
     */
    public static final RpcLimits DEFAULTS =
            new RpcLimits(1_024, 4_096, GrpcChannels.MESSAGE_BYTES_MAX, 64L << 20);

    public RpcLimits {
        check(
                connections > 0
                        && callsPerConnection > 0
                        && messageBytes > 0
                        && waitingBytesPerConnection > 0,
                "Expected limits above 0, but got %s connections, %s calls, %s and %s bytes",
                connections,
                callsPerConnection,
                messageBytes,
                waitingBytesPerConnection);
    }

    /** Of the connections of people's certificates, which have places of their own. */
    public int connectionsOfPeople() {
        return Math.max(1, connections / 8);
    }

    /** The same for a service whose messages are smaller. */
    public RpcLimits withMessageBytes(int bytes) {
        return new RpcLimits(connections, callsPerConnection, bytes, waitingBytesPerConnection);
    }
}
