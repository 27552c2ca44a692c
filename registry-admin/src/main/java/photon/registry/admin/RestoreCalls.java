package photon.registry.admin;

import photon.idregistry.replicated.FeatureLevel;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.RegistryRestoreGrpc;
import photon.proto.v1.RestoreLook;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RestoreStatus;

/** The steps of a restore, asked until they are decided. Of one thread. */
public final class RestoreCalls {
    private final Deciders leaders;

    /** A step was refused: the message says why. */
    public static final class RefusedException extends Exception {
        public RefusedException(String message) {
            super(message);
        }
    }

    public RestoreCalls(Deciders leaders) {
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
                            "the registry has, or had, pipelines of its own or another restore. Restore into servers with empty disks");
            case UNREADABLE ->
                    throw new RefusedException(
                            "the registry cannot read the backup's control group: check whether a newer version wrote the backup");
            case OTHER_OUTPUT ->
                    throw new RefusedException(
                            "this is not the output directory of the datacenter's registered joiners, which has the id %s"
                                    .formatted(answer.getMissingList()));
            case UNKNOWN_REPORT -> throw new RefusedException(unknown(answer));
            case DATACENTERS_LATE ->
                    throw new RefusedException(
                            "all named datacenters have reported, and the registry accepts commits: it no longer waits for %s. Run 'photon registry report' there before its joiners start. Events that other datacenters have joined in the meantime are void in its files"
                                    .formatted(answer.getMissingList()));
            default ->
                    throw new RefusedException(
                            "the registry is at another step: %s of restore %s"
                                    .formatted(
                                            answer.getStatus().getPhase(),
                                            RegistryView.uuid(answer.getStatus().getRestore())));
        };
    }

    private static String unknown(RestoreResponse answer) {
        return answer.getMissingCount() == 0
                ? "the registry does not know that datacenter, or its pipeline is not from the backup, so there is nothing to report"
                : "the registry has no place for %s (slot/generation): slots from before the restore have numbers up to %d. Either the output is of another registry, or the clock was behind where 'restore' began. If it was, restore again, with empty servers and a correct clock"
                        .formatted(answer.getMissingList(), answer.getStatus().getSlotsBelow());
    }

    LoadIdsResponse load(LoadIdsRequest.Builder request)
            throws LeaderCalls.UndecidedException, RefusedException {
        LoadIdsResponse answer =
                leaders.ask(
                        RegistryRestoreGrpc.getLoadIdsMethod(),
                        request.build(),
                        LoadIdsResponse::getProgress);
        if (answer.getFeatureLevelTooLow() > 0) {
            throw new RefusedException(
                    "ids that are joined unmatched need feature level %d, and the registry stands at %d: run 'photon upgrade finalize' first"
                            .formatted(
                                    FeatureLevel.UNMATCHED_KIND, answer.getFeatureLevelTooLow()));
        }
        return answer;
    }
}
