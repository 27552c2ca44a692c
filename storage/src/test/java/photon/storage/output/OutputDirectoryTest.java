package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.HOUR;
import static photon.storage.output.OutputFixture.open;
import static photon.storage.output.OutputFixture.published;
import static photon.storage.output.OutputFixture.record;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.error.BugException;
import photon.core.error.ConfigException;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormats;

class OutputDirectoryTest {
    private static final IntervalClock CLOCK =
            () -> new IntervalClock.Interval(OutputFixture.HOUR_MICROS, OutputFixture.HOUR_MICROS);

    private final MemoryFileStore files = new MemoryFileStore(1);

    @Test
    void aFinishedLogBecomesAFileAnOutputAndAManifest() throws IOException {
        OutputDirectory output = open(files);
        WorkDirectory work = output.createWorkDirectory(EAST);
        Manifest manifest = publish(work, 1, 2, 3);

        assertThat(published(files, DIRECTORY))
                .containsEntry(HOUR + "3-17-000001.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
                .containsEntry("late/" + HOUR + "3-17-000001.jsonl", "{\"late\":3}\n")
                .hasSize(2);
        assertThat(output.manifests(EAST)).containsExactly(manifest);
        assertThat(manifest.entries())
                .extracting(Manifest.Entry::joinedEvents)
                .containsExactly(1, 1, 2);
        assertThat(output.verify(manifest, Long.MIN_VALUE)).isEmpty();
        assertThat(files.list(DIRECTORY + "/_work/3-17"))
                .extracting(FileStore.FileInfo::path)
                .containsExactly(DIRECTORY + "/_work/3-17/manifest-000001.bin");
    }

    @Test
    void twoProcessesMayMakeItAtTheSameTime() throws IOException {
        List<OutputDirectory> faster = new ArrayList<>();
        files.setHook(
                (what, path) -> {
                    // The first has just seen that there is no identity.
                    if (what == MemoryFileStore.Operation.LIST && faster.isEmpty()) {
                        files.setHook((w, p) -> {});
                        faster.add(open(files));
                        faster.get(0).createWorkDirectory(EAST);
                    }
                });
        OutputDirectory slower = open(files);
        assertThat(faster).hasSize(1);
        assertThat(slower.identity()).isEqualTo(faster.get(0).identity());
    }

    @Test
    void theCrashPointLiesBetweenManifestAndName() throws IOException {
        List<CrashPoint> passed = new ArrayList<>();
        CrashPoints points =
                point -> {
                    passed.add(point);
                    try {
                        assertThat(files.stat(DIRECTORY + "/_work/3-17/manifest-000001.bin"))
                                .isNotNull();
                        assertThat(published(files, DIRECTORY)).isEmpty();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                };
        OutputDirectory output =
                OutputDirectory.open(
                        files,
                        DIRECTORY,
                        new OutputIdentity("p", "f", "east", "id"),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        points,
                        CLOCK);
        publish(output.createWorkDirectory(EAST), 1);
        assertThat(passed).containsExactly(CrashPoint.PUBLISHING);
    }

    @Test
    void aDirectoryOfOthersIsRefusedNamingBothValues() throws IOException {
        open(files);
        assertThatThrownBy(
                        () ->
                                OutputDirectory.open(
                                        files,
                                        DIRECTORY,
                                        new OutputIdentity("pipeline-2", "print-2", "west", "x"),
                                        OutputFormats.of(OutputConfig.DEFAULTS),
                                        CrashPoints.none(),
                                        CLOCK))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("pipeline-1", "pipeline-2")
                .hasMessageContainingAll("east", "west", DIRECTORY);
        assertThatThrownBy(
                        () ->
                                OutputDirectory.open(
                                        files,
                                        DIRECTORY,
                                        new OutputIdentity("pipeline-1", "print-2", "east", "x"),
                                        OutputFormats.of(OutputConfig.DEFAULTS),
                                        CrashPoints.none(),
                                        CLOCK))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "Output directory "
                                + DIRECTORY
                                + " was written with another id or timestamp");
        files.put("/foreign/holiday.jpg", new byte[1]);
        assertThatThrownBy(() -> open(files, "/foreign"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("not ours", "holiday.jpg");
        files.put("/hidden/.lock", new byte[1]);
        open(files, "/hidden");
    }

    @Test
    void theFirstIdentityStays() throws IOException {
        open(files);
        OutputDirectory again =
                OutputDirectory.open(
                        files,
                        DIRECTORY,
                        new OutputIdentity("pipeline-1", "print-1", "east", "id-2"),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        CLOCK);
        assertThat(again.identity().outputId()).isEqualTo("id-1");
    }

    @Test
    void aTokenOfAnotherIncarnationIsRefusedOnWriteAndOnRead() throws IOException {
        WorkDirectory work = open(files).createWorkDirectory(EAST);
        WorkLog log = work.createLog();
        Incarnation other = new Incarnation(3, 16);
        assertThatThrownBy(() -> log.append(record(other, 1))).isInstanceOf(BugException.class);

        String path = DIRECTORY + "/_work/3-17/forged.log";
        try (var frames = new photon.storage.frames.FrameWriter(files.create(path))) {
            frames.append(WorkRecordCodec.encode(new WorkRecordCodec.Header(EAST, 1, "")));
            var buffer = java.nio.ByteBuffer.allocate(1000);
            WorkRecordCodec.encode(record(other, 1), null, buffer);
            frames.append(buffer.array(), 0, buffer.position());
            frames.sync();
        }
        try (WorkLogReader reader = WorkLogReader.read(files, path)) {
            assertThatThrownBy(reader::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(path, "byte 30", "3-16-1");
        }
    }

    @Test
    void eventsWithoutAPlaceInTheOutputAreRefused() throws IOException {
        OutputDirectory output = open(files);
        ByteString line = ByteString.copyFromUtf8("{}");
        assertThat(output.refusal(new JoinedEvent("late", line))).isEmpty();
        assertThat(output.refusal(new JoinedEvent("../up", line))).isPresent();
        assertThat(output.refusal(new JoinedEvent("_work", line))).isPresent();
        assertThat(output.refusal(new JoinedEvent("a.jsonl", line))).isPresent();
        assertThat(output.refusal(new JoinedEvent("", ByteString.copyFromUtf8("{\n}"))))
                .isPresent();
    }

    @Test
    void verifyFindsWhatDiffersFromItsManifest() throws IOException {
        OutputDirectory output = open(files);
        Manifest manifest = publish(output.createWorkDirectory(EAST), 1, 2, 3);
        files.corrupt(DIRECTORY + "/" + HOUR + "3-17-000001.jsonl", 5);
        assertThat(output.verify(manifest, Long.MIN_VALUE).orElse("")).contains("SHA-256");
        files.truncate(DIRECTORY + "/" + HOUR + "3-17-000001.jsonl", 3);
        assertThat(output.verify(manifest, Long.MIN_VALUE).orElse("")).contains("but it has 3");
        files.delete(DIRECTORY + "/late/" + HOUR + "3-17-000001.jsonl");
        assertThat(output.verify(manifest, Long.MIN_VALUE).orElse(""))
                .contains("late/" + HOUR + "3-17-000001.jsonl", "missing");
        assertThat(output.manifests(EAST)).containsExactly(manifest); // not lost: taken away
    }

    /** What a repair asks of each published file, each time. */
    @Test
    void aFileIsReadOnlyIfItIsNewerThanItsManifest() throws IOException {
        AtomicLong now = new AtomicLong(1_000);
        MemoryFileStore timed = new MemoryFileStore(new SplittableRandom(1), now::get);
        OutputDirectory output = open(timed);
        publish(output.createWorkDirectory(EAST), 1, 2, 3);
        String path = DIRECTORY + "/" + HOUR + "3-17-000001.jsonl";
        byte[] content = timed.content(path);
        List<String> opened = new ArrayList<>();
        timed.setHook(
                (what, of) -> {
                    if (what == MemoryFileStore.Operation.OPEN) {
                        opened.add(of);
                    }
                });
        assertThat(standing(output)).isEmpty();
        assertThat(opened).noneMatch(of -> of.endsWith(".jsonl"));

        // As long as before, put there later.
        now.set(2_000);
        replace(timed, path, new byte[content.length]);
        assertThat(standing(output).orElse("")).contains(path, "SHA-256");
        replace(timed, path, content);
        assertThat(standing(output)).as("brought back").isEmpty();
        replace(timed, path, new byte[content.length - 1]);
        assertThat(standing(output).orElse("")).contains(path, "bytes, but it has");
        timed.delete(path);
        assertThat(standing(output).orElse("")).contains(path, "missing");
    }

    private static void replace(MemoryFileStore files, String path, byte[] content)
            throws IOException {
        files.delete(path);
        try (FileStore.AppendFile file = files.create(path)) {
            file.write(content, 0, content.length);
            file.sync();
        }
    }

    private static Optional<String> standing(OutputDirectory output) throws IOException {
        List<Manifest.Entry> entries = new ArrayList<>();
        OutputDirectory.StoredManifest stored = output.storedManifests(EAST).get(0);
        Manifest whole = stored.read();
        Manifest.Summary summary =
                stored.forEach((id, token) -> entries.add(new Manifest.Entry(id, token, "", 0)));
        assertThat(entries)
                .extracting(Manifest.Entry::id, Manifest.Entry::token)
                .containsExactlyElementsOf(
                        whole.entries().stream()
                                .map(e -> org.assertj.core.groups.Tuple.tuple(e.id(), e.token()))
                                .toList());
        assertThat(summary.published()).isEqualTo(whole.published());
        assertThat(summary.entries()).isEqualTo(whole.entries().size());
        return output.verifyStanding(summary, Long.MIN_VALUE);
    }

    @Test
    void aFileThatIsGoneIsMissedOnlyIfItsEventsAreWithinTheRetention() throws IOException {
        OutputDirectory output = open(files);
        Manifest manifest = publish(output.createWorkDirectory(EAST), 1, 2, 3);
        long youngest =
                manifest.entries().stream()
                        .mapToLong(entry -> entry.id().micros())
                        .max()
                        .orElseThrow();
        files.delete(DIRECTORY + "/" + HOUR + "3-17-000001.jsonl");
        assertThat(output.verify(manifest, youngest).orElse("")).contains("missing");
        assertThat(output.verify(manifest, youngest + 1)).isEmpty();
        files.truncate(DIRECTORY + "/late/" + HOUR + "3-17-000001.jsonl", 3);
        assertThat(output.verify(manifest, youngest + 1).orElse(""))
                .as("what is there must be right, however old")
                .contains("but it has 3");
    }

    @Test
    void aSealedIncarnationWithoutOneOfItsManifestsIsAnError() throws IOException {
        OutputDirectory output = open(files);
        WorkDirectory work = output.createWorkDirectory(EAST);
        publish(work, 1);
        publish(work, 2);
        output.seal(EAST);
        String manifest = DIRECTORY + "/_work/3-17.sealed/manifest-000002.bin";
        files.corrupt(manifest, 40);
        assertThatThrownBy(() -> output.manifests(EAST)).hasMessageContaining(manifest);
        files.delete(manifest);
        assertThatThrownBy(() -> output.manifests(EAST)).hasMessageContaining("number 2");
    }

    @Test
    void strangersAreFilesThatNoManifestKnows() throws IOException {
        OutputDirectory output = open(files);
        publish(output.createWorkDirectory(EAST), 1, 2, 3);
        files.put(DIRECTORY + "/" + HOUR + "3-17-000009.jsonl", "{}\n".getBytes(UTF_8));
        files.put(DIRECTORY + "/late/x", new byte[0]);
        assertThat(output.strangers()).containsExactly(HOUR + "3-17-000009.jsonl", "late/x");
    }

    @Test
    void whatNoManifestOfAnIncarnationKnowsIsLookedForFolderByFolder() throws IOException {
        OutputDirectory output = open(files);
        publish(output.createWorkDirectory(EAST), 1, 2, 3);
        files.put(DIRECTORY + "/" + HOUR + "3-17-000009.jsonl", "{}\n".getBytes(UTF_8));
        files.put(DIRECTORY + "/late/x", new byte[0]);
        String first = HOUR + "3-17-000001.jsonl";
        String late = "late/" + HOUR + "3-17-000001.jsonl";
        assertThat(all(output.unknown(EAST, Set.of(first, late))))
                .containsExactly(HOUR + "3-17-000009.jsonl");
        assertThat(all(output.unknown(EAST, Set.of())))
                .containsExactly(first, HOUR + "3-17-000009.jsonl", late);
        assertThat(all(output.unknown(new Incarnation(3, 1), Set.of()))).isEmpty();
    }

    @Test
    void whatWasPublishedADayBeforeAnIncarnationIsNotListed() throws IOException {
        OutputDirectory output = open(files);
        for (String day : List.of("2026-03-07", "2026-03-08", "2026-03-09", "2026-03-11")) {
            files.put("%s/dt=%s/hour=13/3-17-000001.jsonl".formatted(DIRECTORY, day), new byte[0]);
            files.put(
                    "%s/late/dt=%s/hour=13/3-17-000001.jsonl".formatted(DIRECTORY, day),
                    new byte[0]);
        }
        PublishedWalk walk =
                output.unknown(
                        EAST,
                        Set.of(
                                "dt=2026-03-09/hour=13/3-17-000001.jsonl",
                                "late/dt=2026-03-09/hour=13/3-17-000001.jsonl"));
        assertThat(all(walk))
                .containsExactly(
                        "dt=2026-03-08/hour=13/3-17-000001.jsonl",
                        "dt=2026-03-11/hour=13/3-17-000001.jsonl",
                        "late/dt=2026-03-08/hour=13/3-17-000001.jsonl",
                        "late/dt=2026-03-11/hour=13/3-17-000001.jsonl");
    }

    /** What was declared lost, or has no manifest any more, may be older than all that is known. */
    @Test
    void whereTheFirstFileIsNotKnownEachDayIsLookedAt() throws IOException {
        OutputDirectory output = open(files);
        files.put(DIRECTORY + "/dt=2026-03-02/hour=13/3-17-000001.jsonl", new byte[0]);
        assertThat(all(output.unknown(EAST, Set.of("dt=2026-03-09/hour=13/3-17-000002.jsonl"))))
                .containsExactly("dt=2026-03-02/hour=13/3-17-000001.jsonl");
    }

    /** A clock that was days ahead at first, and a manifest in a copy that is not complete. */
    @Test
    void whereAFileInBetweenIsNotKnownEachDayIsLookedAt() throws IOException {
        OutputDirectory output = open(files);
        files.put(DIRECTORY + "/dt=2026-03-02/hour=13/3-17-000002.jsonl", new byte[0]);
        Set<String> known =
                Set.of(
                        "dt=2026-03-09/hour=13/3-17-000001.jsonl",
                        "dt=2026-03-09/hour=13/3-17-000003.jsonl");
        assertThat(all(output.unknown(EAST, known)))
                .containsExactly("dt=2026-03-02/hour=13/3-17-000002.jsonl");
    }

    private static List<String> all(PublishedWalk walk) throws IOException {
        Set<String> found = new TreeSet<>();
        while (walk.hasNext()) {
            found.addAll(walk.next());
        }
        return List.copyOf(found);
    }

    @Test
    void manifestsAreReadOneAtATime() throws IOException {
        OutputDirectory output = open(files);
        WorkDirectory work = output.createWorkDirectory(EAST);
        Manifest first = publish(work, 1);
        publish(work, 2);
        files.corrupt(DIRECTORY + "/_work/3-17/manifest-000002.bin", 40);
        List<OutputDirectory.StoredManifest> stored = output.storedManifests(EAST);
        assertThat(stored).hasSize(2);
        assertThat(stored.get(0).read()).isEqualTo(first);
        assertThatThrownBy(() -> stored.get(1).read()).hasMessageContaining("manifest-000002");
    }

    @Test
    void anIncarnationThatNeverWroteIsSealedByItsTombstone() throws IOException {
        OutputDirectory output = open(files);
        output.seal(EAST);
        assertThat(output.isSealed(EAST)).isTrue();
        assertThat(output.manifests(EAST)).isEmpty();
        assertThat(output.incarnations()).containsExactly(EAST);
        assertThatThrownBy(() -> output.createWorkDirectory(EAST))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void anIncarnationIsOverAfterAFailedCall() throws IOException {
        WorkDirectory work = open(files).createWorkDirectory(EAST);
        files.failAt(MemoryFileStore.Operation.SYNC_DIRECTORY, 1);
        assertThatThrownBy(work::createLog).hasMessageContaining("Input/output");
        assertThatThrownBy(work::createLog).hasMessageContaining("failed before");
    }

    @Test
    void aReaderStopsAtATornTailButReportsDamageInTheMiddle() throws IOException {
        WorkLog log = open(files).createWorkDirectory(EAST).createLog();
        for (int n = 1; n <= 5; n++) {
            log.append(record(n));
        }
        log.finish();
        String path = DIRECTORY + "/_work/3-17/work-000001.log";
        int length = files.content(path).length;
        files.truncate(path, length - 1);
        assertThat(numbers(path)).containsExactly(1, 2, 3, 4);
        files.corrupt(path, 100);
        assertThatThrownBy(() -> numbers(path))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(path, "byte 30");
    }

    private Set<Integer> numbers(String path) throws IOException {
        Set<Integer> numbers = new TreeSet<>();
        try (WorkLogReader reader = WorkLogReader.read(files, path)) {
            WorkRecord record;
            while ((record = reader.next()) != null) {
                numbers.add((int) record.token().sequence());
            }
        }
        return numbers;
    }

    private static Manifest publish(WorkDirectory work, int... numbers) throws IOException {
        WorkLog log = work.createLog();
        for (int n : numbers) {
            log.append(record(n));
        }
        log.finish();
        return work.publish(log);
    }

    /** A power cut may bring a removed work log back. */
    @Test
    void ofOneThatIsClosedCleanEveryManifestCountsAlsoWhereItsFileIsOutOfSight()
            throws IOException {
        MemoryFileStore files = new MemoryFileStore(1);
        OutputDirectory output = open(files);
        WorkDirectory work = output.createWorkDirectory(EAST);
        WorkDirectory.WorkLog log = work.createLog();
        log.append(record(1));
        log.finish();
        work.publish(log);
        String workLog = DIRECTORY + "/_work/" + EAST + "/work-000001.log";
        files.create(workLog).close();
        String path = output.manifests(EAST).get(0).published().get(0).path();
        files.delete(DIRECTORY + "/" + path);
        assertThat(output.storedManifests(EAST)).as("it may be half done").isEmpty();
        assertThat(output.settledManifests(EAST)).hasSize(1);
    }

    /** What retention takes for "it had nothing" is written down for good. */
    @Test
    void aWorkAreaThatIsOutOfSightIsNotTakenForAnEmptyOne() throws IOException {
        MemoryFileStore files = new MemoryFileStore(1);
        OutputDirectory output = open(files);
        output.createWorkDirectory(EAST);
        files.rename(DIRECTORY, "/not-mounted");
        List<ThrowingCallable> looks =
                List.of(
                        () -> output.incarnations(),
                        () -> output.storedManifests(EAST),
                        () -> output.settledManifests(EAST),
                        () -> output.lostManifests(EAST));
        for (ThrowingCallable look : looks) {
            assertThatThrownBy(look)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("_work, but nothing stands there");
        }
        files.rename("/not-mounted", DIRECTORY);
        assertThat(output.incarnations()).containsExactly(EAST);
    }
}
