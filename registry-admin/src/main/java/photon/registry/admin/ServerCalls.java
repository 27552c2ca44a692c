package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;

/** Calls of one thread to registry servers, each sent once. */
public final class ServerCalls implements AutoCloseable {
    private static final int QUEUED_MAX = 1_024;

    private final ThreadLoop loop =
            new ThreadLoop("registry-calls", QUEUED_MAX, BugHandler.stopProcess());
    private final GrpcChannels channels;

    /**
     * @param security how servers are reached
     */
    public ServerCalls(RpcSecurity security) {
        channels = new GrpcChannels(loop, new ProcessRpcs(security));
    }

    /** There was no answer: it may be done all the same. */
    public static final class BrokenException extends Exception {
        BrokenException(String why) {
            super(why);
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws BrokenException if there is none
     */
    public <Q, R> R call(
            HostPort server, MethodDescriptor<Q, R> method, Q request, Duration deadline)
            throws BrokenException {
        try {
            return start(server, method, request, deadline).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof BrokenException broken) {
                throw broken;
            }
            throw e;
        }
    }

    /** Asks; a {@link BrokenException} if there is no answer. */
    <Q, R> CompletableFuture<R> start(
            HostPort server, MethodDescriptor<Q, R> method, Q request, Duration deadline) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        loop.execute(
                () ->
                        channels.unary(server, method, deadline)
                                .call(
                                        request,
                                        new Caller.Reply<>() {
                                            @Override
                                            public void answered(R response) {
                                                answer.complete(response);
                                            }

                                            @Override
                                            public void broken(String why) {
                                                answer.completeExceptionally(
                                                        new BrokenException(why));
                                            }
                                        }));
        return answer;
    }

    @Override
    public void close() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    channels.close();
                    closed.complete(true);
                });
        closed.join();
        loop.close();
    }
}
