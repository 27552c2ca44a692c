package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.core.id.EventId;
import photon.proto.v1.FramedRecord;
import photon.storage.files.HadoopFileStore;
import photon.storage.frames.FrameWriter;

/**
 * Records that cannot be used are counted, with file, offset and reason, once however many
 * datacenters and starts meet them; everything else is joined exactly.
 */
class BadRecordsTest {
    private static final String CSV =
            """
            pipeline: clicks
            datacenters: [east, west]
            stagger: 500ms
            primary:
              paths: ["links-*"]
              format: {type: csv, header: true}
              id: {from: [link]}
              timestamp: {field: made, unit: micros}
            foreign:
              paths: ["clicks-*"]
              format: {type: csv, header: true}
              id: {from: [click]}
              timestamp: {field: at, unit: micros}
              primaryId: {from: [link]}
            limits: {publishEvery: 500ms, retryBackoffMax: 1s}
            """;

    private static final String FRAMED =
            """
            pipeline: clicks
            datacenters: [east, west]
            stagger: 500ms
            primary:
              paths: ["links.frames"]
              format: {type: framed}
              id: native
            foreign:
              paths: ["clicks.frames"]
              format: {type: framed}
              id: native
              primaryId: native
            limits: {publishEvery: 500ms, retryBackoffMax: 1s}
            """;

    /** Two right bytes, and then no method of compression that there is. */
    private static final byte[] GZIP_IN_NAME_ONLY =
            Arrays.copyOf(new byte[] {0x1F, (byte) 0x8B}, 20);

    private static final String BAD = "bad:";
    private static final long START_MICROS = 1_700_000_000_000_000L;

    @TempDir Path temporary;
    private Path directory;
    private final List<String> expectedPairs = new ArrayList<>();
    private final List<String> expectedBad = new ArrayList<>();

    @BeforeEach
    void resolve() throws IOException {
        directory = temporary.toRealPath();
    }

    private JsonNode join(String config) throws Exception {
        Path file = Files.writeString(directory.resolve("photon.yaml"), config);
        try (LocalProcess run =
                LocalProcess.start(
                        directory,
                        "",
                        "local",
                        "--config",
                        file.toString(),
                        "--until-idle",
                        "1s",
                        "--json")) {
            JsonNode books = run.awaitBooks();
            assertThat(new ObjectMapper().writeValueAsString(books))
                    .as("nothing but the books on stdout")
                    .isEqualTo(run.stdout().strip());
            return books;
        }
    }

    /** Joined are the expected pairs and no others, and bad the expected places and no others. */
    private void assertExact(JsonNode books) throws IOException {
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).list())
                .isEqualTo(expectedPairs.stream().sorted().toList());
        assertThat(books.get("joined").asInt()).isEqualTo(expectedPairs.size());
        List<String> bad = new ArrayList<>();
        for (String line :
                Files.readAllLines(directory.resolve("photon-state/report/dead-letters.jsonl"))) {
            JsonNode letter = new ObjectMapper().readTree(line);
            assertThat(letter.get("reason").asText()).isNotEmpty();
            bad.add(
                    directory.relativize(Path.of(letter.get("file").asText()))
                            + "@"
                            + letter.get("offset").asLong());
        }
        assertThat(bad).containsExactlyInAnyOrderElementsOf(expectedBad);
        assertThat(books.get("badRecords").asInt()).isEqualTo(expectedBad.size());
        for (String empty : List.of("waiting", "deadLettered", "unread", "unaccounted")) {
            assertThat(books.get(empty).asInt()).as(empty).isZero();
        }
    }

    @Test
    @Tag("crash")
    void rowsThatCannotBeUsed() throws Exception {
        StringBuilder links = new StringBuilder("link,made\n");
        for (int i = 0; i < 40; i++) {
            links.append("l%d,%d\n".formatted(i, START_MICROS + i));
        }
        write("links-good.csv", links.toString());
        write("links-column.csv", "lnk,made\n", BAD + "l90,5\n", BAD + "l91,6\n");
        write(
                "links-rows.csv",
                "link,made\n",
                BAD + ",7\n",
                "l40,%d\n".formatted(START_MICROS + 40),
                BAD + "l92,9x\n");
        write("clicks-good.csv", "click,at,link\n", clicks(0, 30));
        write("clicks-column.csv", "click,when,link\n", BAD + "c90,5,l1\n");
        write(
                "clicks-rows.csv",
                "click,at,link\n",
                BAD + ",5,l1\n",
                clicks(30, 33),
                BAD + "c91,yesterday,l1\n",
                BAD + "c92,5,\n",
                BAD + "c93,5\n",
                BAD + "\"c94,5,l1\n",
                clicks(33, 34));
        // What stands before the break is whole, and counts; the rest is one bad place.
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        String whole = "click,at,link\n" + clicks(34, 37);
        gzip.write(gzip(whole));
        byte[] broken = gzip("c95,5,l1\n");
        broken[10] = 0x07; // a block of no known type
        gzip.write(broken);
        Files.write(directory.resolve("clicks-broken.csv.gz"), gzip.toByteArray());
        expectedBad.add("clicks-broken.csv.gz@" + whole.length());
        Files.write(directory.resolve("clicks-not.csv.gz"), GZIP_IN_NAME_ONLY);
        expectedBad.add("clicks-not.csv.gz@0");
        write("clicks-torn.csv", "click,at,link\n", clicks(37, 38), "c38,17");

        JsonNode books = join(CSV);
        assertExact(books);
        assertThat(books.get("unterminated")).hasSize(1);
        assertThat(books.get("unterminated").get(0).asText()).contains("clicks-torn.csv");

        // The record that was torn is whole now; what was bad is met again and counts once.
        String rest = clicks(38, 39).substring("c38,17".length());
        Files.writeString(directory.resolve("clicks-torn.csv"), rest, StandardOpenOption.APPEND);
        books = join(CSV);
        assertExact(books);
        assertThat(books.get("unterminated")).isEmpty();
    }

    @Test
    @Tag("slow")
    void framesThatAreCorruptOrTorn() throws Exception {
        List<byte[]> links = new ArrayList<>();
        List<byte[]> clicks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            EventId link = new EventId(START_MICROS + i, 0, 0xFFFF_0A00_0001L, 7);
            EventId click = new EventId(START_MICROS + 100 + i, 0, 0xFFFF_0A00_0002L, 9);
            links.add(FramedRecord.newBuilder().setId(bytes(link)).build().toByteArray());
            clicks.add(
                    FramedRecord.newBuilder()
                            .setId(bytes(click))
                            .setPrimaryId(bytes(link))
                            .build()
                            .toByteArray());
            if (i != 4 && i != 9) {
                expectedPairs.add(link + " " + click);
            }
        }
        int linkBytes = write("links.frames", links);
        int clickBytes = write("clicks.frames", clicks);
        // The fifth click is corrupt, the tenth torn; so is what stands behind the last link.
        Path file = directory.resolve("clicks.frames");
        byte[] content = Files.readAllBytes(file);
        content[4 * clickBytes + clickBytes - 1] ^= 1;
        Files.write(file, Arrays.copyOf(content, content.length - 3));
        Files.write(
                directory.resolve("links.frames"), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        expectedBad.add("clicks.frames@" + 4 * clickBytes);

        JsonNode books = join(FRAMED);
        assertExact(books);
        assertThat(books.get("unterminated").toString())
                .contains("clicks.frames", String.valueOf(9 * clickBytes));
        assertThat(linkBytes).isPositive();
    }

    private static ByteString bytes(EventId id) {
        return ByteString.copyFrom(id.toBytes());
    }

    /** Rows of clicks on the links of the same numbers, which are expected to be joined. */
    private String clicks(int from, int to) {
        StringBuilder rows = new StringBuilder();
        for (int i = from; i < to; i++) {
            rows.append("c%d,%d,l%d\n".formatted(i, START_MICROS + 1_000 + i, i));
            expectedPairs.add("l" + i + " c" + i);
        }
        return rows.toString();
    }

    /**
     * Writes a file; a part that begins with {@link #BAD} is without it a record that is expected
     * to be bad.
     */
    private void write(String name, String... parts) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            if (part.startsWith(BAD)) {
                expectedBad.add(name + "@" + text.length());
            }
            text.append(part.startsWith(BAD) ? part.substring(BAD.length()) : part);
        }
        Files.writeString(directory.resolve(name), text.toString());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** Returns the length of one frame: all are equally long. */
    private int write(String name, List<byte[]> records) throws IOException {
        String path = directory.resolve(name).toString();
        try (FrameWriter writer = new FrameWriter(new HadoopFileStore().create(path))) {
            for (byte[] record : records) {
                writer.append(record);
            }
            writer.flush();
        }
        return (int) (Files.size(directory.resolve(name)) / records.size());
    }
}
