package photon.registry.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.HoldLeaderBalancingRequest;
import photon.proto.v1.LeadershipGrpc;
import photon.proto.v1.TransferLeadershipRequest;
import photon.proto.v1.TransferLeadershipResponse;
import photon.proto.v1.TransferLeadershipResponse.Result;

/** Has leaderships moved, one after another, as somebody at a command line wants it. */
public final class LeaderOperator {
    /** Who leads may have changed since it was looked. */
    private static final int TRIES_MAX = 3;

    private final Duration timeout;
    private final RpcSecurity security;

    /**
     * What became of a move.
     *
     * @param done also if it was so before
     * @param text {@code done}, {@code there already}, or why not
     */
    public record Outcome(LeaderMoves.Move move, boolean done, String text) {}

    /**
     * @param timeout of each transfer: above what a leader takes for one, or fails
     * @param security how servers are reached
     */
    public LeaderOperator(Duration timeout, RpcSecurity security) {
        this.security = security;
        this.timeout = timeout;
    }

    /**
     * Moves them.
     *
     * @param hold how long no server takes back what was moved; zero: as usual
     * @param emptied fetches nothing at all for so long; empty: none
     * @throws FailedException if a server does not hold what it is to hold: nothing was moved
     */
    public List<Outcome> carryOut(LeaderMoves moves, Duration hold, Optional<String> emptied) {
        try (ServerCalls calls = new ServerCalls(security)) {
            if (!hold.isZero()) {
                hold(calls, moves, hold, emptied);
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (LeaderMoves.Move move : moves.moves()) {
                outcomes.add(carryOut(calls, moves, move));
            }
            return outcomes;
        }
    }

    /** A server that is down has nothing to hold when it is up. */
    private void hold(
            ServerCalls calls, LeaderMoves moves, Duration hold, Optional<String> emptied) {
        List<CompletableFuture<Optional<String>>> asked = new ArrayList<>();
        for (RegistryView.Server server : moves.servers()) {
            HoldLeaderBalancingRequest.Builder request =
                    HoldLeaderBalancingRequest.newBuilder()
                            .setMillis(hold.toMillis())
                            .setActor(ControlSession.actor());
            if (emptied.isPresent()) {
                request.setAll(true);
            }
            moves.moves().stream()
                    .filter(move -> !move.to().equals(Optional.of(server.name())))
                    .forEach(
                            move ->
                                    move.shard()
                                            .ifPresentOrElse(
                                                    request::addShards,
                                                    () -> request.setControl(true)));
            if (server.answers() && (emptied.isEmpty() || emptied.get().equals(server.name()))) {
                asked.add(
                        calls.start(
                                        HostPort.parse(server.service()),
                                        LeadershipGrpc.getHoldLeaderBalancingMethod(),
                                        request.build(),
                                        timeout)
                                .handle((held, broken) -> trouble(server, broken)));
            }
        }
        // Without it what is moved comes back within seconds, while somebody works on the server.
        List<String> refused = asked.stream().flatMap(one -> one.join().stream()).toList();
        if (!refused.isEmpty()) {
            throw new FailedException(
                    "nothing was moved, because leadership would come back: %s. Servers that agreed take nothing back for %d s all the same"
                            .formatted(String.join("; ", refused), hold.toSeconds()));
        }
    }

    private static Optional<String> trouble(
            RegistryView.Server server, @Nullable Throwable broken) {
        return Optional.ofNullable(broken)
                .map(
                        why ->
                                "server %s does not hold: %s"
                                        .formatted(server.name(), why.getMessage()));
    }

    private Outcome carryOut(ServerCalls calls, LeaderMoves moves, LeaderMoves.Move move) {
        if (!move.trouble().isEmpty()) {
            return new Outcome(move, false, move.trouble());
        }
        if (move.isThere()) {
            return new Outcome(move, true, "already there");
        }
        TransferLeadershipRequest.Builder request =
                TransferLeadershipRequest.newBuilder()
                        .setTo(move.to().orElseThrow())
                        .setActor(ControlSession.actor());
        move.shard().ifPresent(request::setShard);
        String leader = moves.service(move.from().orElseThrow());
        for (int i = 0; i < TRIES_MAX; i++) {
            TransferLeadershipResponse answer;
            try {
                answer =
                        calls.call(
                                HostPort.parse(leader),
                                LeadershipGrpc.getTransferLeadershipMethod(),
                                request.build(),
                                timeout);
            } catch (ServerCalls.BrokenException e) {
                return new Outcome(
                        move, false, "no answer from " + leader + ", but it may have moved");
            }
            Result result = answer.getResult();
            if (result == Result.DONE) {
                return new Outcome(move, true, "done");
            }
            if (result != Result.NOT_LEADER || answer.getLeader().isEmpty()) {
                return new Outcome(
                        move,
                        false,
                        result == Result.NOT_LEADER ? "it has no leader now" : answer.getWhy());
            }
            leader = answer.getLeader();
        }
        return new Outcome(move, false, "its leader changes repeatedly");
    }
}
