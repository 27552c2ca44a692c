package photon.storage.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoints;
import photon.core.error.IoText;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.output.Manifest.PublishedFile;
import photon.storage.output.format.OutputFormats;

/**
 * One datacenter's output directory: its identity, its published files, and below {@code _work/}
 * the work directories of its joiners' incarnations. Thread-safe.
 */
public final class OutputDirectory {
    private static final int PROBE_BYTES = 4_096;

    private final FileStore files;
    private final String directory;
    private final OutputIdentity identity;
    private final OutputFormats formats;
    private final CrashPoints crashPoints;
    private final IntervalClock clock;
    private final WorkArea area;

    private OutputDirectory(
            FileStore files,
            String directory,
            OutputIdentity identity,
            OutputFormats formats,
            CrashPoints crashPoints,
            IntervalClock clock) {
        this.files = files;
        this.directory = directory;
        this.identity = identity;
        this.formats = formats;
        this.crashPoints = crashPoints;
        this.clock = clock;
        this.area = new WorkArea(files, directory);
    }

    /** Whose output directory this is; empty: it is nobody's. */
    public static Optional<OutputIdentity> identity(FileStore files, String directory)
            throws IOException {
        return new IdentityFile(files, directory).standing();
    }

    /**
     * Opens the directory, making it with this identity if it is absent or empty (names that begin
     * with a dot do not count).
     *
     * @param wanted its output id is used if the directory is new
     * @param formats of what is written from now on
     * @param clock tells the hour in whose folder a file is published
     * @throws photon.core.error.ConfigException if it is not ours, or belongs to another pipeline,
     *     datacenter or other identity settings: names both values
     */
    public static OutputDirectory open(
            FileStore files,
            String directory,
            OutputIdentity wanted,
            OutputFormats formats,
            CrashPoints crashPoints,
            IntervalClock clock)
            throws IOException {
        files.createDirectories(directory);
        OutputIdentity identity = new IdentityFile(files, directory).open(wanted);
        OutputDirectory opened =
                new OutputDirectory(files, directory, identity, formats, crashPoints, clock);
        files.createDirectories(opened.area.root());
        files.syncDirectory(directory);
        return opened;
    }

    /** Why a joined event cannot be written to this output; empty: it can. Ask before commit. */
    public Optional<String> refusal(WorkRecord.JoinedEvent event) {
        if (!event.output().isEmpty() && !OutputNames.isOutput(event.output())) {
            return Optional.of(
                    "Expected an output named with letters, digits, '-' and '_', but got '%s'"
                            .formatted(event.output()));
        }
        return Optional.ofNullable(formats.refusal(event.output(), event.bytes()));
    }

    /** Named outputs that the configuration lists; others may be written to, too. */
    public Set<String> outputs() {
        return formats.named();
    }

    public OutputIdentity identity() {
        return identity;
    }

    /**
     * Makes {@code _work/<incarnation>/}, exclusively.
     *
     * @throws java.nio.file.FileAlreadyExistsException if it stands, or a tombstone does
     */
    public WorkDirectory createWorkDirectory(Incarnation incarnation) throws IOException {
        String path = area.live(incarnation);
        files.createDirectory(path);
        files.syncDirectory(area.root());
        try {
            tryWriting(path);
        } catch (IOException e) {
            removeUnused(path, e);
            throw e;
        }
        return new WorkDirectory(files, directory, path, incarnation, formats, crashPoints, clock);
    }

    /**
     * A joiner that finds a full disk registers again and again, and each registration would leave
     * a directory for good. An incarnation without one is sealed all the same. If a sealer's
     * tombstone is deleted here, having come just now, nothing is lost with it: the only process
     * that could make the directory again gives the incarnation up.
     */
    private void removeUnused(String workDirectory, IOException why) {
        try {
            FileInfo standing = files.stat(workDirectory);
            if (standing != null && standing.directory()) {
                files.delete(workDirectory);
            }
        } catch (IOException e) {
            why.addSuppressed(e); // It stays, empty.
        }
    }

    /**
     * Where a directory can be made, a record may be refused all the same: a quota is used up, or
     * no DataNode takes a block. An incarnation must know before it takes an id.
     */
    private void tryWriting(String workDirectory) throws IOException {
        Temporary probe = Temporary.create(files, workDirectory, "probe");
        try {
            try (AppendFile file = probe.file()) {
                file.write(new byte[PROBE_BYTES], 0, PROBE_BYTES);
                file.sync();
            }
        } finally {
            Temporary.discard(files, List.of(probe.path()));
        }
    }

    /**
     * Seals an incarnation that was fenced: each step of docs/protocol.md section 6, each
     * repeatable, also by two sealers at once. Afterwards every name of the incarnation is fixed,
     * everything whole is published, and SEALED stands. An incarnation that never made a work
     * directory is sealed by its tombstone.
     *
     * @throws IOException if a step failed: seal again; also if what is published differs from its
     *     manifest, which a person must look at
     */
    public void seal(Incarnation incarnation) throws IOException {
        mustNotBeRetired(incarnation); // what would be sealed is an empty directory, made for that
        new IncarnationSealing(files, directory, area, incarnation, formats, crashPoints, clock)
                .seal();
    }

    public boolean isSealed(Incarnation incarnation) throws IOException {
        return area.isSealed(incarnation);
    }

    /** A manifest where it stands: an incarnation's together may not fit in memory. */
    public interface StoredManifest {
        /**
         * @throws IOException if it is unreadable, or was moved by a sealer meanwhile: list again
         */
        Manifest read() throws IOException;

        /**
         * Reads it without keeping its entries: memory is one frame's.
         *
         * @param to gets each entry; what it got counts only when this has returned
         * @throws IOException as {@link #read}
         */
        default Manifest.Summary forEach(Manifest.Entries to) throws IOException {
            Manifest manifest = read();
            long lastMicros = -1;
            for (Manifest.Entry entry : manifest.entries()) {
                to.take(entry.id(), entry.token());
                lastMicros = Math.max(lastMicros, entry.id().micros());
            }
            return new Manifest.Summary(
                    manifest.incarnation(),
                    manifest.sequence(),
                    manifest.published(),
                    manifest.entries().size(),
                    lastMicros,
                    Long.MIN_VALUE);
        }
    }

    /**
     * Every manifest of the incarnation whose publication is complete, in order of sequence,
     * without those whose files were declared lost ({@link #lostFiles}). A published file that was
     * taken away later does not take its manifest with it: {@link #verify} tells.
     *
     * @throws IOException also if a manifest is missing: what it held must not look lost
     */
    public List<StoredManifest> storedManifests(Incarnation incarnation) throws IOException {
        return area.read(incarnation, contents -> complete(incarnation, contents, false));
    }

    /**
     * The same of an incarnation that publishes nothing any more, closed clean or sealed: each of
     * its manifests is complete, also where a power cut has brought a removed work log back and the
     * published file cannot be seen just now.
     */
    public List<StoredManifest> settledManifests(Incarnation incarnation) throws IOException {
        return area.read(incarnation, contents -> complete(incarnation, contents, true));
    }

    /** All of {@link #storedManifests}, read, whoever moves them meanwhile. */
    public List<Manifest> manifests(Incarnation incarnation) throws IOException {
        return area.read(
                incarnation,
                contents -> {
                    List<Manifest> all = new ArrayList<>();
                    for (StoredManifest stored : complete(incarnation, contents, false)) {
                        all.add(stored.read());
                    }
                    return all;
                });
    }

    /** Those whose files were declared lost: what they held is published nowhere by them. */
    public List<StoredManifest> lostManifests(Incarnation incarnation) throws IOException {
        return area.read(
                incarnation,
                contents -> {
                    List<StoredManifest> lost = new ArrayList<>();
                    for (long sequence : contents.lost().keySet()) {
                        String path = contents.manifests().get(sequence);
                        if (path == null) {
                            throw new IOException(
                                    "Expected a manifest of %s number %d, but it is gone"
                                            .formatted(incarnation, sequence));
                        }
                        lost.add(new Stored(incarnation, sequence, path));
                    }
                    return lost;
                });
    }

    /** What persons have declared lost of the published files, and the way to declare it. */
    public LostFiles lostFiles() {
        return new LostFiles(files, directory, area, publication());
    }

    /** Who is retired, and the way to retire. */
    public Retirement retirement() {
        return new Retirement(files, area);
    }

    /** Its manifests are gone: what it has published must not look like nothing. */
    private void mustNotBeRetired(Incarnation incarnation) throws IOException {
        if (area.retired().contains(incarnation)) {
            throw new IOException(
                    "Expected an incarnation with manifests, but %s is retired"
                            .formatted(incarnation));
        }
    }

    private List<StoredManifest> complete(
            Incarnation incarnation, WorkArea.Contents contents, boolean settled)
            throws IOException {
        mustNotBeRetired(incarnation); // behind the listing: it may have been of half of them
        boolean sealed = area.isSealed(incarnation);
        if (sealed) {
            for (long sequence :
                    IncarnationSealing.sequences(files, area.sealedMark(incarnation))) {
                if (!contents.manifests().containsKey(sequence)) {
                    throw new IOException(
                            "Expected a manifest of %s number %d, but it is gone"
                                    .formatted(incarnation, sequence));
                }
            }
        }
        List<StoredManifest> complete = new ArrayList<>();
        for (Map.Entry<Long, String> entry : contents.manifests().entrySet()) {
            long sequence = entry.getKey();
            String path = entry.getValue();
            if (contents.lost().containsKey(sequence)) {
                continue; // its events are joined again, and stand in another manifest then
            }
            // With its log still there it may be half done; without, it was complete once.
            if (sealed
                    || settled
                    || !contents.hasLog(sequence)
                    || stand(ManifestFile.readPublished(files, path))) {
                complete.add(new Stored(incarnation, sequence, path));
            }
        }
        return complete;
    }

    /** One that stands at a path. */
    private final class Stored implements StoredManifest {
        private final Incarnation incarnation;
        private final long sequence;
        private final String path;

        Stored(Incarnation incarnation, long sequence, String path) {
            this.incarnation = incarnation;
            this.sequence = sequence;
            this.path = path;
        }

        @Override
        public Manifest read() throws IOException {
            Manifest manifest = ManifestFile.read(files, path);
            mustBe(manifest.incarnation(), manifest.sequence());
            return manifest;
        }

        @Override
        public Manifest.Summary forEach(Manifest.Entries to) throws IOException {
            Manifest.Summary manifest = ManifestFile.forEach(files, path, to);
            mustBe(manifest.incarnation(), manifest.sequence());
            return manifest;
        }

        private void mustBe(Incarnation of, long number) throws IOException {
            if (!of.equals(incarnation) || number != sequence) {
                throw new IOException("%s is of %s number %d".formatted(path, of, number));
            }
        }
    }

    /** For what is not of one incarnation. */
    private Publication publication() {
        return new Publication(files, directory, area.root(), formats, crashPoints, clock);
    }

    private boolean stand(List<PublishedFile> published) throws IOException {
        for (PublishedFile file : published) {
            if (files.stat(directory + "/" + file.path()) == null) {
                return false;
            }
        }
        return true;
    }

    /** Every incarnation of which anything stands in the work area, and that is not retired. */
    public List<Incarnation> incarnations() throws IOException {
        return area.incarnations();
    }

    /**
     * Compares a manifest with its published files. Files are their owner's to move or remove when
     * all their events are older than the retention: then they are not missed.
     *
     * @param keptSinceMicros from when on files must be there, by the timestamps of their events;
     *     {@link Long#MIN_VALUE}: always
     * @return what is wrong (missing, unreadable, different), for people; empty: all is well
     */
    public Optional<String> verify(Manifest manifest, long keptSinceMicros) throws IOException {
        return compare(manifest.published(), manifest.isOlderThan(keptSinceMicros), Long.MIN_VALUE);
    }

    /**
     * The same without reading every file: of one that has the right length, and was not modified
     * since its manifest was written, the content is taken for right. A published file is whole
     * before its manifest is written, so whoever changes it in place, or puts another one there,
     * makes it newer; what is read then is compared. Only {@link #verify} finds bytes that a disk
     * changed by itself.
     *
     * @param keptSinceMicros as there
     * @return as there
     */
    public Optional<String> verifyStanding(Manifest.Summary manifest, long keptSinceMicros)
            throws IOException {
        return compare(
                manifest.published(),
                manifest.isOlderThan(keptSinceMicros),
                manifest.modifiedMillis());
    }

    private Optional<String> compare(
            List<PublishedFile> published, boolean mayBeGone, long readIfAfterMillis)
            throws IOException {
        Publication publication = publication();
        List<String> wrong = new ArrayList<>();
        for (PublishedFile file : published) {
            String difference = difference(publication, file, readIfAfterMillis);
            boolean gone =
                    mayBeGone
                            && difference != null
                            && files.stat(directory + "/" + file.path()) == null;
            if (difference != null && !gone) {
                wrong.add("%s/%s: %s".formatted(directory, file.path(), difference));
            }
        }
        return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
    }

    private static @Nullable String difference(
            Publication publication, PublishedFile file, long readIfAfterMillis) {
        try {
            return publication.difference(file, readIfAfterMillis);
        } catch (IOException e) {
            return "it cannot be read: " + IoText.of(e);
        }
    }

    /**
     * Files that stand where published files do, but that no manifest knows: paths relative to the
     * directory. Names that begin with a dot or an underscore are no output.
     */
    public List<String> strangers() throws IOException {
        Set<String> standing = standing(); // first: a manifest stands before its files
        Set<String> known = new HashSet<>();
        for (Incarnation incarnation : incarnations()) {
            known.addAll(area.read(incarnation, this::publishedPaths));
        }
        // What was declared lost is not known any more: it must not be read.
        standing.removeAll(known);
        RetiredIncarnations retired = area.retired(); // last: their manifests may go meanwhile
        standing.removeIf(
                path ->
                        OutputNames.publication(path)
                                .filter(n -> retired.contains(n.incarnation()))
                                .isPresent());
        return List.copyOf(standing);
    }

    /**
     * Looks for files that stand under a published name of the incarnation although none of its
     * manifests knows them.
     *
     * @param known what the manifests say: paths relative to the directory
     */
    public PublishedWalk unknown(Incarnation incarnation, Set<String> known) {
        return PublishedWalk.unknown(files, directory, incarnation, known);
    }

    private Set<String> standing() throws IOException {
        TreeSet<String> standing = new TreeSet<>();
        PublishedWalk walk = PublishedWalk.all(files, directory);
        while (walk.hasNext()) {
            standing.addAll(walk.next());
        }
        return standing;
    }

    private List<String> publishedPaths(WorkArea.Contents contents) throws IOException {
        List<String> paths = new ArrayList<>();
        for (Map.Entry<Long, String> manifest : contents.manifests().entrySet()) {
            if (!contents.lost().containsKey(manifest.getKey())) {
                for (PublishedFile file : ManifestFile.readPublished(files, manifest.getValue())) {
                    paths.add(file.path());
                }
            }
        }
        return paths;
    }
}
