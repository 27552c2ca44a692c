package photon.testbed.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.ReplaceMemberResponse;
import photon.registry.admin.MemberSession;
import photon.registry.admin.MembersView;

/**
 * A replica's disk dies: {@code kill -9}, its directory is deleted, the disk is declared lost, and
 * the replica is started with an empty one. Over when it is a member of every group.
 */
record ReplaceMember(ChaosTarget site) implements ChaosAction {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long JOINED_WITHIN_NANOS = Duration.ofMinutes(3).toNanos();
    private static final long LOOK_EVERY_MILLIS = 500;

    @Override
    public ActionKind kind() {
        return ActionKind.REPLACE_MEMBER;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException {
        ChaosReplicas replicas = site.replicas();
        int victim =
                planned.pick() % 2 == 0
                        ? replicas.anyLeader(planned.pick())
                        : planned.pick() / 2 % replicas.size();
        String name = ChaosLayout.name(victim);
        int number = disk(name, victim).getNumber();
        moment.tell("replica " + victim + ", disk number " + number);
        replicas.kill(List.of(victim));
        replicas.deleteDisk(victim);
        replace(name, number);
        replicas.start(List.of(victim));
        long end = System.nanoTime() + JOINED_WITHIN_NANOS;
        while (!joined(replicas.members(), name, number + 1)) {
            if (System.nanoTime() - end > 0) {
                throw new TroubleException(
                        "Expected %s to be a member of every group within %d s of its start with a blank disk, but: %s"
                                .formatted(
                                        name,
                                        Duration.ofNanos(JOINED_WITHIN_NANOS).toSeconds(),
                                        replicas.members().toText()));
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
        moment.undone();
        site.awaitCommits("a disk was replaced");
        return "done";
    }

    /** Known by anybody: else it could not be replaced. */
    private MemberDisk disk(String name, int victim) throws InterruptedException {
        ChaosTarget.await(
                "the disk of replica " + victim + " to be known",
                () -> !site.replicas().members().disk(name).getDisk().isEmpty());
        return site.replicas().members().disk(name);
    }

    private void replace(String name, int number) {
        try {
            ReplaceMemberResponse answer =
                    new MemberSession(site.replicas().services(), PATIENCE, RpcSecurity.PLAINTEXT)
                            .replace(name, number);
            if (answer.getVerdict() != ReplaceMemberResponse.Verdict.AWAITED) {
                throw new TroubleException(
                        "Expected the disk of %s to be replaced, but: %s"
                                .formatted(name, answer.getVerdict()));
            }
        } catch (TimeoutException e) {
            throw new TroubleException(
                    "Expected the disk of %s to be replaced: %s".formatted(name, e.getMessage()));
        }
    }

    private static boolean joined(MembersView members, String name, int number) {
        MemberDisk disk = members.disk(name);
        return disk.getNumber() == number
                && !disk.getDisk().isEmpty()
                && !disk.getJoining()
                && members.isThere(name);
    }
}
