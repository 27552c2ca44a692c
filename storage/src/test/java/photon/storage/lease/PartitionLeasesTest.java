package photon.storage.lease;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.storage.document.DocumentFolder;
import photon.storage.files.LoggedWarnings;
import photon.storage.files.MemoryFileStore;
import photon.storage.state.StatePartitions;

class PartitionLeasesTest {
    private static final int COUNT = 4;

    private final MemoryFileStore files = new MemoryFileStore();
    private final StatePartitions state = new StatePartitions("/state/one", COUNT);
    private final List<String> stopped = new ArrayList<>();
    private long usedBefore;

    /** A process with a clock of its own, which stands still while it sleeps. */
    private final class Worker implements PartitionLeases.Work {
        private final ManualLoop loop = new ManualLoop();
        private final TreeMap<Integer, Long> works = new TreeMap<>();
        private final List<Runnable> ending = new ArrayList<>();
        private final PartitionLeases leases;
        private final Set<Integer> cannot = new HashSet<>();
        private final Set<Integer> damaged = new HashSet<>();
        private int lastNumbers;
        private boolean endsAtOnce = true;

        /** As where the registry does not answer. */
        private Duration failsAfter = Duration.ZERO;

        private int takings;

        /** What one taking costs. */
        private Duration takes = Duration.ZERO;

        Worker(String name) {
            leases =
                    PartitionLeases.join(
                            loop,
                            files,
                            state,
                            new Node(name, name + ":7402", 1, PartitionLeases.TERM.toMillis()),
                            new SplittableRandom(name.hashCode()),
                            this,
                            (where, lost) -> stopped.add(name + ": " + lost.getMessage()));
        }

        @Override
        public long lastNumber(int partition) throws IOException {
            lastNumbers++;
            if (damaged.contains(partition)) {
                throw new IOException("damaged");
            }
            return usedBefore;
        }

        @Override
        public void begin(int partition, long number, Runnable failed) {
            takings++;
            if (cannot.contains(partition)) {
                if (failsAfter.isZero()) {
                    failed.run();
                } else {
                    loop.schedule(failsAfter, failed);
                }
            } else {
                works.put(partition, number);
            }
            loop.advance(takes);
        }

        @Override
        public void end(int partition, Runnable ended) {
            Runnable end =
                    () -> {
                        works.remove(partition);
                        ended.run();
                    };
            if (endsAtOnce) {
                end.run();
            } else {
                ending.add(end);
            }
        }
    }

    private static void pass(Duration time, Worker... awake) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds++) {
            for (Worker one : awake) {
                one.loop.advance(Duration.ofSeconds(1));
                one.loop.runUntilIdle();
            }
        }
    }

    private Worker started(String name) {
        Worker made = new Worker(name);
        pass(Duration.ofSeconds(2), made);
        return made;
    }

    /** It tries again within seconds: without end, and without a line each. */
    @Test
    void aTroubleThatLastsIsToldEveryTenMinutesWithoutAStack() {
        Worker first = started("a");
        try (LoggedWarnings warnings = new LoggedWarnings(PartitionLeases.class)) {
            first.damaged.addAll(Set.of(0, 1, 2, 3));
            Worker second = started("b");
            second.damaged.addAll(first.damaged);
            pass(Duration.ofMinutes(9), first, second);
            assertThat(warnings.texts())
                    .filteredOn(text -> text.startsWith("Partition "))
                    .isNotEmpty()
                    .as("of each of the two, once per partition")
                    .hasSizeLessThanOrEqualTo(2 * COUNT)
                    .allSatisfy(
                            text ->
                                    assertThat(text)
                                            .endsWith("is left to others in /state/one: damaged"));
        }
    }

    @Test
    void aStateThatCannotBeWrittenIsToldOnce() {
        Worker waits = new Worker("a");
        files.setCapacityBytes(0);
        try (LoggedWarnings warnings = new LoggedWarnings(PartitionLeases.class)) {
            pass(Duration.ofMinutes(9), waits);
            assertThat(warnings.texts())
                    .singleElement()
                    .asString()
                    .startsWith("The node list and the leases in /state/one cannot be read");
            pass(Duration.ofMinutes(2), waits);
            assertThat(warnings.texts()).hasSize(2);
        }
        files.setCapacityBytes(Long.MAX_VALUE);
        pass(Duration.ofSeconds(20), waits);
        assertThat(waits.works).hasSize(COUNT);
    }

    @Test
    void oneAloneHasAllAndASecondHalfOfThem() {
        Worker first = started("a");
        assertThat(first.works).hasSize(COUNT);
        Worker second = started("b");
        pass(Duration.ofSeconds(15), first, second);
        assertThat(first.works).hasSize(2);
        assertThat(second.works).hasSize(2).doesNotContainKeys(first.works.firstKey());
        pass(Duration.ofMinutes(10), first, second);
        assertThat(first.works).hasSize(2);
        assertThat(stopped).isEmpty();
    }

    /** What is being given back is nobody else's until it is. */
    @Test
    void aPartitionIsTakenOnlyWhenTheWorkOnItHasEnded() {
        Worker first = started("a");
        first.endsAtOnce = false;
        Worker second = started("b");
        pass(Duration.ofMinutes(2), first, second);
        assertThat(second.works).isEmpty();
        first.ending.forEach(Runnable::run);
        pass(Duration.ofSeconds(6), first, second);
        assertThat(second.works).hasSize(2);
        assertThat(stopped).isEmpty();
    }

    @Test
    void whoSleepsIsFollowedWithHigherNumbersAndStopsWhenItWakes() {
        Worker first = started("a");
        Worker second = started("b");
        pass(Duration.ofSeconds(15), first, second);
        pass(Duration.ofSeconds(14), second);
        assertThat(second.works).hasSize(2);
        // A term and a pause after its last renewal.
        pass(Duration.ofSeconds(8), second);
        assertThat(second.works).hasSize(COUNT);
        first.works.forEach(
                (partition, number) ->
                        assertThat(second.works.get(partition)).isGreaterThan(number));
        // It renews as if no time had passed, which its own clock tells it.
        pass(Duration.ofSeconds(6), first);
        assertThat(stopped).singleElement().asString().contains("a: ", "has taken over partition");
    }

    @Test
    void whoCannotRenewStopsBeforeAnotherMayTakeOver() {
        Worker first = started("a");
        outage();
        pass(Duration.ofSeconds(9), first);
        assertThat(stopped).isEmpty();
        pass(Duration.ofSeconds(11), first);
        assertThat(stopped).singleElement().asString().contains("could not renew");
    }

    @Test
    void aShortOutageStopsNobodyWhateverItCutsOff() {
        Worker first = started("a");
        for (int i = 0; i < 40; i++) {
            int[] left = {i % 13};
            files.setHook(
                    (operation, path) -> {
                        if (left[0]-- <= 0) {
                            throw new IOException("out of reach");
                        }
                    });
            pass(Duration.ofSeconds(6), first);
            files.setHook((operation, path) -> {});
            pass(Duration.ofSeconds(12), first);
        }
        assertThat(stopped).isEmpty();
        assertThat(first.works).hasSize(COUNT);
    }

    /** Otherwise it would be nobody's as long as its holder lives. */
    @Test
    void whatCouldNotBeGivenBackIsGivenBackLater() {
        Worker first = started("a");
        first.endsAtOnce = false;
        Worker second = started("b");
        pass(Duration.ofSeconds(10), first, second);
        outage();
        first.ending.forEach(Runnable::run);
        pass(Duration.ofSeconds(2), first);
        files.setHook((operation, path) -> {});
        pass(Duration.ofSeconds(15), first, second);
        assertThat(second.works).hasSize(2);
        assertThat(stopped).isEmpty();
    }

    @Test
    void theSameOneStartedAgainDoesNotWait() {
        Worker first = started("a");
        Worker again = started("a");
        assertThat(again.works).hasSize(COUNT);
        assertThat(again.works.get(0)).isGreaterThan(first.works.get(0));
    }

    @Test
    void whoLeavesGivesAllBackAtOnce() {
        Worker first = started("a");
        Worker second = started("b");
        pass(Duration.ofSeconds(15), first, second);
        first.leases.leave(() -> {});
        pass(Duration.ofSeconds(6), first, second);
        assertThat(second.works).hasSize(COUNT);
        assertThat(stopped).isEmpty();
    }

    /** Not all at one: it is tried once in a while, and by others. */
    @Test
    void whatOneCannotWorkOnAnotherOneTakes() {
        Worker first = new Worker("a");
        first.cannot.add(2);
        pass(Duration.ofSeconds(60), first);
        assertThat(first.works).hasSize(COUNT - 1).doesNotContainKey(2);
        assertThat(first.takings).isBetween(COUNT, COUNT + 4);
        Worker second = started("b");
        pass(Duration.ofSeconds(60), first, second);
        assertThat(second.works).containsKey(2);
        assertThat(stopped).isEmpty();
    }

    /** As on a machine that does not reach the registry: it lives, and can begin nothing. */
    @Test
    void oneThatCanBeginNothingKeepsNothingFromOthers() {
        Worker first = new Worker("a");
        for (int partition = 0; partition < COUNT; partition++) {
            first.cannot.add(partition);
        }
        first.failsAfter = Duration.ofSeconds(30);
        Worker second = started("b");
        pass(Duration.ofMinutes(2), first, second);
        // It asks for a part of its share again, more and more seldom, and each time loses it.
        int before = first.takings;
        int whole = 0;
        for (int i = 0; i < 180; i++) {
            pass(Duration.ofSeconds(10), first, second);
            assertThat(second.works.size()).isGreaterThanOrEqualTo(COUNT - 1);
            whole += second.works.size() == COUNT ? 1 : 0;
        }
        assertThat(first.takings - before).isBetween(3, 12);
        assertThat(whole).isGreaterThan(140);
        first.cannot.clear();
        pass(Duration.ofMinutes(25), first, second);
        assertThat(first.works).hasSize(2);
        assertThat(second.works).hasSize(2);
        assertThat(stopped).isEmpty();
    }

    /** Each look would end at it otherwise, and the next one come at once. */
    @Test
    void aPartitionWhoseStateIsDamagedHoldsUpNoOther() {
        Worker first = new Worker("a");
        first.damaged.addAll(Set.of(0, 1, 2));
        pass(Duration.ofSeconds(60), first);
        assertThat(first.works).hasSize(COUNT - 3).doesNotContainKeys(0, 1, 2);
        assertThat(first.lastNumbers).isBetween(COUNT, COUNT + 3 * 4);
        assertThat(stopped).isEmpty();
    }

    /** Otherwise many partitions would take longer than it may go without a renewal. */
    @Test
    void whoTakesForLongRenewsInBetween() {
        Worker first = new Worker("a");
        first.takes = Duration.ofSeconds(4);
        pass(Duration.ofSeconds(60), first);
        assertThat(first.works).hasSize(COUNT);
        assertThat(stopped).isEmpty();
    }

    /** A new life may have other processors. */
    @Test
    void anEntryIsReadAgainWhileItGoesOn() throws IOException {
        NodeList list = new NodeList(files, state.nodes());
        NodeList others = new NodeList(files, state.nodes());
        list.make();
        list.write(0, new Node("a", "h:1", 8, 20_000));
        assertThat(capacity(others)).isEqualTo(8);
        for (long version = 1; version <= 8; version++) {
            list.write(version, new Node("a", "h:1", 4, 20_000));
            others.look();
        }
        assertThat(capacity(others)).isEqualTo(4);
    }

    private static int capacity(NodeList list) throws IOException {
        return requireNonNull(list.look().get("a")).node().capacity();
    }

    /** It lives, which its version says; and nobody is held up by it. */
    @Test
    void anEntryThatCannotBeUnderstoodHoldsUpNobody() throws IOException {
        DocumentFolder folder = new DocumentFolder(files, state.nodes());
        folder.make();
        folder.write("damaged", 0, new byte[] {'n', 'u', 'l', 'l'});
        Worker first = started("a");
        pass(Duration.ofSeconds(60), first);
        assertThat(first.works).hasSize(COUNT);
    }

    @Test
    void aLeaseThatCannotBeReadHoldsUpNoOther() throws IOException {
        DocumentFolder folder = new DocumentFolder(files, state.leases());
        folder.make();
        folder.write("partition-1", 0, new byte[] {'n', 'u', 'l', 'l'});
        Worker first = started("a");
        assertThat(first.works).containsKeys(0, 2, 3);
        assertThat(stopped).isEmpty();
    }

    /** What it took while its work ends would be worked on by nobody. */
    @Test
    void whoIsAboutToLeaveTakesNothing() {
        Worker first = started("a");
        Worker second = started("b");
        pass(Duration.ofSeconds(15), first, second);
        second.leases.takeNoMore();
        pass(Duration.ofMinutes(2), second);
        assertThat(second.works).hasSize(2);
        assertThat(stopped).isEmpty();
    }

    /** The state may have been used before by one that had a lock. */
    @Test
    void itsNumberIsAboveThatOfEveryOwnerBefore() {
        usedBefore = 41;
        assertThat(started("a").works).containsEntry(0, 42L);
    }

    /** Another process's: two that go on under one name would not fence each other. */
    @Test
    void whoseEntryIsTakenStops() throws IOException {
        Worker first = started("a");
        new NodeList(files, state.nodes()).remove("a");
        pass(Duration.ofSeconds(6), first);
        assertThat(stopped).singleElement().asString().contains("another process uses its name, a");
    }

    @Test
    void theEntryOfOneThatNeverComesBackIsRemoved() throws IOException {
        Worker first = started("a");
        started("b");
        pass(Duration.ofMinutes(50), first);
        assertThat(new NodeList(files, state.nodes()).look()).containsOnlyKeys("a", "b");
        pass(Duration.ofMinutes(15), first);
        assertThat(new NodeList(files, state.nodes()).look()).containsOnlyKeys("a");
    }

    /** One listing for all nodes and one for all leases, however many these are. */
    @Test
    void aTurnInWhichNothingChangesReadsNoDocument() {
        Worker first = started("a");
        int[] opened = {0};
        files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.OPEN
                            && path.startsWith(state.leases())) {
                        opened[0]++;
                    }
                });
        pass(Duration.ofMinutes(1), first);
        assertThat(opened[0]).isZero();
    }

    private void outage() {
        files.setHook(
                (operation, path) -> {
                    throw new IOException("out of reach");
                });
    }

    @Test
    void aFolderTellsTheNewestVersionOfEach() throws IOException {
        DocumentFolder folder = new DocumentFolder(files, "/docs");
        assertThat(folder.versions()).isEmpty();
        folder.make();
        folder.write("a", 0, new byte[] {1});
        folder.write("a", 1, new byte[] {2});
        folder.write("b.c", 0, new byte[] {3});
        assertThat(folder.versions()).containsExactly(entry("a", 2), entry("b.c", 1));
        folder.remove("a");
        assertThat(folder.versions()).containsExactly(entry("b.c", 1));
        assertThat(folder.read("b.c").orElseThrow().content()).containsExactly(3);
    }

    private static java.util.Map.Entry<String, Long> entry(String name, long version) {
        return java.util.Map.entry(name, version);
    }
}
