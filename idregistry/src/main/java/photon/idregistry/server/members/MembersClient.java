package photon.idregistry.server.members;

import java.time.Duration;
import java.util.function.Consumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.IntroduceRequest;
import photon.proto.v1.IntroduceResponse;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;

/** A server's questions to the others about disks. Used in its loop. */
final class MembersClient implements AutoCloseable {
    private static final Duration ADMIT_DEADLINE = Duration.ofSeconds(5);

    private final GrpcChannels channels;

    MembersClient(EventLoop loop, RpcSecurity security) {
        this.channels = new GrpcChannels(loop, new ProcessRpcs(security));
    }

    /** One of the two is told, later. */
    void introduce(
            HostPort server,
            Duration deadline,
            IntroduceRequest request,
            Consumer<IntroduceResponse> answered,
            Consumer<String> broken) {
        channels.unary(server, MembersGrpc.getIntroduceMethod(), deadline)
                .call(request, reply(answered, broken));
    }

    /** One of the two is told, later. */
    void admit(
            HostPort server,
            AdmitDiskRequest request,
            Consumer<AdmitDiskResponse> answered,
            Consumer<String> broken) {
        channels.unary(server, MembersGrpc.getAdmitDiskMethod(), ADMIT_DEADLINE)
                .call(request, reply(answered, broken));
    }

    /** One of the two is told, later. */
    void replace(
            HostPort server,
            ReplaceMemberRequest request,
            Consumer<ReplaceMemberResponse> answered,
            Consumer<String> broken) {
        channels.unary(server, MembersGrpc.getReplaceMemberMethod(), ADMIT_DEADLINE)
                .call(request, reply(answered, broken));
    }

    /** One of the two is told, later. */
    void changeRoster(
            HostPort server,
            ChangeRosterRequest request,
            Consumer<ChangeRosterResponse> answered,
            Consumer<String> broken) {
        channels.unary(server, MembersGrpc.getChangeRosterMethod(), ADMIT_DEADLINE)
                .call(request, reply(answered, broken));
    }

    private static <R> Caller.Reply<R> reply(Consumer<R> answered, Consumer<String> broken) {
        return new Caller.Reply<>() {
            @Override
            public void answered(R answer) {
                answered.accept(answer);
            }

            @Override
            public void broken(String why) {
                broken.accept(why);
            }
        };
    }

    @Override
    public void close() {
        channels.close();
    }
}
