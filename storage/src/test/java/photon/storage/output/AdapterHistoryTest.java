package photon.storage.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;

class AdapterHistoryTest {
    private final MemoryFileStore files = new MemoryFileStore();

    @Test
    void aChangeIsToldOnceAndKept() throws Exception {
        OutputDirectory output = OutputFixture.open(files, "/out");
        AdapterHistory history = new AdapterHistory(files, "/out");
        assertThat(history.note(use("m", "merge"), true)).isEmpty();
        assertThat(files.list("/out/_work")).isEmpty();
        assertThat(history.note(use("1", "com.example.A 1.0"), false)).isEmpty();
        assertThat(history.note(use("1", "com.example.A 1.0"), false)).isEmpty();
        assertThat(history.note(use("2", "com.example.A 1.1"), false))
                .contains("com.example.A 1.0");
        // Another process.
        AdapterHistory other = new AdapterHistory(files, "/out");
        assertThat(other.note(use("2", "com.example.A 1.1"), false)).isEmpty();
        assertThat(other.note(use("m", "merge"), true)).contains("com.example.A 1.1");
        assertThat(new String(document().content(), StandardCharsets.UTF_8))
                .contains("\"adapter\":\"com.example.A 1.0\"", "\"fingerprint\":\"2\"", "\"merge\"")
                .contains("\"since\":\"1970-01-01T00:00:05Z\"", "\"by\":\"east/joiner-0\"");
        // What reads the work area takes it for nothing of its own.
        assertThat(output.incarnations()).isEmpty();
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void itDoesNotGrowWithoutBound() throws Exception {
        OutputFixture.open(files, "/out");
        AdapterHistory history = new AdapterHistory(files, "/out");
        for (int i = 0; i < 250; i++) {
            history.note(use("d" + i, "adapter " + i), false);
        }
        assertThat(new String(document().content(), StandardCharsets.UTF_8))
                .contains("\"adapter 249\"", "\"adapter 150\"")
                .doesNotContain("\"adapter 149\"");
    }

    private VersionedDocument.Version document() throws Exception {
        return new VersionedDocument(files, "/out/_work", "adapter").read().orElseThrow();
    }

    private static AdapterHistory.Use use(String digest, String text) {
        return new AdapterHistory.Use(
                digest, text, JsonNodeFactory.instance.objectNode(), 5_000_000, "east/joiner-0");
    }
}
