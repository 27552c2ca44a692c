package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.HOUR;
import static photon.storage.output.OutputFixture.HOUR_MICROS;
import static photon.storage.output.OutputFixture.checkSealed;
import static photon.storage.output.OutputFixture.published;
import static photon.storage.output.OutputFixture.record;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.hash.Sha256;
import photon.core.time.IntervalClock.Interval;
import photon.storage.files.MemoryFileStore;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.output.OutputFixture.Died;
import photon.storage.output.WorkDirectory.WorkLog;

/** Crashes at every file operation, zombies and second sealers between any two of them. */
class IncarnationSealingTest {
    private static final int LOGS = 3;
    private static final int RECORDS = 4;
    private static final long AN_HOUR_MICROS = 3_600_000_000L;
    private static final AtomicLong HOURS = new AtomicLong();

    /** Each look at its clock is an hour later: whoever goes on does so in another hour. */
    private static OutputDirectory open(MemoryFileStore files) throws IOException {
        return OutputFixture.open(
                files,
                DIRECTORY,
                () -> {
                    long now = HOUR_MICROS + AN_HOUR_MICROS * HOURS.incrementAndGet();
                    return new Interval(now, now);
                });
    }

    /** A joiner's life: logs one after the other, each published but for the last. */
    private static final class Joiner {
        final Set<Integer> synced = new HashSet<>();
        final Set<Integer> written = new HashSet<>();
        private @Nullable WorkLog open;
        private @Nullable WorkDirectory work;
        private int n;

        void run(OutputDirectory output) throws IOException {
            work = output.createWorkDirectory(EAST);
            for (int i = 0; i < LOGS; i++) {
                WorkLog log = work.createLog();
                open = log;
                write(log, i == 1 ? 0 : RECORDS); // the second stays empty
                log.finish();
                synced.addAll(written);
                work.publish(log);
            }
            WorkLog log = work.createLog();
            open = log;
            write(log, RECORDS);
            log.sync();
            synced.addAll(written);
            write(log, RECORDS);
        }

        private void write(WorkLog log, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                n++;
                written.add(n);
                log.append(record(n));
                if (i % 2 == 1) {
                    log.flush();
                }
            }
        }

        /** What a process does that does not know yet that it is dead. */
        void goOnAsAZombie(OutputDirectory output) {
            attempt(
                    () -> {
                        if (open != null) {
                            open.append(record(++n));
                            open.sync();
                        }
                    });
            attempt(
                    () -> {
                        if (work != null && open != null) {
                            open.finish();
                            work.publish(open);
                        }
                    });
            attempt(
                    () -> {
                        if (work != null) {
                            WorkLog next = work.createLog();
                            next.append(record(++n));
                            next.finish();
                            work.publish(next);
                        }
                    });
            attempt(() -> output.createWorkDirectory(EAST));
        }

        private static void attempt(Step step) {
            try {
                step.run();
            } catch (IOException | photon.core.error.BugException e) {
                // it has found out
            }
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Dies before the n-th operation that changes something. */
    private static void dieAt(MemoryFileStore files, int operation) {
        int[] count = {0};
        files.setHook(
                (what, path) -> {
                    if (what.changes() && ++count[0] == operation) {
                        throw new Died(what + " " + path);
                    }
                });
    }

    /** True if the step came to its end before. */
    private static boolean runsThrough(Step step) throws IOException {
        try {
            step.run();
            return true;
        } catch (Died e) {
            return false;
        }
    }

    @Test
    void aPowerCutAtAnyOperationOfAJoinerLosesNothingSynced() throws IOException {
        for (int seed = 0; seed < 6; seed++) {
            boolean through = false;
            for (int at = 1; !through; at++) {
                MemoryFileStore files = new MemoryFileStore(seed * 1_000L + at);
                Joiner joiner = new Joiner();
                dieAt(files, at);
                through = runsThrough(() -> joiner.run(open(files)));
                files.setHook((what, path) -> {});
                files.crash();
                Map<String, String> before = published(files, DIRECTORY);
                OutputDirectory output = open(files);
                output.seal(EAST);
                checkSealed(files, output, joiner.synced, joiner.written);
                assertThat(published(files, DIRECTORY)).containsAllEntriesOf(before);
                assertThat(at).isLessThan(10_000);
            }
        }
    }

    @Test
    void aPowerCutAtAnyOperationOfASealingIsRepairedByTheNext() throws IOException {
        for (int seed = 0; seed < 4; seed++) {
            boolean through = false;
            for (int at = 1; !through; at++) {
                MemoryFileStore files = new MemoryFileStore(seed * 1_000L + at);
                Joiner joiner = new Joiner();
                dieHalfWay(files, joiner, seed);
                files.crash();
                OutputDirectory output = open(files);
                dieAt(files, at);
                through = runsThrough(() -> output.seal(EAST));
                files.setHook((what, path) -> {});
                Map<String, String> before = Map.of();
                if (through) {
                    before = published(files, DIRECTORY); // SEALED says: all this is durable
                    assertThat(output.isSealed(EAST)).isTrue();
                }
                files.crash();
                OutputDirectory again = open(files);
                assertThat(again.isSealed(EAST) || !through).isTrue();
                Map<String, String> standing = published(files, DIRECTORY);
                assertThat(standing).containsAllEntriesOf(before);
                again.seal(EAST);
                checkSealed(files, again, joiner.synced, joiner.written);
                assertThat(published(files, DIRECTORY)).containsAllEntriesOf(standing);
                assertThat(at).isLessThan(10_000);
            }
        }
    }

    @Test
    void aFailureOfAnyOperationOfASealingIsRepairedByTheNext() throws IOException {
        for (Operation operation : Operation.values()) {
            boolean failed = true;
            for (int at = 1; failed; at++) {
                MemoryFileStore files = new MemoryFileStore(at);
                Joiner joiner = new Joiner();
                dieHalfWay(files, joiner, at);
                files.endHandles();
                OutputDirectory output = open(files);
                files.failAt(operation, at);
                failed = false;
                try {
                    output.seal(EAST);
                } catch (IOException e) {
                    failed = true;
                }
                files.failAt(operation, Integer.MAX_VALUE);
                output.seal(EAST);
                checkSealed(files, output, joiner.synced, joiner.written);
            }
        }
    }

    @Test
    void aSealingIsAnsweredOnlyWhenAPowerCutCannotTakeItBack() throws IOException {
        for (int seed = 0; seed < 10; seed++) {
            boolean answered = false;
            for (int at = 1; !answered; at++) {
                MemoryFileStore files = new MemoryFileStore(seed);
                Joiner joiner = new Joiner();
                dieHalfWay(files, joiner, seed);
                files.endHandles();
                OutputDirectory output = open(files);
                failSyncsOfDirectoriesFrom(files, at);
                try {
                    output.seal(EAST);
                    answered = true;
                } catch (IOException e) {
                    continue;
                }
                files.setHook((what, path) -> {});
                files.crashLosingAllUnsynced();
                checkSealed(files, open(files), joiner.synced, joiner.written);
            }
        }
    }

    private static void failSyncsOfDirectoriesFrom(MemoryFileStore files, int n) {
        int[] count = {0};
        files.setHook(
                (what, path) -> {
                    if (what == Operation.SYNC_DIRECTORY && ++count[0] >= n) {
                        throw new IOException("planned: the sync fails of " + path);
                    }
                });
    }

    @Test
    void whatAZombieDoesBetweenAnyTwoStepsOfASealingIsNeverHalfPublished() throws IOException {
        boolean reached = true;
        for (int at = 1; reached; at++) {
            MemoryFileStore files = new MemoryFileStore(at);
            Joiner joiner = new Joiner();
            joiner.run(open(files));
            OutputDirectory output = open(files);
            int[] count = {0};
            int turn = at;
            Set<Integer> mayBePublished = new HashSet<>(joiner.written);
            files.setHook(
                    (what, path) -> {
                        if (++count[0] == turn) {
                            files.setHook((w, p) -> {});
                            boolean moved = stands(files, "");
                            boolean frozen = stands(files, "/frozen-000004.log");
                            Map<String, String> published = published(files, DIRECTORY);
                            joiner.goOnAsAZombie(output);
                            if (!moved) { // nothing has begun: it is no zombie yet
                                mayBePublished.add(joiner.n - 1);
                                mayBePublished.add(joiner.n);
                            } else {
                                assertThat(published(files, DIRECTORY)).isEqualTo(published);
                                if (!frozen) { // synced before the copy
                                    mayBePublished.add(joiner.n);
                                }
                            }
                        }
                    });
            output.seal(EAST);
            files.setHook((what, path) -> {});
            reached = count[0] >= turn;
            Map<String, String> sealed = published(files, DIRECTORY);
            Set<Integer> written = mayBePublished;
            checkSealed(files, output, joiner.synced, written);
            joiner.goOnAsAZombie(output);
            output.seal(EAST);
            assertThat(published(files, DIRECTORY)).isEqualTo(sealed);
            assertThatThrownBy(() -> output.createWorkDirectory(EAST))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(at).isLessThan(10_000);
        }
    }

    @Test
    void twoSealersAtOnceAgreeWhereverTheSecondComesIn() throws IOException {
        boolean reached = true;
        for (int at = 1; reached; at++) {
            MemoryFileStore files = new MemoryFileStore(at);
            Joiner joiner = new Joiner();
            dieHalfWay(files, joiner, at);
            files.endHandles();
            OutputDirectory first = open(files);
            OutputDirectory second = open(files);
            int[] count = {0};
            int turn = at;
            files.setHook(
                    (what, path) -> {
                        if (++count[0] == turn) {
                            second.seal(EAST);
                        }
                    });
            first.seal(EAST);
            files.setHook((what, path) -> {});
            reached = count[0] >= turn;
            checkSealed(files, first, joiner.synced, joiner.written);
            assertThat(at).isLessThan(10_000);
        }
    }

    @Test
    void aSealerThatDiesInsideAnotherWithAZombieAtWorkLeavesOneContentAName() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            MemoryFileStore files = new MemoryFileStore(seed);
            Joiner joiner = new Joiner();
            joiner.run(open(files));
            OutputDirectory output = open(files);
            int zombieAt = 1 + random.nextInt(120);
            int secondAt = 1 + random.nextInt(120);
            int dieAfter = 1 + random.nextInt(120);
            int[] count = {0};
            files.setHook(
                    (what, path) -> {
                        count[0]++;
                        if (count[0] == zombieAt) {
                            joiner.goOnAsAZombie(output);
                        }
                        if (count[0] == secondAt) {
                            output.seal(EAST);
                        }
                        if (count[0] == secondAt + dieAfter) {
                            throw new Died(what + " " + path);
                        }
                    });
            boolean through = runsThrough(() -> output.seal(EAST));
            files.setHook((what, path) -> {});
            if (!through && random.nextBoolean()) {
                files.crash();
            }
            Map<String, String> before = published(files, DIRECTORY);
            OutputDirectory again = open(files);
            again.seal(EAST);
            Set<Integer> written = new HashSet<>(joiner.written);
            for (int n = 1; n <= joiner.n; n++) {
                written.add(n);
            }
            checkSealed(files, again, joiner.synced, written);
            assertThat(published(files, DIRECTORY)).containsAllEntriesOf(before);
        }
    }

    @Test
    void aFullDiskEndsASealingAndWithRoomItIsDone() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        Joiner joiner = new Joiner();
        joiner.run(open(files));
        files.endHandles();
        OutputDirectory output = open(files);
        boolean failed = true;
        for (long room = 0; failed; room += 50) {
            files.setCapacityBytes(files.usedBytes() + room);
            failed = false;
            try {
                output.seal(EAST);
            } catch (IOException e) {
                failed = true;
                assertThat(e).hasMessageContaining("No space");
            }
        }
        checkSealed(files, output, joiner.synced, joiner.written);
    }

    @Test
    void aSealingThatFailsAgainAndAgainDoesNotFillTheDisk() throws IOException {
        for (int room = 0; room < 3_000; room += 100) {
            MemoryFileStore files = new MemoryFileStore(5);
            new Joiner().run(open(files));
            files.endHandles();
            files.setCapacityBytes(files.usedBytes() + room);
            sealAgainAndAgain(files);
        }
        MemoryFileStore files = new MemoryFileStore(5);
        new Joiner().run(OutputFixture.open(files, DIRECTORY));
        files.endHandles();
        files.put(DIRECTORY + "/" + HOUR + "3-17-000004.jsonl", new byte[8]);
        sealAgainAndAgain(files);
        try (var file = files.create(DIRECTORY + "/_work/3-17.sealed/manifest-000005.bin")) {
            ManifestFile.write(new Manifest(EAST, 5, List.of(), List.of()), file);
        }
        sealAgainAndAgain(files);
    }

    private static void sealAgainAndAgain(MemoryFileStore files) throws IOException {
        long before = 0;
        for (int i = 0; i < 4; i++) {
            try {
                OutputFixture.open(files, DIRECTORY).seal(EAST);
            } catch (IOException e) {
                // a person, or space, is needed
            }
            if (i > 0) {
                assertThat(files.usedBytes()).isEqualTo(before);
            }
            before = files.usedBytes();
        }
    }

    @Test
    void aDamagedPlaceInAnOpenLogEndsWhatIsPublishedOfIt() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        Joiner joiner = new Joiner();
        joiner.run(open(files));
        files.endHandles();
        String log = DIRECTORY + "/_work/3-17/work-000004.log";
        int record = (files.content(log).length - 30) / 8;
        files.corrupt(log, 30 + record + record / 2); // in the second of eight, or so
        open(files).seal(EAST);
        assertThat(numbers(published(files, DIRECTORY))).contains(9).doesNotContain(11, 12);
        checkSealed(files, open(files), Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9), joiner.written);
    }

    @Test
    void aManifestThatTheLogDoesNotGiveStopsTheSealing() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        new Joiner().run(open(files));
        files.endHandles();
        String manifest = DIRECTORY + "/_work/3-17/manifest-000004.bin";
        try (var file = files.create(manifest)) {
            ManifestFile.write(new Manifest(EAST, 4, List.of(), List.of()), file);
        }
        assertThatThrownBy(() -> open(files).seal(EAST))
                .hasMessageContainingAll("manifest-000004.bin", "0 entries");
        assertThat(open(files).isSealed(EAST)).isFalse();
        assertThat(published(files, DIRECTORY))
                .allSatisfy((path, text) -> assertThat(path).doesNotEndWith("3-17-000004.jsonl"));
    }

    /** As before there were folders by the hour: the manifest says where its file is. */
    @Test
    void aManifestWithoutFoldersIsUnderstood() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        WorkDirectory work = open(files).createWorkDirectory(EAST);
        WorkLog log = work.createLog();
        log.append(record(1));
        log.finish();
        byte[] line = "{\"n\":1}\n".getBytes(UTF_8);
        Manifest flat =
                new Manifest(
                        EAST,
                        1,
                        List.of(
                                new Manifest.PublishedFile(
                                        "", "3-17-000001.jsonl", line.length, sha256(line))),
                        List.of(
                                new Manifest.Entry(
                                        record(1).id(),
                                        record(1).token(),
                                        record(1).contentHash(),
                                        1)));
        try (var file = files.create(DIRECTORY + "/_work/3-17/manifest-000001.bin")) {
            ManifestFile.write(flat, file);
        }
        files.put(DIRECTORY + "/3-17-000001.jsonl", line);
        OutputDirectory output = open(files);
        output.seal(EAST);
        checkSealed(files, output, Set.of(1), Set.of(1));
        assertThat(published(files, DIRECTORY)).containsOnlyKeys("3-17-000001.jsonl");
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.begin().digest(bytes));
    }

    @Test
    void aNameTakenByAStrangerStopsPublicationAndSealing() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        OutputDirectory output = OutputFixture.open(files, DIRECTORY);
        WorkDirectory work = output.createWorkDirectory(EAST);
        WorkLog log = work.createLog();
        log.append(record(1));
        log.finish();
        files.put(DIRECTORY + "/" + HOUR + "3-17-000001.jsonl", new byte[8]);
        assertThatThrownBy(() -> work.publish(log)).hasMessageContaining("took the name");
        assertThatThrownBy(() -> output.seal(EAST)).hasMessageContaining("SHA-256");
        assertThat(output.isSealed(EAST)).isFalse();
        assertThat(files.content(DIRECTORY + "/" + HOUR + "3-17-000001.jsonl")).containsOnly(0);
    }

    /** The joiner dies at some operation; its files stay as its process left them. */
    private static void dieHalfWay(MemoryFileStore files, Joiner joiner, int seed)
            throws IOException {
        dieAt(files, 25 + new SplittableRandom(seed).nextInt(60));
        runsThrough(() -> joiner.run(open(files)));
        files.setHook((what, path) -> {});
    }

    private static Set<Integer> numbers(Map<String, String> published) {
        Set<Integer> numbers = new HashSet<>();
        published
                .values()
                .forEach(text -> text.lines().forEach(l -> numbers.add(OutputFixture.number(l))));
        return numbers;
    }

    private static boolean stands(MemoryFileStore files, String name) throws IOException {
        return files.stat(DIRECTORY + "/_work/3-17.sealed" + name) != null;
    }
}
