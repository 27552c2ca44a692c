package photon.storage.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;

/**
 * One line of a ledger: {@code {"crc":"xxxxxxxx","entry":{...}}}, the checksum over the bytes of
 * the entry. Each entry names the batch that it was written with.
 *
 * @param batchStart how many entries stand in the segment before this entry's batch
 */
record LedgerLine(LedgerEntry entry, long batchStart) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] HEAD = "{\"crc\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MIDDLE = "\",\"entry\":".getBytes(StandardCharsets.US_ASCII);
    private static final int CRC_DIGITS = 8;
    private static final int ENTRY_AT = HEAD.length + CRC_DIGITS + MIDDLE.length;

    /** The line with its newline. */
    byte[] encode() {
        ObjectNode node = JSON.createObjectNode();
        node.put("kind", entry.kind().name());
        if (entry.id() != null) {
            node.put("id", HEX.formatHex(entry.id().toBytes()));
        }
        node.put("idText", entry.idText());
        node.put("reason", entry.reason());
        node.put("file", entry.file());
        node.put("offset", entry.offset());
        node.put("content", entry.content());
        node.put("atMillis", entry.atMillis());
        node.put("batch", batchStart);
        byte[] body = node.toString().getBytes(StandardCharsets.UTF_8);
        byte[] crc = HEX.toHexDigits(crc(body, 0, body.length)).getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(ENTRY_AT + body.length + 2)
                .put(HEAD)
                .put(crc)
                .put(MIDDLE)
                .put(body)
                .put((byte) '}')
                .put((byte) '\n')
                .array();
    }

    /**
     * @param to where the line ends, without its newline
     * @return null if this is no whole line
     */
    static @Nullable LedgerLine decode(byte[] bytes, int from, int to) {
        int bodyLength = to - from - ENTRY_AT - 1;
        if (bodyLength < 2 || bytes[to - 1] != '}') {
            return null;
        }
        String prefix = new String(bytes, from, ENTRY_AT, StandardCharsets.US_ASCII);
        String crc = HEX.toHexDigits(crc(bytes, from + ENTRY_AT, bodyLength));
        String expected =
                new String(HEAD, StandardCharsets.US_ASCII)
                        + crc
                        + new String(MIDDLE, StandardCharsets.US_ASCII);
        if (!prefix.equals(expected)) {
            return null;
        }
        try {
            String body = new String(bytes, from + ENTRY_AT, bodyLength, StandardCharsets.UTF_8);
            return read(JSON.readTree(body));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return null;
        }
    }

    private static LedgerLine read(JsonNode node) {
        EventId id =
                node.has("id")
                        ? EventId.read(ByteBuffer.wrap(HEX.parseHex(node.path("id").asText())))
                        : null;
        LedgerEntry entry =
                new LedgerEntry(
                        LedgerEntry.Kind.valueOf(node.path("kind").asText()),
                        id,
                        node.path("idText").asText(),
                        node.path("reason").asText(),
                        node.path("file").asText(),
                        node.path("offset").asLong(),
                        node.path("content").asText(),
                        node.path("atMillis").asLong());
        return new LedgerLine(entry, node.path("batch").asLong());
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
