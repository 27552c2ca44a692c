package photon.storage.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScanTest {
    private static final List<String> PATHS = List.of("id", "user.name", "user", "käse", "a.b.c");

    private final JsonScan scan = new JsonScan(PATHS);
    private final JsonFields fields = new JsonFields(PATHS);

    @Test
    void takesWhatLogsUsuallyHold() {
        assertThat(scanned("{\"id\":\"q-1\",\"user\":{\"name\":\"Ada\"},\"n\":[1,{\"x\":null}]}"))
                .containsExactly("q-1", "Ada", null, null, null);
        assertThat(scanned(" { \"id\" : -12.50e+3 , \"käse\" : \"Émmental\" } ".strip()))
                .containsExactly("-12.50e+3", null, null, "Émmental", null);
        assertThat(scanned("{\"user\":true,\"id\":null,\"other\":\"a\\n\\u00e9\\\"\"}"))
                .containsExactly(null, null, "true", null, null);
        assertThat(scanned("{\"a\":{\"b\":{\"c\":0,\"d\":{}},\"e\":[]}}"))
                .containsExactly(null, null, null, null, "0");
        assertThat(scanned("{}")).containsOnlyNulls();
    }

    @Test
    void eachRecordBeginsAnew() {
        scanned("{\"id\":\"é\",\"user\":\"u\"}");
        assertThat(scanned("{\"id\":\"z\"}")).containsExactly("z", null, null, null, null);
    }

    @Test
    void readsOnlyItsRange() {
        byte[] bytes = "x{\"id\":7}}".getBytes(UTF_8);
        assertThat(scan.read(bytes, 1, bytes.length - 1)).isTrue();
        assertThat(scan.text(0)).isEqualTo("7");
        assertThat(scan.read(bytes, 1, bytes.length)).isFalse();
        assertThat(scan.read(bytes, 1, bytes.length - 2)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\\u0062\"}", // an escape in what is wanted
                "{\"i\\u0064\":1}", // may be a name that is wanted
                "{\"id\":1,\"id\":1}",
                "{\"user\":1,\"user\":{}}",
                "{\"id\":01}",
                "{\"id\":1.}",
                "{\"id\":-}",
                "{\"id\":+1}",
                "{\"id\":NaN}",
                "{\"id\":tru}",
                "{\"id\":1,}",
                "{\"id\":[1,]}",
                "{\"id\":\"a\tb\"}",
                "{\"id\":\"\\x\"}",
                "{\"id\":\"\\u00g0\"}",
                "{\"id\" 1}",
                "{\"id\":1 \"user\":2}",
                "{\"id\":1}{}",
                "{\"id\":1",
                "{\"id\":\"1",
                "{\"id\":",
                "{",
                "[]",
                "",
                "\"id\""
            })
    void givesUpWhatItIsNotSureOf(String json) {
        assertThat(read(json.getBytes(UTF_8))).isFalse();
    }

    @Test
    void givesUpDeepAndLongAndBrokenText() {
        assertThat(read(("{\"x\":" + "[".repeat(40) + "]".repeat(40) + "}").getBytes(UTF_8)))
                .isFalse();
        assertThat(read(("{\"id\":" + "1".repeat(65) + "}").getBytes(UTF_8))).isFalse();
        assertThat(read(("{\"id\":\"" + "1".repeat(40_000) + "\"}").getBytes(UTF_8))).isFalse();
        byte[] half = "{\"id\":\"é\"}".getBytes(UTF_8);
        half[8] = 'x';
        assertThat(read(half)).isFalse();
    }

    /** Whatever it takes the parser takes, with the same texts; most of what is whole it takes. */
    @Test
    void agreesWithTheParserOnAnyBytes() {
        Random random = new Random(19);
        int whole = 0;
        int broken = 0;
        for (int i = 0; i < 150_000; i++) {
            byte[] bytes = object(random, 0).getBytes(UTF_8);
            if (i % 3 == 0) {
                assertThat(agree(bytes)).isTrue();
                continue;
            }
            for (int edits = random.nextInt(3); edits >= 0; edits--) {
                bytes = edited(random, bytes);
            }
            if (agree(bytes)) {
                whole++;
            } else {
                broken++;
            }
        }
        // Else this has shown nothing of edited ones.
        assertThat(whole).isGreaterThan(5_000);
        assertThat(broken).isGreaterThan(5_000);
    }

    private boolean agree(byte[] bytes) {
        if (!read(bytes)) {
            return false;
        }
        List<String> taken = texts();
        List<String> parsed = new ArrayList<>();
        try {
            fields.parse(bytes, 0, bytes.length);
            for (int i = 0; i < PATHS.size(); i++) {
                parsed.add(fields.text(i));
            }
        } catch (BadRecordException e) {
            throw new AssertionError(new String(bytes, UTF_8) + ": " + e.reason(), e);
        }
        assertThat(taken).as(new String(bytes, UTF_8)).isEqualTo(parsed);
        return true;
    }

    private boolean read(byte[] bytes) {
        return scan.read(bytes, 0, bytes.length);
    }

    private List<String> scanned(String json) {
        assertThat(read(json.getBytes(UTF_8))).as(json).isTrue();
        return texts();
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < PATHS.size(); i++) {
            texts.add(scan.text(i));
        }
        return texts;
    }

    private static String object(Random random, int depth) {
        List<String> names =
                new ArrayList<>(List.of("id", "user", "name", "käse", "a", "b", "c", "x", ""));
        java.util.Collections.shuffle(names, random);
        StringBuilder json = new StringBuilder("{");
        for (int i = random.nextInt(6); i > 0; i--) {
            json.append(json.length() > 1 ? "," : "");
            json.append('"').append(names.get(i)).append("\":").append(value(random, depth));
        }
        return json.append("}").toString();
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth < 4 ? 9 : 7)) {
            case 0 -> "\"é中😀\"";
            case 1 -> "\"" + Long.toString(random.nextLong(), 36) + "\"";
            case 2 -> Long.toString(random.nextInt());
            case 3 -> Double.toString(random.nextDouble() * 1e-9);
            case 4 -> "null";
            case 5 -> "false";
            case 6 -> " \"\" ";
            case 7 -> "[" + value(random, depth + 1) + ", " + value(random, depth + 1) + "]";
            default -> object(random, depth + 1);
        };
    }

    /** One byte more, less, or another; often one that means something. */
    private static byte[] edited(Random random, byte[] bytes) {
        byte[] meaning = "{}[]\",:\\u0-.eE+ntf \n\0\u007f".getBytes(UTF_8);
        int at = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, at + random.nextInt(2));
        byte[] edited = new byte[bytes.length + 1 - (to - at)];
        System.arraycopy(bytes, 0, edited, 0, at);
        edited[at] =
                random.nextInt(4) == 0
                        ? (byte) random.nextInt(256)
                        : meaning[random.nextInt(meaning.length)];
        System.arraycopy(bytes, to, edited, at + 1, bytes.length - to);
        return random.nextInt(5) == 0
                ? Arrays.copyOf(edited, random.nextInt(edited.length + 1))
                : edited;
    }
}
