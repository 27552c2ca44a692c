package photon.storage.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoints;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.WholeFile;
import photon.storage.frames.FrameWriter;
import photon.storage.output.Publication.Prepared;
import photon.storage.output.format.OutputFormats;

/**
 * Seals one incarnation that was fenced (docs/protocol.md section 6). Every step may be repeated,
 * and two sealers may be at it at once: where they could differ, an exclusive name decides, and
 * both go on with what stands there. The package's page has the argument.
 */
final class IncarnationSealing {
    private static final Logger log = LoggerFactory.getLogger(IncarnationSealing.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOVES_MAX = 1_000;

    private final FileStore files;
    private final WorkArea area;
    private final Incarnation incarnation;
    private final String directory;
    private final OutputFormats formats;
    private final Publication publication;

    IncarnationSealing(
            FileStore files,
            String outputDirectory,
            WorkArea area,
            Incarnation incarnation,
            OutputFormats formats,
            CrashPoints crashPoints,
            IntervalClock clock) {
        this.files = files;
        this.area = area;
        this.incarnation = incarnation;
        this.directory = area.sealed(incarnation);
        this.formats = formats;
        this.publication =
                new Publication(files, outputDirectory, directory, formats, crashPoints, clock);
    }

    void seal() throws IOException {
        if (!area.isSealed(incarnation)) {
            try {
                moveAway();
                freezeLogs();
                publishLogs();
                writeMark();
            } catch (IOException e) {
                if (!area.isSealed(incarnation)) {
                    throw e;
                }
                // Another sealer finished, and has cleared away what we were working on.
                log.info("Sealing of {} was finished by another: {}", incarnation, e.toString());
            }
        }
        // The mark may be another sealer's, or its sync may have failed: it must be durable before
        // anybody relies on it, and before files are deleted.
        files.syncDirectory(directory);
        clear();
    }

    /** After this nothing can be made or named by a path of the live directory. */
    private void moveAway() throws IOException {
        String live = area.live(incarnation);
        for (int i = 0; ; i++) {
            if (i == MOVES_MAX) {
                throw new IOException("Expected to move " + live + " away, but it comes back");
            }
            boolean movedBefore = files.stat(directory) != null; // before the look at the live one
            FileInfo standing = files.stat(live);
            if (standing != null && !standing.directory()) {
                break; // the tombstone
            }
            try {
                if (standing == null) {
                    files.create(live).close();
                } else if (!movedBefore) {
                    files.rename(live, directory);
                } else {
                    String late = OutputNames.sealedLate(incarnation, standing.key());
                    files.rename(live, area.root() + "/" + late);
                }
            } catch (FileAlreadyExistsException | NoSuchFileException e) {
                log.debug("Somebody else moved {}: {}", live, e.toString());
            }
        }
        if (files.stat(directory) == null) { // it never made a directory
            try {
                files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                log.debug("Somebody else made {}", directory);
            }
        }
        files.syncDirectory(area.root());
    }

    /** Copies whole records out of reach of the handles that a zombie may hold. */
    private void freezeLogs() throws IOException {
        WorkArea.Contents contents = area.read(incarnation, found -> found);
        for (Map.Entry<Long, String> workLog : contents.workLogs().entrySet()) {
            if (!contents.frozenLogs().containsKey(workLog.getKey())) {
                freeze(workLog.getKey(), workLog.getValue());
            }
        }
        files.syncDirectory(directory); // what another froze may not be durable yet
    }

    private void freeze(long sequence, String path) throws IOException {
        files.recover(path);
        Temporary copy = Temporary.create(files, directory, "freeze-" + sequence);
        boolean named = false;
        try {
            copy(sequence, path, copy);
            named = files.publish(copy.path(), directory + "/" + OutputNames.frozenLog(sequence));
        } finally {
            if (!named) {
                Temporary.discard(files, List.of(copy.path()));
            }
        }
    }

    private void copy(long sequence, String path, Temporary copy) throws IOException {
        try (FrameWriter frames = new FrameWriter(copy.file());
                WorkLogReader reader = WorkLogReader.open(files, path, WorkLogReader.Damage.CUT)) {
            reader.expect(incarnation, sequence);
            frames.append(
                    WorkRecordCodec.encode(
                            new WorkRecordCodec.Header(
                                    incarnation, sequence, reader.formats(formats).description())));
            while (reader.next() != null) {
                frames.append(reader.payload());
            }
            frames.sync();
            if (reader.torn()) {
                log.info("Work log {} ends torn at byte {}", path, reader.position());
            }
        }
    }

    private void publishLogs() throws IOException {
        WorkArea.Contents contents = area.read(incarnation, found -> found);
        for (Map.Entry<Long, String> frozen : contents.frozenLogs().entrySet()) {
            long sequence = frozen.getKey();
            Prepared prepared;
            try (WorkLogReader reader = WorkLogReader.read(files, frozen.getValue())) {
                reader.expect(incarnation, sequence);
                prepared = publication.prepare(incarnation, sequence, reader);
            }
            String found = contents.manifests().get(sequence);
            try {
                prepared = fixManifest(prepared, found);
            } catch (IOException e) {
                if (found != null || !mayStand(sequence)) {
                    publication.discard(prepared);
                }
                throw e;
            }
            if (area.isSealed(incarnation)) {
                // All names stood once. One that does not any more may have been declared lost, and
                // what clears the directory afterwards takes the temporaries of a slower sealer.
                publication.discard(prepared);
                return;
            }
            publication.move(prepared, true);
        }
    }

    /** Whether a manifest that was not there has its name by now, and perhaps these bytes. */
    private boolean mayStand(long sequence) {
        try {
            return files.stat(directory + "/" + OutputNames.manifest(sequence)) != null;
        } catch (IOException e) {
            return true;
        }
    }

    /** What is to be published: the folders are those of the manifest that stands afterwards. */
    private Prepared fixManifest(Prepared prepared, @Nullable String found) throws IOException {
        Manifest manifest = prepared.manifest();
        if (found == null && publication.takeManifest(manifest)) {
            return prepared.named();
        }
        String path =
                found != null ? found : directory + "/" + OutputNames.manifest(manifest.sequence());
        Manifest standing = ManifestFile.read(files, path);
        Prepared agreed = prepared.inFoldersOf(standing);
        if (!standing.equals(agreed.manifest())) {
            agreed =
                    new LeftBehind(files, area, incarnation, publication)
                            .insteadOf(agreed, standing);
        }
        mustAgree(standing, agreed.manifest(), path);
        files.syncDirectory(OutputNames.parent(path));
        return agreed;
    }

    private static void mustAgree(Manifest standing, Manifest redone, String path)
            throws IOException {
        if (!standing.equals(redone)) {
            throw new IOException(
                    "Manifest %s says %d entries in %s, but its work log gives %d entries in %s"
                            .formatted(
                                    path,
                                    standing.entries().size(),
                                    standing.published(),
                                    redone.entries().size(),
                                    redone.published()));
        }
    }

    /** Says for ever which manifests there are: one that is gone is not taken for one too few. */
    private void writeMark() throws IOException {
        WorkArea.Contents contents = area.read(incarnation, found -> found);
        ObjectNode mark = JSON.createObjectNode();
        mark.put("incarnation", incarnation.toString());
        ArrayNode sequences = mark.putArray("sequences");
        contents.manifests().keySet().forEach(sequences::add);
        byte[] bytes = JSON.writeValueAsBytes(mark);
        String aside = Temporary.pathPrefix(directory, "sealed");
        WholeFile.publish(files, aside, area.sealedMark(incarnation), bytes);
    }

    /** The sequences of the manifests that a sealed incarnation has. */
    static List<Long> sequences(FileStore files, String mark) throws IOException {
        JsonNode content;
        try {
            content = JSON.readTree(WholeFile.read(files, mark));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IOException("Expected JSON in " + mark, e);
        }
        if (!content.path("sequences").isArray()) {
            throw new IOException("Expected the list of sequences in " + mark);
        }
        TreeSet<Long> sequences = new TreeSet<>();
        content.path("sequences").forEach(sequence -> sequences.add(sequence.asLong()));
        return new ArrayList<>(sequences);
    }

    /** Only space is lost if this is not done: it is tried again at the next sealing. */
    private void clear() {
        try {
            for (String each : area.directories(incarnation)) {
                for (FileInfo entry : files.list(each)) {
                    String name = OutputNames.last(entry.path());
                    if (!OutputNames.isKept(name)) {
                        files.delete(each + "/" + name);
                    }
                }
            }
        } catch (IOException e) {
            log.warn("Could not clear {}: {}", directory, e.toString());
        }
    }
}
