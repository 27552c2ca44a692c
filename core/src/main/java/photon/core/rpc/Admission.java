package photon.core.rpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides of each call that begins whether it is served: by the bounds of its connection, then by
 * who calls. Also of calls to services that a library implements. Thread-safe.
 */
final class Admission implements ServerInterceptor {
    private final CallerCheck callers;

    Admission(CallerCheck callers) {
        this.callers = callers;
    }

    /**
     * A call begins.
     *
     * @return true: its connection counts it until {@link ConnectionLoad#ended}; false: it has been
     *     refused, and is over
     */
    boolean admits(ServerCall<?, ?> call) {
        ConnectionLoad connection = Connections.of(call);
        RpcError full = connection.begun();
        if (full != null) {
            connection.ended();
            full.end(call, connection.bound(full));
            return false;
        }
        String refusal = callers.refusal(call);
        if (!refusal.isEmpty()) {
            connection.ended();
            RpcError.NOT_PERMITTED.end(call, refusal);
            return false;
        }
        return true;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> service) {
        if (!admits(call)) {
            return new ServerCall.Listener<>() {};
        }
        ConnectionLoad connection = Connections.of(call);
        return new SimpleForwardingServerCallListener<>(service.startCall(call, headers)) {
            @Override
            public void onCancel() {
                connection.ended();
                super.onCancel();
            }

            @Override
            public void onComplete() {
                connection.ended();
                super.onComplete();
            }
        };
    }

    /** Tells a caller of a method that no service here has. */
    static HandlerRegistry unknownMethods() {
        return new HandlerRegistry() {
            @Override
            public ServerMethodDefinition<?, ?> lookupMethod(
                    String method, @Nullable String authority) {
                MethodDescriptor<byte[], byte[]> unknown =
                        MethodDescriptor.newBuilder(Bytes.AS_THEY_ARE, Bytes.AS_THEY_ARE)
                                .setType(MethodDescriptor.MethodType.UNKNOWN)
                                .setFullMethodName(method)
                                .build();
                return ServerMethodDefinition.create(
                        unknown,
                        (call, headers) -> {
                            RpcError.UNKNOWN_METHOD.end(call, "Method not found: " + method);
                            return new ServerCall.Listener<>() {};
                        });
            }
        };
    }

    /** Of requests that nobody reads. */
    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        AS_THEY_ARE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            return new byte[0];
        }
    }
}
