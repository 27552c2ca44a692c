package photon.storage.output;

import static photon.core.error.Checks.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import photon.core.error.BugException;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.WholeFile;
import photon.storage.output.Manifest.PublishedFile;

/**
 * The published files of one output directory that persons have declared lost for good
 * (docs/protocol.md section 6). A declaration is a file beside the manifest, {@code
 * lost-NUMBER.json}, that is created exclusively and never removed before its manifest is. From
 * then on the manifest counts for nothing, its files' names are nobody's, and what it held is to be
 * joined again. Thread-safe.
 */
public final class LostFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NAMES_MAX = 10_000;

    private final FileStore files;
    private final String outputDirectory;
    private final WorkArea area;
    private final Publication publication;

    LostFiles(FileStore files, String outputDirectory, WorkArea area, Publication publication) {
        this.files = files;
        this.outputDirectory = outputDirectory;
        this.area = area;
        this.publication = publication;
    }

    /** Which work log a published file is of: a manifest has its number. */
    public record Named(Incarnation incarnation, long sequence) {}

    /**
     * A declaration.
     *
     * @param paths of the manifest's files, relative to the output directory
     * @param events how many foreign events they held
     * @param reason as the person gave it
     * @param actor who it was
     * @param atMillis when, in milliseconds since 1970
     * @param timesReopened how often the incarnation had been reopened before
     */
    public record Declaration(
            Named named,
            List<String> paths,
            long events,
            String reason,
            String actor,
            long atMillis,
            int timesReopened) {
        public Declaration {
            paths = List.copyOf(paths);
        }
    }

    /**
     * How a manifest's files stand.
     *
     * @param whole paths of those that are there and as the manifest says
     * @param wrong of each other one what is wrong, for people
     * @param standing paths under which anything stands
     */
    public record Standing(
            Manifest manifest, List<String> whole, List<String> wrong, List<String> standing) {
        public Standing {
            whole = List.copyOf(whole);
            wrong = List.copyOf(wrong);
            standing = List.copyOf(standing);
        }
    }

    /** By the file's name, whatever folder it stands in; empty: no published file is called so. */
    public static Optional<Named> named(String path) {
        return OutputNames.publication(path);
    }

    /**
     * Reads a manifest and all of its files.
     *
     * @return empty if there is no such manifest
     */
    public Optional<Standing> look(Named named) throws IOException {
        String path =
                area.read(
                        named.incarnation(),
                        contents ->
                                Optional.ofNullable(contents.manifests().get(named.sequence()))
                                        .orElse(""));
        if (path.isEmpty()) {
            return Optional.empty();
        }
        Manifest manifest = ManifestFile.read(files, path);
        List<String> whole = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        List<String> standing = new ArrayList<>();
        for (PublishedFile file : manifest.published()) {
            String difference = publication.difference(file);
            if (difference == null) {
                whole.add(file.path());
            } else {
                wrong.add(file.path() + ": " + difference);
            }
            if (files.stat(outputDirectory + "/" + file.path()) != null) {
                standing.add(file.path());
            }
        }
        return Optional.of(new Standing(manifest, whole, wrong, standing));
    }

    /** What was declared of this manifest; empty: nothing. */
    public Optional<Declaration> of(Named named) throws IOException {
        String path = path(named);
        return files.stat(path) == null ? Optional.empty() : Optional.of(read(path));
    }

    /** All declarations, by incarnation and number. */
    public List<Declaration> all() throws IOException {
        List<Declaration> all = new ArrayList<>();
        for (Incarnation incarnation : area.incarnations()) {
            all.addAll(of(incarnation));
        }
        return all;
    }

    /** Those of one incarnation, by number. */
    public List<Declaration> of(Incarnation incarnation) throws IOException {
        return area.read(
                incarnation,
                contents -> {
                    List<Declaration> found = new ArrayList<>();
                    for (String path : contents.lost().values()) {
                        found.add(read(path));
                    }
                    return found;
                });
    }

    /**
     * Declares that the files of a manifest of a sealed incarnation are lost for good. Durable on
     * return. The caller must have checked that none of them is whole ({@link #look}).
     *
     * @return false if a declaration stands already; its words stay
     */
    public boolean declare(Declaration declaration) throws IOException {
        Named named = declaration.named();
        check(
                area.isSealed(named.incarnation()),
                "Expected incarnation %s to be sealed",
                named.incarnation());
        String directory = area.sealed(named.incarnation());
        byte[] content = JSON.writeValueAsBytes(json(declaration));
        String aside = Temporary.pathPrefix(directory, "lost-" + named.sequence());
        boolean first = WholeFile.publish(files, aside, path(named), content);
        files.syncDirectory(directory); // also when another made it, and has not synced yet
        return first;
    }

    /**
     * Moves what stands under the names of a declared manifest's files out of readers' sight, into
     * the incarnation's sealed directory. May be repeated.
     *
     * @return the paths that were moved
     */
    public List<String> withdraw(Declaration declaration) throws IOException {
        Named named = declaration.named();
        List<String> moved = new ArrayList<>();
        Set<String> folders = new LinkedHashSet<>();
        for (String path : declaration.paths()) {
            String from = outputDirectory + "/" + path;
            if (files.stat(from) != null && moveAside(named, from)) {
                moved.add(path);
                folders.add(OutputNames.parent(from));
            }
        }
        for (String folder : folders) {
            files.syncDirectory(folder);
        }
        files.syncDirectory(area.sealed(named.incarnation()));
        return moved;
    }

    /** False: it is gone, another person was faster. */
    private boolean moveAside(Named named, String from) throws IOException {
        for (int i = 0; i < NAMES_MAX; i++) {
            String to =
                    area.sealed(named.incarnation())
                            + "/"
                            + OutputNames.withdrawn(named.sequence(), i);
            try {
                files.rename(from, to);
                return true;
            } catch (FileAlreadyExistsException e) {
                // one that was withdrawn before
            } catch (NoSuchFileException e) {
                return false;
            }
        }
        throw new IOException("Expected a free name to move %s to".formatted(from));
    }

    private String path(Named named) {
        return area.sealed(named.incarnation()) + "/" + OutputNames.lost(named.sequence());
    }

    private static ObjectNode json(Declaration declaration) {
        ObjectNode node =
                JSON.createObjectNode()
                        .put("incarnation", declaration.named().incarnation().toString())
                        .put("sequence", declaration.named().sequence());
        ArrayNode paths = node.putArray("files");
        declaration.paths().forEach(paths::add);
        return node.put("events", declaration.events())
                .put("reason", declaration.reason())
                .put("actor", declaration.actor())
                .put("atMillis", declaration.atMillis())
                .put("timesReopened", declaration.timesReopened());
    }

    private Declaration read(String path) throws IOException {
        JsonNode node;
        try {
            node = JSON.readTree(WholeFile.read(files, path));
        } catch (JsonProcessingException e) {
            throw new IOException("Expected JSON in " + path, e);
        }
        List<String> paths = new ArrayList<>();
        node.path("files").forEach(one -> paths.add(one.asText()));
        try {
            return new Declaration(
                    new Named(
                            Incarnation.parse(node.path("incarnation").asText()),
                            node.path("sequence").asLong()),
                    paths,
                    node.path("events").asLong(),
                    node.path("reason").asText(),
                    node.path("actor").asText(),
                    node.path("atMillis").asLong(),
                    node.path("timesReopened").asInt());
        } catch (BugException | IllegalArgumentException e) {
            throw new IOException("Expected a declaration in " + path, e);
        }
    }
}
