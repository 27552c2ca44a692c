package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.proto.v1.DiskState;
import photon.proto.v1.IntroduceResponse;

/**
 * First starts in random orders: answers that are lost or come late, crashes, and a minority of the
 * disks wiped at any moment. Whatever a majority that had begun could confirm, some disk of every
 * later majority that has begun knows.
 */
class FirstStartModelTest {
    private static final int RUNS = 3_000;
    private static final int STEPS_A_SERVER = 150;

    /** A disk, for as long as it is not wiped. */
    private static final class Disk {
        final int server;
        final int id;
        DiskState state = DiskState.DISK_BLANK;
        FirstStart start;

        Disk(int server, int id, List<String> names) {
            this.server = server;
            this.id = id;
            this.start = new FirstStart(names.get(server), names, false);
        }

        boolean begun() {
            return state == DiskState.DISK_STARTED;
        }
    }

    /** On its way to who asked. */
    private record Answer(Disk asker, FirstStart question, String from, IntroduceResponse says) {}

    private final List<String> names = new ArrayList<>();
    private final List<Disk> disks = new ArrayList<>();
    private final List<Answer> underWay = new ArrayList<>();
    private final List<Set<Integer>> begun = new ArrayList<>();
    private int made;
    private int formed;

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void whatAMajorityConfirmedIsKnownToEveryLaterOne(int servers) {
        for (int seed = 0; seed < RUNS; seed++) {
            run(servers, new Random(seed));
            for (int i = 0; i < begun.size(); i++) {
                for (int j = i + 1; j < begun.size(); j++) {
                    assertThat(disjointMajorities(begun.get(i), begun.get(j), servers / 2 + 1))
                            .as("seed %d: %s, then %s", seed, begun.get(i), begun.get(j))
                            .isFalse();
                }
            }
        }
        assertThat(formed).as("runs in which a registry came to be").isGreaterThan(RUNS / 3);
    }

    private void run(int servers, Random random) {
        names.clear();
        disks.clear();
        underWay.clear();
        begun.clear();
        IntStream.range(0, servers).forEach(n -> names.add("r" + n));
        IntStream.range(0, servers).forEach(n -> disks.add(new Disk(n, ++made, names)));
        int wipes = random.nextInt(servers / 2 + 1);
        for (int step = 0; step < servers * STEPS_A_SERVER; step++) {
            Disk disk = disks.get(random.nextInt(servers));
            int what = random.nextInt(60);
            if (what == 0 && wipes > 0) {
                wipes--;
                disks.set(disk.server, new Disk(disk.server, ++made, names));
            } else if (what == 1 && !disk.begun()) {
                // A crash: only what was written down is known.
                disk.start =
                        new FirstStart(
                                names.get(disk.server),
                                names,
                                disk.state == DiskState.DISK_CLEARED);
            } else if (what < 22 && !disk.begun()) {
                ask(disk, disks.get(random.nextInt(servers)));
            } else if (what < 48 && !underWay.isEmpty()) {
                arrive(underWay.remove(random.nextInt(underWay.size())));
            } else if (!disk.begun()) {
                act(disk);
            }
            note(servers);
        }
        formed += begun.isEmpty() ? 0 : 1;
    }

    /** The question arrives at once, and the answer when it likes, or never. */
    private void ask(Disk asker, Disk asked) {
        if (asker.server != asked.server) {
            String name = names.get(asked.server);
            underWay.add(
                    new Answer(
                            asker,
                            asker.start,
                            name,
                            IntroduceResponse.newBuilder()
                                    .setName(name)
                                    .setState(asked.state)
                                    .addAllServers(names)
                                    .build()));
        }
    }

    /** A disk that is gone, or a process that has ended, hears nothing. */
    private void arrive(Answer answer) {
        if (disks.contains(answer.asker()) && answer.asker().start == answer.question()) {
            answer.asker().start.heard(answer.from(), answer.says());
        }
    }

    private static void act(Disk disk) {
        switch (disk.start.next()) {
            case CLEAR -> {
                disk.state = DiskState.DISK_CLEARED;
                disk.start.cleared();
            }
            case BEGIN -> disk.state = DiskState.DISK_STARTED;
            default -> {
                // It asks, or the control group refuses it.
            }
        }
    }

    private void note(int servers) {
        Set<Integer> now = new HashSet<>();
        disks.stream().filter(Disk::begun).forEach(disk -> now.add(disk.id));
        if (now.size() > servers / 2 && !begun.contains(now)) {
            begun.add(now);
        }
    }

    /** True if a majority of the first and one of the second have no disk in common. */
    private static boolean disjointMajorities(Set<Integer> a, Set<Integer> b, int majority) {
        Set<Integer> common = new HashSet<>(a);
        common.retainAll(b);
        int fromCommonForA = Math.max(0, majority - (a.size() - common.size()));
        int fromCommonForB = Math.max(0, majority - (b.size() - common.size()));
        return fromCommonForA + fromCommonForB <= common.size();
    }
}
