package photon.server.roles;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import photon.core.id.Incarnation;
import photon.dispatcher.state.DispatcherStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.adapters.AdapterFingerprint;

/** A daemon's status record as JSON, by the names of its components. Thread-safe. */
final class StatusJson {
    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .registerModule(
                            new SimpleModule()
                                    .addSerializer(Optional.class, new OptionalSerializer())
                                    .addSerializer(Incarnation.class, ToStringSerializer.instance));

    private StatusJson() {}

    static JsonNode of(Record status) {
        return JSON.valueToTree(status);
    }

    /**
     * @param stages as {@link photon.core.metrics.StageDelays#counts}
     */
    static ObjectNode of(Record status, Map<String, SortedMap<Long, Long>> stages) {
        ObjectNode node = JSON.valueToTree(status);
        node.set("stages", JSON.valueToTree(stages));
        return node;
    }

    /**
     * @param partitions that the dispatcher works on
     * @param stages as {@link photon.core.metrics.StageDelays#counts}
     */
    static ObjectNode of(
            DispatcherStatus status,
            List<Integer> partitions,
            Map<String, SortedMap<Long, Long>> stages) {
        ObjectNode node = of(status, stages);
        node.set("partitions", JSON.valueToTree(partitions));
        return node;
    }

    /**
     * @param durableDelay as {@link photon.core.metrics.DelayHistogram#counts}
     * @param stages as {@link photon.core.metrics.StageDelays#counts}
     */
    static JsonNode of(
            JoinerStatus status,
            Map<Long, Long> durableDelay,
            Map<String, SortedMap<Long, Long>> stages,
            AdapterFingerprint adapter) {
        ObjectNode node = of(status, stages);
        node.set("durableDelay", JSON.valueToTree(durableDelay));
        node.set("adapter", AdapterNote.json(adapter));
        return node;
    }

    /** The value, or null. */
    @SuppressWarnings("rawtypes") // Jackson finds serializers by the raw class.
    private static final class OptionalSerializer extends JsonSerializer<Optional> {
        @Override
        public void serialize(Optional value, JsonGenerator out, SerializerProvider serializers)
                throws IOException {
            if (value.isPresent()) {
                serializers.defaultSerializeValue(value.get(), out);
            } else {
                out.writeNull();
            }
        }
    }
}
