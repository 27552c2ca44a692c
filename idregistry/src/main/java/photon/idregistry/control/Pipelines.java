package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.DroppedPipeline;
import photon.registry.api.RegistryProtos;

/** The pipelines that the control group knows: those that stand, and those that were dropped. */
final class Pipelines {
    private final TreeMap<String, PipelineState> byName = new TreeMap<>();

    /** Kept forever, in the order in which they were dropped. */
    final Map<UUID, DroppedPipeline> dropped = new LinkedHashMap<>();

    /** The highest slot number ever issued. Numbers are unique across pipelines. */
    int slotsIssued;

    /** In order of their names. */
    Collection<PipelineState> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    @Nullable PipelineState named(String name) {
        return byName.get(name);
    }

    @Nullable PipelineState find(@Nullable UUID uuid) {
        return byName.values().stream()
                .filter(pipeline -> pipeline.uuid.equals(uuid))
                .findFirst()
                .orElse(null);
    }

    @Nullable PipelineState find(ByteString uuid) {
        return find(RegistryProtos.uuid(uuid));
    }

    void add(PipelineState pipeline) {
        byName.put(pipeline.name, pipeline);
    }

    void drop(PipelineState pipeline, DroppedPipeline kept) {
        byName.remove(pipeline.name);
        dropped.put(pipeline.uuid, kept);
    }

    @Nullable DroppedPipeline dropped(@Nullable UUID uuid) {
        return uuid == null ? null : dropped.get(uuid);
    }

    boolean isDropped(@Nullable UUID uuid) {
        return dropped(uuid) != null;
    }

    /** True if nothing was ever decided of any. */
    boolean isUntouched() {
        return byName.isEmpty() && dropped.isEmpty() && slotsIssued == 0;
    }

    /** Adds what another registry knows. It issues its slot numbers by itself. */
    void addAll(Pipelines others) {
        byName.putAll(others.byName);
        dropped.putAll(others.dropped);
    }

    /** Forgets all but the slot numbers. */
    void clear() {
        byName.clear();
        dropped.clear();
    }
}
