package photon.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.storage.files.FileStore;

/**
 * Counts what is published while it is published, from the files alone. A published file never
 * changes (docs/protocol.md section 6), so each is read once. The {@code merge} adapter writes one
 * joined line a foreign event, so a second line of one is a duplicate. Not thread-safe.
 */
public final class OutputWatch {
    private static final JsonFactory JSON = new JsonFactory();

    private final FileStore files;
    private final SortedMap<String, String> directories;
    private final JoinedIdentity identity;
    private final Set<String> read = new HashSet<>();
    private final List<Long> firstSeen = new ArrayList<>(); // of a file, by its number
    private final IdentityTable identities = new IdentityTable();
    private final SortedMap<String, Long> distinct = new TreeMap<>();
    private long duplicates;

    /**
     * @param directories of each datacenter the output directory, a path or a URI; they need not
     *     exist yet
     */
    public OutputWatch(FileStore files, Map<String, String> directories, JoinedIdentity identity) {
        this.files = files;
        this.directories = new TreeMap<>(directories);
        this.identity = identity;
        directories.keySet().forEach(datacenter -> distinct.put(datacenter, 0L));
    }

    /**
     * Reads what is new.
     *
     * @param nowMillis the time at which it is seen, since the demo's start
     * @throws IOException if a directory or file cannot be read, or a line is no joined event: the
     *     file then counts as not seen
     */
    public void poll(long nowMillis) throws IOException {
        for (Map.Entry<String, String> each : directories.entrySet()) {
            for (String file : published(each.getValue())) {
                if (!read.contains(file)) {
                    take(each.getKey(), identitiesIn(file), nowMillis);
                    read.add(file);
                }
            }
        }
    }

    /** Distinct foreign events over all datacenters. */
    public long distinct() {
        return identities.size();
    }

    /** Of the distinct ones how many each datacenter has; the first that was seen counts. */
    public SortedMap<String, Long> distinctByDatacenter() {
        return new TreeMap<>(distinct);
    }

    /** Lines beyond the first of a foreign event, over all datacenters. */
    public long duplicates() {
        return duplicates;
    }

    /** When the first file that holds this event was seen; empty: none was. */
    public OptionalLong firstSeenMillis(EventId id) {
        int file = identities.get(id);
        return file < 0 ? OptionalLong.empty() : OptionalLong.of(firstSeen.get(file));
    }

    private void take(String datacenter, List<EventId> ids, long nowMillis) {
        int file = firstSeen.size();
        firstSeen.add(nowMillis);
        long fresh = 0;
        for (EventId id : ids) {
            if (identities.add(id, file)) {
                fresh++;
            }
        }
        distinct.merge(datacenter, fresh, Long::sum);
        duplicates += ids.size() - fresh;
    }

    /** In folders, at any depth; names with an underscore or a dot are no output. */
    private List<String> published(String directory) throws IOException {
        List<String> found = new ArrayList<>();
        for (FileStore.FileInfo entry : files.list(directory)) {
            String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
            if (name.startsWith("_") || name.startsWith(".")) {
                continue;
            }
            if (name.endsWith(".jsonl")) {
                found.add(entry.path());
            } else if (entry.directory()) {
                found.addAll(published(entry.path()));
            }
        }
        return found;
    }

    private List<EventId> identitiesIn(String file) throws IOException {
        List<EventId> ids = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new ByteArrayInputStream(bytes(file)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                ids.add(identityOf(line, file, ids.size() + 1));
            }
        }
        return ids;
    }

    /** What was published in a second or so: it fits into memory. */
    private byte[] bytes(String file) throws IOException {
        try (FileStore.ReadFile in = files.open(file)) {
            byte[] bytes = new byte[Math.toIntExact(in.length())];
            int had = 0;
            while (had < bytes.length) {
                int got = in.read(had, bytes, had, bytes.length - had);
                if (got < 0) {
                    throw new IOException(
                            "Expected %d bytes in %s, but it ends after %d"
                                    .formatted(bytes.length, file, had));
                }
                had += got;
            }
            return bytes;
        }
    }

    private EventId identityOf(String line, String file, int number) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            String id = null;
            long micros = -1;
            parser.nextToken();
            // Stops as soon as it knows: the two events' fields come behind.
            while ((id == null || micros < 0) && parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("id")) {
                    id = parser.getText();
                } else if (name.equals("timestampMicros")) {
                    micros = parser.getLongValue();
                } else {
                    parser.skipChildren();
                }
            }
            if (id != null && micros >= 0) {
                return identity.of(id, micros);
            }
            throw noJoinedLine(file, number, null);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw noJoinedLine(file, number, e);
        }
    }

    private static IOException noJoinedLine(String file, int number, @Nullable Exception cause) {
        return new IOException(
                "Expected a joined event with id and timestampMicros, but line %d of %s is none"
                        .formatted(number, file),
                cause);
    }
}
