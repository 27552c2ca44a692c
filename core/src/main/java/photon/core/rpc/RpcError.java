package photon.core.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Why a server of Photon ends a call without an answer. The names are codes that programs compare:
 * none is ever renamed, and none gets another meaning. Each call that is ended so carries its code
 * as {@code google.rpc.ErrorInfo}, which clients in any language read. docs/errors.md explains
 * each.
 */
public enum RpcError {
    /** The certificate of the caller does not allow the call. */
    NOT_PERMITTED(Status.Code.PERMISSION_DENIED, false),
    /** The server has as many connections as it takes. */
    TOO_MANY_CONNECTIONS(Status.Code.RESOURCE_EXHAUSTED, true),
    /** The connection has as many calls open as it may have. */
    TOO_MANY_CALLS(Status.Code.RESOURCE_EXHAUSTED, true),
    /** Requests of the connection wait, and together are too large for another. */
    TOO_MANY_BYTES_WAITING(Status.Code.RESOURCE_EXHAUSTED, true),
    /** The server's queue is full. */
    TOO_MANY_CALLS_WAITING(Status.Code.RESOURCE_EXHAUSTED, true),
    /** No client of the same version sends such a request. */
    MALFORMED_REQUEST(Status.Code.INVALID_ARGUMENT, false),
    /** The server does not have the method. */
    UNKNOWN_METHOD(Status.Code.UNIMPLEMENTED, false);

    /** Whose codes these are, among those of other services. */
    public static final String DOMAIN = "photon";

    /** Whether the same call may be tried again, {@code later} or {@code never}. */
    public static final String RETRY = "retry";

    /** Where in the documentation the code is explained. */
    public static final String HELP = "help";

    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** As {@code ErrorInfo} wants a reason. */
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{1,61}[A-Z0-9]");

    /** All that a peer reads of a refusal, twice, has to fit into headers of 8 KiB. */
    private static final int TEXT_MAX = 1_000;

    private final Status.Code status;
    private final boolean retryHelps;

    RpcError(Status.Code status, boolean retryHelps) {
        this.status = status;
        this.retryHelps = retryHelps;
    }

    /** What a client sees that knows nothing of codes. */
    public Status.Code status() {
        return status;
    }

    /** True: the same call may succeed later; false: only after somebody has changed something. */
    public boolean retryHelps() {
        return retryHelps;
    }

    /** In the repository and on the site. */
    public String help() {
        return "docs/errors.md#" + name().toLowerCase(Locale.ROOT);
    }

    /** Ends a call that has got no answer. */
    void end(ServerCall<?, ?> call, String why) {
        String text = why.length() > TEXT_MAX ? why.substring(0, TEXT_MAX) + "..." : why;
        ErrorInfo info =
                ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(name())
                        .putMetadata(RETRY, retryHelps ? "later" : "never")
                        .putMetadata(HELP, help())
                        .build();
        Metadata trailers = new Metadata();
        trailers.put(
                DETAILS,
                com.google.rpc.Status.newBuilder()
                        .setCode(status.value())
                        .setMessage(text)
                        .addDetails(Any.pack(info))
                        .build()
                        .toByteArray());
        call.close(status.toStatus().withDescription(text), trailers);
    }

    /**
     * The code that a server gave, also one that this version does not know; empty: none, or
     * nothing that could be one.
     */
    static Optional<String> codeOf(Metadata trailers) {
        byte[] details = trailers.get(DETAILS);
        if (details == null) {
            return Optional.empty();
        }
        try {
            for (Any detail : com.google.rpc.Status.parseFrom(details).getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    if (info.getDomain().equals(DOMAIN)
                            && CODE.matcher(info.getReason()).matches()) {
                        return Optional.of(info.getReason());
                    }
                }
            }
        } catch (InvalidProtocolBufferException e) {
            // Of a peer that is no server of Photon.
        }
        return Optional.empty();
    }
}
