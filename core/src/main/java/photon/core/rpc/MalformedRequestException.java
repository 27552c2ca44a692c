package photon.core.rpc;

/**
 * Says that a peer has sent a request that cannot be one. A {@link Handler} throws it before it
 * does anything: the peer's mistake must not end this process. {@link GrpcServer} ends the call
 * with {@link RpcError#MALFORMED_REQUEST} and the message. Immutable.
 */
public final class MalformedRequestException extends RuntimeException {
    /**
     * @param field which one of the request, such as {@code rows[3].lost_token}
     * @param problem what was expected there, and what came
     */
    public MalformedRequestException(String field, String problem) {
        super(field + ": " + problem);
    }
}
