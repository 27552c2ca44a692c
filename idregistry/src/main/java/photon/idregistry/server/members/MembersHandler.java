package photon.idregistry.server.members;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.groups.ControlRequests;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.proto.v1.IntroduceRequest;
import photon.proto.v1.IntroduceResponse;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.Roster;

/**
 * Answers about members and their disks (docs/protocol.md section 11). Runs in the server's loop.
 */
public final class MembersHandler {
    private static final Logger LOG = LoggerFactory.getLogger(MembersHandler.class);

    private final RegistryServerConfig config;
    private final OwnDisk disk;
    private final Groups groups;
    private final MembershipReconciler membership;
    private final Stamping stamping;

    public MembersHandler(
            RegistryServerConfig config,
            OwnDisk disk,
            Groups groups,
            MembershipReconciler membership,
            Stamping stamping) {
        this.config = config;
        this.disk = disk;
        this.groups = groups;
        this.membership = membership;
        this.stamping = stamping;
    }

    /** From this server's own state, stale perhaps: what it knows of disks stays true. */
    public void introduce(IntroduceRequest request, Consumer<IntroduceResponse> respond) {
        MemberDisk asker = groups.control().read(state -> state.member(request.getName()));
        IntroduceResponse.Builder answer =
                DiskAdmission.self(config, disk)
                        .setAsker(asker)
                        .setRosterVersion(roster().getVersion());
        if (request.getLed()) {
            answer.addAllLed(membership.led());
        }
        respond.accept(answer.build());
    }

    private Roster roster() {
        return groups.control().read(ControlState::roster);
    }

    private boolean isKnown(String name, Roster roster) {
        return config.names().contains(name) || roster.getServersList().contains(name);
    }

    public void admit(AdmitDiskRequest request, Consumer<AdmitDiskResponse> respond) {
        Roster roster = roster();
        if (request.getNumber() == 0
                && roster.getVersion() > 0
                && !roster.getServersList().contains(request.getName())
                && !groups.control().read(s -> s.member(request.getName())).getLeaving()
                && groups.control().log().leads()) {
            // It asks again until it was added: that needs no entry each time.
            respond.accept(
                    AdmitDiskResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(AdmitDiskResponse.Verdict.NOT_A_MEMBER)
                            .build());
            return;
        }
        if (!isKnown(request.getName(), roster)) {
            RequestValidation.malformed("disk");
            respond.accept(AdmitDiskResponse.getDefaultInstance());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.admitDisk(request)),
                AdmitDiskResponse.parser(),
                respond,
                progress ->
                        respond.accept(
                                AdmitDiskResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(groups.control().leader())
                                        .build()));
    }

    public void replace(ReplaceMemberRequest request, Consumer<ReplaceMemberResponse> respond) {
        if (!isKnown(request.getName(), roster())) {
            respond.accept(
                    ReplaceMemberResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(ReplaceMemberResponse.Verdict.UNKNOWN_MEMBER)
                            .build());
            return;
        }
        ReplaceMemberRequest counted =
                request.toBuilder().setServers(config.peers().size()).build();
        submit(
                stamping.stamped(request.getActor(), ControlEntries.replaceMember(counted)),
                ReplaceMemberResponse.parser(),
                response -> {
                    LOG.info(
                            "Disk {} of {} is to be replaced: {}",
                            request.getNumber(),
                            request.getName(),
                            response.getVerdict());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                ReplaceMemberResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(groups.control().leader())
                                        .build()));
    }

    public void changeRoster(ChangeRosterRequest request, Consumer<ChangeRosterResponse> respond) {
        if (request.getChange() == ChangeRosterRequest.Change.ADD
                && !config.names().contains(request.getName())
                && groups.control().log().leads()) {
            respond.accept(
                    ChangeRosterResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(ChangeRosterResponse.Verdict.NO_ADDRESS)
                            .setRoster(roster())
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.changeRoster(request)),
                ChangeRosterResponse.parser(),
                response -> {
                    LOG.info(
                            "{} {} of roster {}: {}",
                            request.getChange(),
                            request.getName(),
                            request.getVersion(),
                            response.getVerdict());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                ChangeRosterResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(groups.control().leader())
                                        .build()));
    }

    public void finalizeUpgrade(
            FinalizeUpgradeRequest request, Consumer<FinalizeUpgradeResponse> respond) {
        int level = groups.control().read(ControlState::featureLevel);
        if (level < FeatureLevel.RAISED_BY_OPERATOR) {
            // It never falls: a replica that lags refuses for a moment what it might write.
            respond.accept(
                    FinalizeUpgradeResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(FinalizeUpgradeResponse.Verdict.RAISED_BY_ITSELF)
                            .setFeatureLevel(level)
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.finalizeUpgrade(request)),
                FinalizeUpgradeResponse.parser(),
                response -> {
                    LOG.info(
                            "The upgrade to feature level {} is to be finalized: {}, the level is {}",
                            request.getFeatureLevel(),
                            response.getVerdict(),
                            response.getFeatureLevel());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                FinalizeUpgradeResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(groups.control().leader())
                                        .build()));
    }

    private <R extends Message> void submit(
            byte[] entry, Parser<R> parser, Consumer<R> applied, Consumer<Progress> refused) {
        ControlRequests.submit(groups, "disk", entry, parser, applied, refused);
    }
}
