package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.frames.FrameReader;
import photon.storage.frames.FrameWriter;
import photon.storage.output.Manifest.Entry;
import photon.storage.output.Manifest.PublishedFile;

/**
 * A manifest's bytes: frames, the first a JSON header (whose, which files, how many entries), then
 * entries by the thousand, last the SHA-256 of all payloads before. Anything else is no manifest:
 * one that cannot be read must never look like one without entries, since what is in no manifest is
 * joined again.
 */
final class ManifestFile {
    private static final int ENTRIES_PER_FRAME = 1_000;
    private static final int ENTRY_BYTES_MAX = EventId.BYTES + CommitToken.BYTES + 4 + 1 + 192;
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private ManifestFile() {}

    static void write(Manifest manifest, AppendFile file) throws IOException {
        FrameWriter frames = new FrameWriter(file);
        MessageDigest digest = Sha256.begin();
        byte[] header = JSON.writeValueAsBytes(header(manifest));
        digest.update(header);
        frames.append(header);
        ByteBuffer buffer =
                ByteBuffer.allocate(
                        Math.min(ENTRIES_PER_FRAME, manifest.entries().size()) * ENTRY_BYTES_MAX);
        int inFrame = 0;
        for (Entry entry : manifest.entries()) {
            entry.id().write(buffer);
            entry.token().write(buffer);
            byte[] hash = entry.contentHash().getBytes(UTF_8);
            buffer.putInt(entry.joinedEvents()).put((byte) hash.length).put(hash);
            if (++inFrame == ENTRIES_PER_FRAME) {
                appendEntries(buffer, frames, digest);
                inFrame = 0;
            }
        }
        appendEntries(buffer, frames, digest);
        frames.append(digest.digest());
        frames.sync();
    }

    private static void appendEntries(ByteBuffer buffer, FrameWriter frames, MessageDigest digest)
            throws IOException {
        if (buffer.position() > 0) {
            byte[] payload = new byte[buffer.position()];
            buffer.flip().get(payload);
            buffer.clear();
            digest.update(payload);
            frames.append(payload);
        }
    }

    private static ObjectNode header(Manifest manifest) {
        ObjectNode header = JSON.createObjectNode();
        header.put("version", VERSION);
        header.put("incarnation", manifest.incarnation().toString());
        header.put("sequence", manifest.sequence());
        header.put("entries", manifest.entries().size());
        ArrayNode published = header.putArray("published");
        for (PublishedFile file : manifest.published()) {
            published
                    .addObject()
                    .put("output", file.output())
                    .put("path", file.path())
                    .put("length", file.length())
                    .put("sha256", file.sha256());
        }
        return header;
    }

    /**
     * @throws IOException if it is not a whole manifest: names the file
     */
    static Manifest read(FileStore files, String path) throws IOException {
        try (ReadFile file = files.open(path)) {
            FrameReader frames = new FrameReader(file, 0);
            MessageDigest digest = Sha256.begin();
            byte[] head = need(frames, path);
            digest.update(head);
            JsonNode header = header(head, path);
            int count = header.path("entries").asInt();
            List<Entry> entries = new ArrayList<>(count);
            while (entries.size() < count) {
                byte[] payload = need(frames, path);
                digest.update(payload);
                readEntries(payload, entries);
            }
            if (!MessageDigest.isEqual(digest.digest(), need(frames, path))
                    || entries.size() != count
                    || frames.next() != null
                    || frames.torn()) {
                throw broken(path, "its checksum or count of entries is wrong", null);
            }
            return new Manifest(
                    Incarnation.parse(header.path("incarnation").asText()),
                    header.path("sequence").asLong(),
                    published(header),
                    entries);
        } catch (BufferUnderflowException | BugException | NumberFormatException e) {
            throw broken(path, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The same without keeping the entries: memory is one frame's. What was taken counts only when
     * this has returned: the checksum comes last.
     *
     * @throws IOException if it is not a whole manifest: names the file
     */
    static Manifest.Summary forEach(FileStore files, String path, Manifest.Entries to)
            throws IOException {
        FileInfo standing = files.stat(path);
        try (ReadFile file = files.open(path)) {
            FrameReader frames = new FrameReader(file, 0);
            MessageDigest digest = Sha256.begin();
            byte[] head = need(frames, path);
            digest.update(head);
            JsonNode header = header(head, path);
            long count = header.path("entries").asLong();
            long taken = 0;
            long lastMicros = -1;
            while (taken < count) {
                byte[] payload = need(frames, path);
                digest.update(payload);
                ByteBuffer from = ByteBuffer.wrap(payload);
                while (from.hasRemaining()) {
                    EventId id = EventId.read(from);
                    CommitToken token = CommitToken.read(from);
                    from.getInt();
                    int hashLength = from.get() & 0xFF;
                    from.position(from.position() + hashLength);
                    to.take(id, token);
                    lastMicros = Math.max(lastMicros, id.micros());
                    taken++;
                }
            }
            if (!MessageDigest.isEqual(digest.digest(), need(frames, path))
                    || taken != count
                    || frames.next() != null
                    || frames.torn()) {
                throw broken(path, "its checksum or count of entries is wrong", null);
            }
            return new Manifest.Summary(
                    Incarnation.parse(header.path("incarnation").asText()),
                    header.path("sequence").asLong(),
                    published(header),
                    count,
                    lastMicros,
                    standing == null ? Long.MIN_VALUE : standing.modifiedMillis());
        } catch (BufferUnderflowException | BugException | IllegalArgumentException e) {
            throw broken(path, String.valueOf(e.getMessage()), e);
        }
    }

    /** The files alone, without reading the entries. */
    static List<PublishedFile> readPublished(FileStore files, String path) throws IOException {
        try (ReadFile file = files.open(path)) {
            return published(header(need(new FrameReader(file, 0), path), path));
        }
    }

    private static JsonNode header(byte[] payload, String path) throws IOException {
        JsonNode header;
        try {
            header = JSON.readTree(payload);
        } catch (IOException e) {
            throw broken(path, "its header is no JSON", e);
        }
        if (header.path("version").asInt() != VERSION) {
            throw broken(path, "version " + header.path("version"), null);
        }
        return header;
    }

    private static List<PublishedFile> published(JsonNode header) {
        List<PublishedFile> published = new ArrayList<>();
        for (JsonNode file : header.path("published")) {
            published.add(
                    new PublishedFile(
                            file.path("output").asText(),
                            file.path("path").asText(),
                            file.path("length").asLong(),
                            file.path("sha256").asText()));
        }
        return published;
    }

    private static void readEntries(byte[] payload, List<Entry> entries) {
        ByteBuffer from = ByteBuffer.wrap(payload);
        while (from.hasRemaining()) {
            EventId id = EventId.read(from);
            CommitToken token = CommitToken.read(from);
            int joinedEvents = from.getInt();
            byte[] hash = new byte[from.get() & 0xFF];
            from.get(hash);
            entries.add(new Entry(id, token, new String(hash, UTF_8), joinedEvents));
        }
    }

    private static byte[] need(FrameReader frames, String path) throws IOException {
        if (frames.next() instanceof FrameReader.Frame frame) {
            return frame.payload();
        }
        throw broken(path, "it ends or is damaged at byte " + frames.position(), null);
    }

    private static IOException broken(String path, String why, @Nullable Exception cause) {
        return new IOException(
                "Expected a whole manifest, but of %s: %s".formatted(path, why), cause);
    }
}
