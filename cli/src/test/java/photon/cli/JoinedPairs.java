package photon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The joined pairs of published files, read without Photon's own readers. */
public final class JoinedPairs {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Path> NONE = List.of();

    private final List<String> pairs;

    private JoinedPairs(List<String> pairs) {
        this.pairs = pairs;
    }

    public static JoinedPairs read(Path output) throws IOException {
        List<String> pairs = new ArrayList<>();
        for (Path datacenter : list(output)) {
            // Not what is elsewhere: other files come and go.
            for (Path file : inFolders(datacenter)) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode joined = JSON.readTree(line);
                    pairs.add(
                            joined.get("primaryId").asText()
                                    + "\t"
                                    + joined.get("id").asText()
                                    + "\n");
                }
            }
        }
        return new JoinedPairs(pairs);
    }

    /** Of other files than JSON lines: primary id, tab, foreign id, line feed. */
    public static JoinedPairs of(List<String> pairs) {
        return new JoinedPairs(List.copyOf(pairs));
    }

    /** Of the main output: {@code dt=DAY/hour=HOUR/FILE}. */
    private static List<Path> inFolders(Path datacenter) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path day : list(datacenter)) {
            for (Path hour : day.getFileName().toString().startsWith("dt=") ? list(day) : NONE) {
                list(hour).stream()
                        .filter(f -> f.toString().endsWith(".jsonl"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    /** {@code primaryId id}, sorted, each as often as it was published. */
    public List<String> list() {
        return pairs.stream().map(pair -> pair.strip().replace('\t', ' ')).sorted().toList();
    }

    public int count() {
        return pairs.size();
    }

    /**
     * Of the lines {@code primaryId<TAB>id<LF>}, sorted bytewise: changes if one is missing, twice,
     * or another.
     */
    public String sha256() {
        byte[][] lines =
                pairs.stream().map(p -> p.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        Arrays.sort(lines, Arrays::compareUnsigned);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] line : lines) {
                digest.update(line);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
