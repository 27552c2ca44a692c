package photon.cli.registry;

import com.google.protobuf.ByteString;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.RegistryRestoreGrpc;
import photon.proto.v1.RestoreLook;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RestoreStatus;

/** The steps of a restore, asked until they are decided. Of one thread. */
public final class RestoreCalls {
    private final LeaderCalls leaders;

    /** A step was refused: the message says why. */
    public static final class RefusedException extends Exception {
        public RefusedException(String message) {
            super(message);
        }
    }

    public RestoreCalls(LeaderCalls leaders) {
        this.leaders = leaders;
    }

    /** What stands. */
    public RestoreStatus look() throws LeaderCalls.UndecidedException {
        return send(RestoreRequest.newBuilder().setLook(RestoreLook.getDefaultInstance()))
                .getStatus();
    }

    RestoreResponse send(RestoreRequest.Builder request) throws LeaderCalls.UndecidedException {
        return leaders.ask(
                RegistryRestoreGrpc.getRestoreMethod(),
                request.setActor(ControlSession.actor()).build(),
                RestoreResponse::getProgress);
    }

    /** Sends a step of the restore that stands. */
    public RestoreStatus step(RestoreRequest.Builder request)
            throws LeaderCalls.UndecidedException, RefusedException {
        RestoreResponse answer = send(request);
        return switch (answer.getVerdict()) {
            case STANDS -> answer.getStatus();
            case NOT_EMPTY ->
                    throw new RefusedException(
                            "the registry has, or had, pipelines of its own, or another restore: a backup is brought onto servers with empty disks only");
            case UNREADABLE ->
                    throw new RefusedException(
                            "the registry cannot read the backup's control group: is the backup of a newer version?");
            case OTHER_OUTPUT ->
                    throw new RefusedException(
                            "this is not the output directory that the datacenter's joiners were registered with: that has the id %s"
                                    .formatted(answer.getMissingList()));
            case UNKNOWN_REPORT ->
                    throw new RefusedException(
                            "the registry does not know that pipeline or datacenter, or has no place for a slot of its: is it of another registry?");
            default ->
                    throw new RefusedException(
                            "the registry is at another step: %s of restore %s"
                                    .formatted(
                                            answer.getStatus().getPhase(),
                                            RegistryView.uuid(answer.getStatus().getRestore())));
        };
    }

    LoadIdsResponse load(LoadIdsRequest.Builder request) throws LeaderCalls.UndecidedException {
        return leaders.ask(
                RegistryRestoreGrpc.getLoadIdsMethod(),
                request.build(),
                LoadIdsResponse::getProgress);
    }

    static ByteString bytes(byte[] packed) {
        return ByteString.copyFrom(packed);
    }
}
