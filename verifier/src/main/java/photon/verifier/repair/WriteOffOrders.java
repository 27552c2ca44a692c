package photon.verifier.repair;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.WholeFile;

/**
 * Keeps the orders of persons to write off what the repair of an incarnation does not find, however
 * long it would wait (docs/protocol.md section 6). In the verifier's state, {@code
 * write-offs/3-17.0.json}: the number says how often the incarnation had been reopened. So an order
 * counts for the repair that it was given for, and for none after the next reopening. An order is
 * created exclusively and never changes; it goes when that repair has ended, since a registry that
 * was restored from a backup may reopen the incarnation without counting. Thread-safe.
 */
public final class WriteOffOrders implements RepairParts.Orders {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DIRECTORY = "write-offs";

    private final FileStore files;
    private final String stateDirectory;
    private final String directory;

    /**
     * @param stateDirectory the verifier's
     */
    public WriteOffOrders(FileStore files, String stateDirectory) {
        this.files = files;
        this.stateDirectory = stateDirectory;
        this.directory = stateDirectory + "/" + DIRECTORY;
    }

    /**
     * An order.
     *
     * @param reason as the person gave it
     * @param actor who it was
     * @param atMillis when, in milliseconds since 1970
     */
    public record Order(String reason, String actor, long atMillis) {}

    /**
     * Orders it. Durable on return.
     *
     * @param timesReopened of the incarnation, as the registry lists it
     * @return false if it was ordered before; the words of that order stay
     */
    public boolean give(Incarnation incarnation, int timesReopened, Order order)
            throws IOException {
        files.createDirectories(directory);
        files.syncDirectory(stateDirectory);
        byte[] content =
                JSON.writeValueAsBytes(
                        JSON.createObjectNode()
                                .put("reason", order.reason())
                                .put("actor", order.actor())
                                .put("atMillis", order.atMillis()));
        boolean first =
                WholeFile.publishIn(files, directory, name(incarnation, timesReopened), content);
        files.syncDirectory(directory);
        return first;
    }

    /** What stands; empty: nothing was ordered. */
    public Optional<Order> read(Incarnation incarnation, int timesReopened) throws IOException {
        String path = path(incarnation, timesReopened);
        if (files.stat(path) == null) {
            return Optional.empty();
        }
        try {
            JsonNode node = JSON.readTree(WholeFile.read(files, path));
            return Optional.of(
                    new Order(
                            node.path("reason").asText(),
                            node.path("actor").asText(),
                            node.path("atMillis").asLong()));
        } catch (JsonProcessingException e) {
            throw new IOException("Expected JSON in " + path, e);
        }
    }

    /** What the ledger says of an event that is written off by order; empty: no order stands. */
    @Override
    public Optional<String> reason(Incarnation incarnation, int timesReopened) throws IOException {
        return read(incarnation, timesReopened)
                .map(
                        order ->
                                "lost by a crash, written off by %s: %s"
                                        .formatted(order.actor(), order.reason()));
    }

    /** Takes them away: the repair has ended. May be repeated. */
    @Override
    public void drop(Incarnation incarnation) throws IOException {
        for (FileStore.FileInfo entry : files.list(directory)) {
            String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
            if (name.startsWith(incarnation + ".") || name.startsWith("_" + incarnation + ".")) {
                files.delete(directory + "/" + name);
            }
        }
    }

    private String path(Incarnation incarnation, int timesReopened) {
        return directory + "/" + name(incarnation, timesReopened);
    }

    private static String name(Incarnation incarnation, int timesReopened) {
        return "%s.%d.json".formatted(incarnation, timesReopened);
    }
}
