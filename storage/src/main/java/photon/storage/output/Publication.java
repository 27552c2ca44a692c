package photon.storage.output;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.output.Manifest.Entry;
import photon.storage.output.Manifest.PublishedFile;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormat;
import photon.storage.output.format.OutputFormat.EventWriter;
import photon.storage.output.format.OutputFormat.Origin;
import photon.storage.output.format.OutputFormats;

/**
 * Turns one work log into published files: written aside, then the manifest, which says for ever
 * what this publication is, then the names. Temporaries and manifest lie in the incarnation's own
 * directory, so that a zombie has lost them once a sealer moved that. The package's page has the
 * argument.
 */
final class Publication {
    private final FileStore files;
    private final String outputDirectory;
    private final String workDirectory;
    private final OutputFormats otherwise;
    private final CrashPoints crashPoints;
    private final IntervalClock clock;

    /**
     * @param otherwise the formats of a log that was torn before it could say its own
     */
    Publication(
            FileStore files,
            String outputDirectory,
            String workDirectory,
            OutputFormats otherwise,
            CrashPoints crashPoints,
            IntervalClock clock) {
        this.files = files;
        this.outputDirectory = outputDirectory;
        this.workDirectory = workDirectory;
        this.otherwise = otherwise;
        this.crashPoints = crashPoints;
        this.clock = clock;
    }

    /**
     * Files written aside and synced, and what they are.
     *
     * @param temporaries in the order of the manifest's published files
     * @param leftBehind those of them that perhaps cannot be written once more: they stay if they
     *     get no name
     */
    record Prepared(Manifest manifest, List<String> temporaries, Set<String> leftBehind) {
        /** The same, named by a manifest that stands from now on: they alone have its bytes. */
        Prepared named() {
            return new Prepared(manifest, temporaries, Set.copyOf(temporaries));
        }

        /**
         * The same in the folders that a standing manifest of this log names: it was made in
         * another hour, and what it says holds. Only folders are taken from it.
         */
        Prepared inFoldersOf(Manifest standing) {
            if (standing.published().size() != manifest.published().size()) {
                return this; // they disagree, which the caller finds
            }
            List<PublishedFile> files = new ArrayList<>();
            for (int i = 0; i < manifest.published().size(); i++) {
                PublishedFile file = manifest.published().get(i);
                String path = standing.published().get(i).path();
                files.add(
                        OutputNames.sameButForTheHour(path, file.path())
                                ? new PublishedFile(
                                        file.output(), path, file.length(), file.sha256())
                                : file);
            }
            return new Prepared(
                    new Manifest(
                            manifest.incarnation(), manifest.sequence(), files, manifest.entries()),
                    temporaries,
                    leftBehind);
        }
    }

    /**
     * Writes each output's file aside, for the folders of this hour. Memory: the manifest's entries
     * and a buffer an output.
     */
    Prepared prepare(Incarnation incarnation, long sequence, WorkLogReader log) throws IOException {
        Map<String, Aside> outputs = new TreeMap<>(); // by name: the same list whoever does it
        boolean prepared = false;
        try {
            Prepared all = prepare(incarnation, sequence, log, outputs);
            prepared = true;
            return all;
        } finally {
            for (Aside aside : outputs.values()) {
                aside.events.close();
                aside.file.close();
            }
            if (!prepared) {
                Temporary.discard(files, outputs.values().stream().map(Aside::path).toList());
            }
        }
    }

    private Prepared prepare(
            Incarnation incarnation, long sequence, WorkLogReader log, Map<String, Aside> outputs)
            throws IOException {
        OutputFormats formats = log.formats(otherwise);
        List<Entry> entries = new ArrayList<>();
        outputs.put("", aside(sequence, formats.of("")));
        WorkRecord record;
        while ((record = log.next()) != null) {
            Origin origin = new Origin(record.id(), record.token(), record.primaryId());
            for (JoinedEvent event : record.joined()) {
                Aside aside = outputs.get(event.output());
                if (aside == null) {
                    aside = aside(sequence, formats.of(event.output()));
                    outputs.put(event.output(), aside);
                }
                aside.events.write(origin, event.bytes());
            }
            entries.add(
                    new Entry(
                            record.id(),
                            record.token(),
                            record.contentHash(),
                            record.joined().size()));
        }
        String hour = OutputNames.hour(clock.now().earliestMicros());
        List<PublishedFile> published = new ArrayList<>();
        List<String> temporaries = new ArrayList<>();
        for (Map.Entry<String, Aside> output : outputs.entrySet()) {
            Aside aside = output.getValue();
            aside.events.end();
            aside.file.sync();
            aside.file.close();
            String path =
                    OutputNames.published(
                            output.getKey(),
                            hour,
                            incarnation,
                            sequence,
                            formats.of(output.getKey()).suffix());
            published.add(
                    new PublishedFile(
                            output.getKey(), path, aside.file.length(), aside.file.endDigest()));
            temporaries.add(aside.path);
        }
        return new Prepared(
                new Manifest(incarnation, sequence, published, entries), temporaries, Set.of());
    }

    /** For files that get no name. */
    void discard(Prepared prepared) {
        Temporary.discard(files, prepared.temporaries());
    }

    /**
     * Gives the manifest its name, durably, exclusively.
     *
     * @return false if one stands there already
     */
    boolean takeManifest(Manifest manifest) throws IOException {
        String what = "manifest-" + manifest.sequence();
        Temporary temporary = Temporary.create(files, workDirectory, what);
        String name = workDirectory + "/" + OutputNames.manifest(manifest.sequence());
        boolean taken = false;
        try {
            try (var file = temporary.file()) {
                ManifestFile.write(manifest, file);
            }
            taken = files.publish(temporary.path(), name);
        } finally {
            if (!taken) {
                Temporary.discard(files, List.of(temporary.path()));
            }
        }
        files.syncDirectory(workDirectory); // also when another took it, and has not synced yet
        return taken;
    }

    /**
     * Gives the files their names, durably. The manifest must stand.
     *
     * @param mayStand true: a name that is taken is well if what stands there is what the manifest
     *     says; false: it is an error
     */
    void move(Prepared prepared, boolean mayStand) throws IOException {
        crashPoints.passed(CrashPoint.PUBLISHING);
        Manifest manifest = prepared.manifest();
        check(
                manifest.published().size() == prepared.temporaries().size(),
                "Expected a temporary a file, but got %s",
                prepared.temporaries());
        TreeSet<String> folders = new TreeSet<>();
        int named = 0; // so many temporaries have become published files
        try {
            for (; named < manifest.published().size(); named++) {
                PublishedFile file = manifest.published().get(named);
                String name = outputDirectory + "/" + file.path();
                makeFolder(OutputNames.parent(name), folders);
                move(prepared.temporaries().get(named), file, name, mayStand);
            }
        } finally {
            // What the manifest names may have these bytes in no other file: of a process that dies
            // now, and whose sealer's library may compress in another way, or of one that has died.
            int count = prepared.temporaries().size();
            Temporary.discard(
                    files,
                    prepared.temporaries().subList(named, count).stream()
                            .filter(one -> mayStand && !prepared.leftBehind().contains(one))
                            .toList());
        }
        // Also folders that another publication has made: it may not have synced them yet. The
        // innermost first, so that a folder that lasts is not without what was named in it.
        for (String folder : folders.descendingSet()) {
            files.syncDirectory(folder);
        }
    }

    private void move(String temporary, PublishedFile file, String name, boolean mayStand)
            throws IOException {
        if (!files.publish(temporary, name)) {
            String wrong = mayStand ? difference(file) : "somebody took the name";
            if (wrong != null) {
                throw new IOException("Cannot publish %s: %s".formatted(name, wrong));
            }
            Temporary.discard(files, List.of(temporary));
        }
    }

    /** What is wrong with a published file, its content too; null: nothing. */
    @Nullable String difference(PublishedFile file) throws IOException {
        return difference(file, Long.MIN_VALUE);
    }

    /**
     * What is wrong with a published file; null: nothing.
     *
     * @param readIfAfterMillis its content is compared if the file was modified later, in
     *     milliseconds since 1970
     */
    @Nullable String difference(PublishedFile file, long readIfAfterMillis) throws IOException {
        String path = outputDirectory + "/" + file.path();
        FileInfo standing = files.stat(path);
        if (standing == null) {
            return "it is missing";
        }
        if (standing.directory() || standing.length() != file.length()) {
            return "expected %d bytes, but it has %d".formatted(file.length(), standing.length());
        }
        if (standing.modifiedMillis() <= readIfAfterMillis) {
            return null;
        }
        String sha256 = DigestedFile.sha256(files, path);
        return sha256.equals(file.sha256())
                ? null
                : "expected SHA-256 %s, but it has %s".formatted(file.sha256(), sha256);
    }

    /** With those above it, up to the output directory, which is there. */
    private void makeFolder(String folder, Set<String> made) throws IOException {
        if (!made.add(folder) || folder.equals(outputDirectory)) {
            return;
        }
        makeFolder(OutputNames.parent(folder), made);
        if (files.stat(folder) == null) {
            try {
                files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                // another publication made it
            }
        }
    }

    /** What a file is named for that is written aside. */
    static String aside(long sequence) {
        return "publish-" + sequence;
    }

    private Aside aside(long sequence, OutputFormat format) throws IOException {
        Temporary temporary = Temporary.create(files, workDirectory, aside(sequence));
        DigestedFile file = new DigestedFile(temporary.file());
        return new Aside(temporary.path(), file, format.begin(file));
    }

    /** One output's file while it is written. */
    private record Aside(String path, DigestedFile file, EventWriter events) {}
}
