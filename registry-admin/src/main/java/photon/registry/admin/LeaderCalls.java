package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import photon.core.rpc.HostPort;
import photon.proto.v1.Progress;

/**
 * Calls to whichever server leads a group, asked until the answer is definite: only for what may be
 * carried out twice. Of one thread.
 */
public final class LeaderCalls implements Deciders {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ServerCalls calls;
    private final List<HostPort> servers;
    private final Duration patience;
    private final Duration deadline;
    private int next;

    /** No server has decided in time: it may be done all the same. */
    public static final class UndecidedException extends Exception {
        UndecidedException(String message) {
            super(message);
        }
    }

    /**
     * @param patience for each call
     */
    public LeaderCalls(ServerCalls calls, List<HostPort> servers, Duration patience) {
        this(calls, servers, patience, DEADLINE);
    }

    /**
     * @param patience for each call
     * @param deadline for each server that is asked
     */
    LeaderCalls(ServerCalls calls, List<HostPort> servers, Duration patience, Duration deadline) {
        this.calls = calls;
        this.servers = List.copyOf(servers);
        this.patience = patience;
        this.deadline = deadline;
    }

    @Override
    public <Q, R> R ask(MethodDescriptor<Q, R> method, Q request, Function<R, Progress> progress)
            throws UndecidedException {
        long begun = System.nanoTime();
        String trouble = "";
        int asked = 0;
        while (System.nanoTime() - begun < patience.toNanos()) {
            HostPort server = servers.get(next);
            try {
                R answer = calls.call(server, method, request, deadline);
                if (progress.apply(answer) == Progress.DECIDED) {
                    return answer;
                }
                trouble = server + " says " + progress.apply(answer);
            } catch (ServerCalls.BrokenException e) {
                trouble = String.valueOf(e.getMessage());
            }
            next = (next + 1) % servers.size();
            if (++asked % servers.size() == 0) {
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
        throw new UndecidedException(
                "the registry did not decide within %s ms: %s. Run the command again: repeating it is safe"
                        .formatted(patience.toMillis(), trouble));
    }
}
