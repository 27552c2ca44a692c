package photon.demo.generate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import photon.core.id.EventId;
import photon.proto.v1.FramedRecord;

/** Reads generated logs and joins them in memory: knows nothing of how they were made. */
final class GeneratedLogs {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FRAME_HEADER = 12;

    final Set<String> primaries = new LinkedHashSet<>();
    final Map<String, String> primaryByForeign = new LinkedHashMap<>();
    final List<String> files = new ArrayList<>();
    int records;
    int foreignRecords;

    static GeneratedLogs read(Path directory) throws IOException {
        GeneratedLogs logs = new GeneratedLogs();
        for (String stream : List.of("primary", "foreign")) {
            for (Path file : files(directory.resolve(stream))) {
                logs.files.add(directory.relativize(file).toString());
                byte[] bytes = bytes(file);
                boolean framed = bytes.length > 0 && bytes[0] == (byte) 0xF7;
                logs.take(stream, framed ? frames(bytes) : lines(bytes));
            }
        }
        return logs;
    }

    /** Each file with its bytes, by path. */
    static Map<String, String> digests(Path directory) throws Exception {
        Map<String, String> digests = new TreeMap<>();
        for (Path file : files(directory)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digests.put(
                    directory.relativize(file).toString(),
                    HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file))));
        }
        return digests;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    static byte[] bytes(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (!file.toString().endsWith(".gz")) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    private void take(String stream, List<String[]> ids) {
        for (String[] id : ids) {
            records++;
            if (stream.equals("primary")) {
                primaries.add(id[0]);
            } else {
                foreignRecords++;
                String before = primaryByForeign.put(id[0], id[1]);
                if (before != null && !before.equals(id[1])) {
                    throw new AssertionError(id[0] + " names " + before + " and " + id[1]);
                }
            }
        }
    }

    private static List<String[]> lines(byte[] bytes) throws IOException {
        List<String[]> ids = new ArrayList<>();
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (!text.isEmpty() && !text.endsWith("\n")) {
            throw new AssertionError("The last line is cut");
        }
        for (String line : text.lines().toList()) {
            JsonNode json = JSON.readTree(line);
            ids.add(new String[] {nativeId(json), nativeId(json.path("primary"))});
        }
        return ids;
    }

    private static String nativeId(JsonNode json) {
        return json.path("server").asText()
                + ":"
                + json.path("process").asText()
                + ":"
                + json.path("timestamp").asText();
    }

    private static List<String[]> frames(byte[] bytes) throws IOException {
        List<String[]> ids = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            int length = buffer.getInt(buffer.position() + 4);
            int from = buffer.position() + FRAME_HEADER;
            FramedRecord record =
                    FramedRecord.parseFrom(Arrays.copyOfRange(bytes, from, from + length));
            JSON.readTree(record.getJson().toStringUtf8());
            ids.add(
                    new String[] {
                        EventId.read(record.getId().asReadOnlyByteBuffer()).toString(),
                        record.getPrimaryId().isEmpty()
                                ? ""
                                : EventId.read(record.getPrimaryId().asReadOnlyByteBuffer())
                                        .toString()
                    });
            buffer.position(from + length);
        }
        return ids;
    }

    /** Lines {@code foreign<TAB>primary} whose primary event is there, or is not; sorted. */
    List<String> pairs(boolean joinable) {
        return primaryByForeign.entrySet().stream()
                .filter(pair -> primaries.contains(pair.getValue()) == joinable)
                .map(pair -> pair.getKey() + "\t" + pair.getValue())
                .sorted()
                .toList();
    }

    String sha256() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        primaryByForeign.entrySet().stream()
                .filter(pair -> primaries.contains(pair.getValue()))
                .map(pair -> pair.getValue() + "\t" + pair.getKey() + "\n")
                .sorted()
                .forEach(line -> digest.update(line.getBytes(StandardCharsets.US_ASCII)));
        return HexFormat.of().formatHex(digest.digest());
    }
}
