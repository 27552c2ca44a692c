package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;

/** Has the control group change members and their disks, whichever server leads it. */
public final class MemberSession {
    private static final Duration EACH = Duration.ofSeconds(5);

    private final List<HostPort> servers;
    private final Duration patience;
    private final RpcSecurity security;

    /**
     * @param patience how long to wait for the control group
     */
    public MemberSession(List<HostPort> servers, Duration patience, RpcSecurity security) {
        this.security = security;
        this.servers = List.copyOf(servers);
        this.patience = patience;
    }

    /**
     * Asks until it is decided: what is asked twice is done once.
     *
     * @throws TimeoutException if nothing was heard so long: it may be done all the same
     */
    public ReplaceMemberResponse replace(String name, int number) throws TimeoutException {
        ReplaceMemberRequest request =
                ReplaceMemberRequest.newBuilder()
                        .setName(name)
                        .setNumber(number)
                        .setActor(ControlSession.actor())
                        .build();
        return decided(
                MembersGrpc.getReplaceMemberMethod(), request, ReplaceMemberResponse::getProgress);
    }

    /**
     * Asks until it is decided: what is asked twice is done once.
     *
     * @param version of the roster that is to be changed
     * @throws TimeoutException if nothing was heard so long: it may be done all the same
     */
    public ChangeRosterResponse change(ChangeRosterRequest.Change change, String name, long version)
            throws TimeoutException {
        ChangeRosterRequest request =
                ChangeRosterRequest.newBuilder()
                        .setChange(change)
                        .setName(name)
                        .setVersion(version)
                        .setActor(ControlSession.actor())
                        .build();
        return decided(
                MembersGrpc.getChangeRosterMethod(),
                request,
                answer ->
                        answer.getVerdict() == ChangeRosterResponse.Verdict.NOT_KNOWN_YET
                                ? Progress.PROGRESS_UNSPECIFIED
                                : answer.getProgress());
    }

    /**
     * Asks until it is decided: what is asked twice is done once.
     *
     * @param level to which the registry's feature level is to be raised
     * @throws TimeoutException if nothing was heard so long: it may be done all the same
     */
    public FinalizeUpgradeResponse finalizeUpgrade(int level) throws TimeoutException {
        FinalizeUpgradeRequest request =
                FinalizeUpgradeRequest.newBuilder()
                        .setFeatureLevel(level)
                        .setActor(ControlSession.actor())
                        .build();
        return decided(
                MembersGrpc.getFinalizeUpgradeMethod(),
                request,
                FinalizeUpgradeResponse::getProgress);
    }

    private <Q, R> R decided(
            MethodDescriptor<Q, R> method, Q request, Function<R, Progress> progress)
            throws TimeoutException {
        Duration deadline = patience.compareTo(EACH) < 0 ? patience : EACH;
        try (ServerCalls calls = new ServerCalls(security)) {
            return new LeaderCalls(calls, servers, patience, deadline)
                    .ask(method, request, progress);
        } catch (LeaderCalls.UndecidedException e) {
            throw new TimeoutException(e.getMessage());
        }
    }
}
