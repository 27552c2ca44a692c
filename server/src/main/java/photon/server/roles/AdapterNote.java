package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.PipelineConfig;
import photon.core.error.IoText;
import photon.joiner.adapters.AdapterFingerprint;
import photon.storage.files.FileStore;
import photon.storage.output.AdapterHistory;

/** Tells people which adapter a joiner has, and when it is another than before. */
final class AdapterNote {
    private static final Logger log = LoggerFactory.getLogger(AdapterNote.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private AdapterNote() {}

    /** For the status of a joiner. */
    static JsonNode json(AdapterFingerprint adapter) {
        ObjectNode node =
                JSON.createObjectNode()
                        .put("class", adapter.adapterClass())
                        .put("version", adapter.version())
                        .put("fingerprint", adapter.digest())
                        .put("optionsSha256", adapter.optionsSha256());
        ArrayNode jars = node.putArray("jars");
        adapter.jars()
                .forEach(
                        jar ->
                                jars.addObject()
                                        .put("path", jar.path())
                                        .put("sha256", jar.sha256()));
        return node;
    }

    /** Nothing depends on it, so trouble with it keeps nobody from joining. */
    static void take(
            AdapterFingerprint adapter,
            FileStore files,
            String outputDirectory,
            long nowMicros,
            String slot) {
        if (adapter.isUnknown()) {
            return; // It is away; what it is shows in the log when it comes.
        }
        boolean merge = adapter.adapterClass().equals(PipelineConfig.Adapter.MERGE);
        if (!merge) {
            log.info("{} joins with the adapter {}", slot, adapter.text());
        }
        try {
            new AdapterHistory(files, outputDirectory)
                    .note(
                            new AdapterHistory.Use(
                                    adapter.digest(),
                                    adapter.text(),
                                    json(adapter),
                                    nowMicros,
                                    slot),
                            merge)
                    .ifPresent(
                            before ->
                                    log.warn(
                                            "The adapter of {} has changed: it was {}, and is {}. What is joined from now on is by the new one",
                                            slot,
                                            before,
                                            adapter.text()));
        } catch (IOException e) {
            log.warn(
                    "Which adapter joins is not taken down in {}: {}",
                    outputDirectory,
                    IoText.of(e));
        }
    }
}
