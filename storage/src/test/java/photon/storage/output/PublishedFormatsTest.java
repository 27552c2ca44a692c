package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.HOUR;
import static photon.storage.output.OutputFixture.HOUR_MICROS;
import static photon.storage.output.OutputFixture.published;
import static photon.storage.output.OutputFixture.record;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;
import photon.core.crash.CrashPoints;
import photon.core.hash.Sha256;
import photon.core.id.EventId;
import photon.core.time.IntervalClock.Interval;
import photon.proto.v1.FramedRecord;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.frames.FrameReader;
import photon.storage.output.Manifest.PublishedFile;
import photon.storage.output.OutputFixture.Died;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.format.OutputFormats;

/**
 * Publications in other formats than JSON lines, also where another configuration finishes them.
 */
class PublishedFormatsTest {
    private static final EventId PRIMARY = new EventId(999, 1, 2, 3);
    private static final OutputConfig AVRO =
            new OutputConfig(
                    Format.AVRO, Compression.ZSTD, List.of(new Field("n", FieldType.LONG, "n")));

    private static OutputDirectory open(FileStore files, OutputConfig config, CrashPoints points)
            throws IOException {
        return OutputDirectory.open(
                files,
                DIRECTORY,
                new OutputIdentity("pipeline-1", "print-1", "east", "id-1"),
                OutputFormats.of(config),
                points,
                () -> new Interval(HOUR_MICROS, HOUR_MICROS));
    }

    private static WorkLog write(WorkDirectory work) throws IOException {
        WorkLog log = work.createLog();
        log.append(record(1));
        log.append(record(2));
        log.finish();
        return log;
    }

    private static void die(photon.core.crash.CrashPoint point) {
        throw new Died(point.toString());
    }

    @Test
    void aFileEndsInItsFormatsName() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        OutputDirectory output = open(files, AVRO, CrashPoints.none());
        WorkDirectory work = output.createWorkDirectory(EAST);
        Manifest manifest = work.publish(write(work));
        assertThat(published(files, DIRECTORY)).containsOnlyKeys(HOUR + "3-17-000001.avro");
        assertThat(output.verify(manifest, Long.MIN_VALUE)).isEmpty();
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void aLogIsPublishedInTheFormatThatItWasBegunIn() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        write(open(files, AVRO, CrashPoints.none()).createWorkDirectory(EAST));
        files.endHandles();
        open(files, OutputConfig.DEFAULTS, CrashPoints.none()).seal(EAST);
        assertThat(published(files, DIRECTORY)).containsOnlyKeys(HOUR + "3-17-000001.avro");
    }

    private static final OutputConfig LATE_AS_FRAMES =
            new OutputConfig(
                    Format.JSON_LINES,
                    Compression.NONE,
                    List.of(),
                    Map.of("late", new OutputConfig(Format.FRAMED, Compression.NONE, List.of())));

    private static WorkRecord withPrimaryId(int n) {
        WorkRecord record = record(n);
        return new WorkRecord(
                record.id(), record.token(), PRIMARY, record.contentHash(), record.joined());
    }

    /** Also by a sealer that is configured otherwise. */
    @Test
    void aNamedOutputIsWrittenInItsOwnFormatWithBothIds() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        WorkLog log =
                open(files, LATE_AS_FRAMES, CrashPoints.none())
                        .createWorkDirectory(EAST)
                        .createLog();
        log.append(withPrimaryId(2));
        log.append(withPrimaryId(3)); // has an event for "late", too
        log.finish();
        files.endHandles();
        open(files, OutputConfig.DEFAULTS, CrashPoints.none()).seal(EAST);
        assertThat(published(files, DIRECTORY))
                .containsOnlyKeys(
                        HOUR + "3-17-000001.jsonl", "late/" + HOUR + "3-17-000001.framed");
        try (var file = files.open(DIRECTORY + "/late/" + HOUR + "3-17-000001.framed")) {
            var frame = (FrameReader.Frame) new FrameReader(file, 0).next();
            FramedRecord late = FramedRecord.parseFrom(requireNonNull(frame).payload());
            assertThat(EventId.read(late.getId())).isEqualTo(record(3).id());
            assertThat(EventId.read(late.getPrimaryId())).isEqualTo(PRIMARY);
            assertThat(late.getJson().toStringUtf8()).isEqualTo("{\"late\":3}");
        }
    }

    /** As a left join gives. */
    @Test
    void aFrameOfAnEventWithoutAPrimaryEventHasNoPrimaryId() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        WorkLog log =
                open(files, LATE_AS_FRAMES, CrashPoints.none())
                        .createWorkDirectory(EAST)
                        .createLog();
        log.append(record(3));
        log.finish();
        files.endHandles();
        open(files, OutputConfig.DEFAULTS, CrashPoints.none()).seal(EAST);
        try (var file = files.open(DIRECTORY + "/late/" + HOUR + "3-17-000001.framed")) {
            var frame = (FrameReader.Frame) new FrameReader(file, 0).next();
            FramedRecord late = FramedRecord.parseFrom(requireNonNull(frame).payload());
            assertThat(EventId.read(late.getId())).isEqualTo(record(3).id());
            assertThat(late.getPrimaryId().isEmpty()).isTrue();
        }
    }

    @Test
    void aPublicationThatDiedBetweenManifestAndNameIsFinishedUnderAnotherConfiguration()
            throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        dieBetweenManifestAndName(files, AVRO);
        open(files, OutputConfig.DEFAULTS, CrashPoints.none()).seal(EAST);
        assertThat(published(files, DIRECTORY)).containsOnlyKeys(HOUR + "3-17-000001.avro");
    }

    private static void dieBetweenManifestAndName(MemoryFileStore files, OutputConfig config)
            throws IOException {
        WorkDirectory work =
                open(files, config, PublishedFormatsTest::die).createWorkDirectory(EAST);
        WorkLog log = write(work);
        assertThatThrownBy(() -> work.publish(log)).isInstanceOf(Died.class);
        files.endHandles();
        assertThat(published(files, DIRECTORY)).isEmpty();
    }

    /** A newer compressor gives other bytes for the same events. */
    @Test
    void whatAnotherVersionWroteAsideIsPublishedAsItsManifestSays() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        dieBetweenManifestAndName(files, OutputConfig.DEFAULTS);
        byte[] other = "{\"n\": 1}\n{\"n\": 2}\n".getBytes(UTF_8);
        asIfWrittenByAnotherVersion(files, other);
        OutputDirectory output = open(files, OutputConfig.DEFAULTS, CrashPoints.none());
        // An error that passes does not cost the only file with these bytes.
        failToName(files);
        assertThatThrownBy(() -> output.seal(EAST)).hasMessageContaining("as full as can be");
        files.setHook((operation, path) -> {});
        output.seal(EAST);
        assertThat(published(files, DIRECTORY))
                .containsEntry(HOUR + "3-17-000001.jsonl", new String(other, UTF_8))
                .hasSize(1);
        assertThat(output.verify(output.manifests(EAST).get(0), Long.MIN_VALUE)).isEmpty();
    }

    private static void failToName(MemoryFileStore files) {
        files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.PUBLISH
                            && path.contains("_tmp-publish-")) {
                        throw new IOException("This test is as full as can be");
                    }
                });
    }

    /** Its sealer may be of another version. */
    @Test
    void whatAFailedPublicationHasWrittenAsideStays() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        WorkDirectory work =
                open(files, OutputConfig.DEFAULTS, CrashPoints.none()).createWorkDirectory(EAST);
        WorkLog log = write(work);
        failToName(files);
        assertThatThrownBy(() -> work.publish(log)).hasMessageContaining("as full as can be");
        files.setHook((operation, path) -> {});
        assertThat(files.stat(DIRECTORY + "/_work/3-17/_tmp-publish-1-0")).isNotNull();
    }

    /** The next one may be of another version, too. */
    @Test
    void whatASealerHasWrittenAsideForTheManifestThatItMadeStays() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        OutputDirectory output = open(files, OutputConfig.DEFAULTS, CrashPoints.none());
        write(output.createWorkDirectory(EAST));
        files.endHandles();
        failToName(files);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> output.seal(EAST)).hasMessageContaining("as full as can be");
            assertThat(files.list(DIRECTORY + "/_work/3-17.sealed").stream())
                    .as("one file, whatever the number of attempts")
                    .filteredOn(file -> file.path().contains("_tmp-publish-1"))
                    .hasSize(1);
        }
        files.setHook((operation, path) -> {});
        output.seal(EAST);
        assertThat(published(files, DIRECTORY)).containsOnlyKeys(HOUR + "3-17-000001.jsonl");
    }

    @Test
    void withoutWhatAnotherVersionWroteAsideTheSealingStops() throws IOException {
        MemoryFileStore files = new MemoryFileStore(5);
        dieBetweenManifestAndName(files, OutputConfig.DEFAULTS);
        String aside = asIfWrittenByAnotherVersion(files, "{\"n\": 1}\n".getBytes(UTF_8));
        files.delete(aside);
        assertThatThrownBy(() -> open(files, AVRO, CrashPoints.none()).seal(EAST))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("manifest-000001.bin");
        assertThat(published(files, DIRECTORY)).isEmpty();
    }

    private static String asIfWrittenByAnotherVersion(MemoryFileStore files, byte[] bytes)
            throws IOException {
        String work = DIRECTORY + "/_work/3-17/";
        String aside = work + "_tmp-publish-1-0";
        String path = work + "manifest-000001.bin";
        Manifest manifest = ManifestFile.read(files, path);
        files.delete(aside);
        files.put(aside, bytes);
        files.delete(path);
        try (var file = files.create(path)) {
            ManifestFile.write(
                    new Manifest(
                            manifest.incarnation(),
                            manifest.sequence(),
                            List.of(
                                    new PublishedFile(
                                            "",
                                            manifest.published().get(0).path(),
                                            bytes.length,
                                            HexFormat.of()
                                                    .formatHex(Sha256.begin().digest(bytes)))),
                            manifest.entries()),
                    file);
        }
        return aside;
    }
}
