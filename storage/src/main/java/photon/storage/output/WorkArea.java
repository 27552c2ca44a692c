package photon.storage.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import photon.core.id.Incarnation;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/** Finds what belongs to an incarnation below {@code _work/}. Thread-safe. */
final class WorkArea {
    private static final int READ_TRIES_MAX = 50;

    private final FileStore files;
    private final String root;

    WorkArea(FileStore files, String outputDirectory) {
        this.files = files;
        this.root = outputDirectory + "/" + OutputNames.WORK;
    }

    String root() {
        return root;
    }

    /** Where the live incarnation writes; a tombstone once it is sealed. */
    String live(Incarnation incarnation) {
        return root + "/" + incarnation;
    }

    /** Where its directory goes when it is sealed. */
    String sealed(Incarnation incarnation) {
        return root + "/" + OutputNames.sealed(incarnation);
    }

    String sealedMark(Incarnation incarnation) {
        return sealed(incarnation) + "/" + OutputNames.SEALED;
    }

    boolean isSealed(Incarnation incarnation) throws IOException {
        return files.stat(sealedMark(incarnation)) != null;
    }

    /** Without those that are retired, of which something may stand for a moment. */
    List<Incarnation> incarnations() throws IOException {
        List<Incarnation> standing = standing();
        RetiredIncarnations retired = retired(); // behind the look: what it may miss is retired
        return standing.stream().filter(one -> !retired.contains(one)).toList();
    }

    RetiredIncarnations retired() throws IOException {
        Optional<VersionedDocument.Version> version = retiredDocument().read();
        return version.isEmpty()
                ? RetiredIncarnations.NONE
                : RetiredIncarnations.decode(version.get().content());
    }

    VersionedDocument retiredDocument() {
        return new VersionedDocument(files, root, OutputNames.RETIRED);
    }

    /** Every incarnation of which anything stands. */
    List<Incarnation> standing() throws IOException {
        return entries().stream()
                .flatMap(entry -> OutputNames.incarnation(OutputNames.last(entry.path())).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * What stands in it.
     *
     * @throws IOException also if it is not there itself, as when its volume is not mounted: what
     *     an incarnation has published must not look like nothing
     */
    private List<FileInfo> entries() throws IOException {
        List<FileInfo> entries = files.list(root);
        if (entries.isEmpty() && files.stat(root) == null) {
            throw new IOException(
                    "Expected the directory %s, but nothing stands there: is its volume mounted?"
                            .formatted(root));
        }
        return entries;
    }

    /**
     * The files of an incarnation's directories that have a number, by number.
     *
     * @param lost declarations that the files of this number's manifest are lost for good
     */
    record Contents(
            TreeMap<Long, String> workLogs,
            TreeMap<Long, String> frozenLogs,
            TreeMap<Long, String> manifests,
            TreeMap<Long, String> lost) {

        /** True if there is something from which a publication can be redone. */
        boolean hasLog(long sequence) {
            return workLogs.containsKey(sequence) || frozenLogs.containsKey(sequence);
        }
    }

    /** Uses what the incarnation's directories hold. */
    interface Use<T> {
        T of(Contents contents) throws IOException;
    }

    /**
     * Reads an incarnation's directories, anew if a sealer moved one meanwhile: a listing that
     * misses manifests would have their events joined again.
     */
    <T> T read(Incarnation incarnation, Use<T> use) throws IOException {
        for (int i = 0; i < READ_TRIES_MAX; i++) {
            List<String> directories = directories(incarnation);
            try {
                T result = use.of(contents(directories));
                if (directories.equals(directories(incarnation))) {
                    return result;
                }
            } catch (IOException e) {
                if (directories.equals(directories(incarnation))) {
                    throw e;
                }
            }
        }
        throw new IOException("The work directories of " + incarnation + " are moved all the time");
    }

    /** Every directory of this incarnation, live or moved away; no tombstone. */
    List<String> directories(Incarnation incarnation) throws IOException {
        List<String> found = new ArrayList<>();
        String start = incarnation.toString();
        for (FileInfo entry : entries()) {
            String name = OutputNames.last(entry.path());
            // Most are others': no pattern need be matched to tell.
            if (entry.directory()
                    && name.startsWith(start)
                    && OutputNames.incarnation(name).filter(incarnation::equals).isPresent()) {
                found.add(root + "/" + name);
            }
        }
        return found;
    }

    private Contents contents(List<String> directories) throws IOException {
        Contents contents =
                new Contents(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        for (String directory : directories) {
            for (FileInfo entry : files.list(directory)) {
                String name = OutputNames.last(entry.path());
                OutputNames.Numbered numbered = OutputNames.numbered(name).orElse(null);
                if (numbered != null) {
                    put(contents, numbered, directory + "/" + name);
                }
            }
        }
        return contents;
    }

    private static void put(Contents contents, OutputNames.Numbered numbered, String path)
            throws IOException {
        TreeMap<Long, String> into =
                switch (numbered.kind()) {
                    case WORK -> contents.workLogs();
                    case FROZEN -> contents.frozenLogs();
                    case MANIFEST -> contents.manifests();
                    case LOST -> contents.lost();
                };
        String other = into.put(numbered.sequence(), path);
        if (other != null) {
            throw new IOException(
                    "Expected one of %s and %s, but both stand".formatted(other, path));
        }
    }
}
