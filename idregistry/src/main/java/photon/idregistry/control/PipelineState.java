package photon.idregistry.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.RetiredDatacenter;
import photon.registry.api.ShardMap;

/** What the control group keeps of one pipeline. */
final class PipelineState {
    final UUID uuid;
    final String name;
    final String identityFingerprint;
    final ReshardAttempts reshards = new ReshardAttempts();

    /** Replaced by a newer one by a reshard that is committed. */
    ShardMap map;

    /** Epochs whose shards were dropped, in order: the map does not have them any more. */
    final List<ShardMap.Epoch> dropped = new ArrayList<>();

    PipelineSettings settings;

    /** Grows with every fence, so that a copy is known to be old. */
    long fenceVersion;

    /** No boundary of its shards is beyond this; never goes back. Moved by {@link HoldRules}. */
    long limitMicros = Long.MIN_VALUE;

    /** Of its dispatchers. */
    final RegisteredStates states = new RegisteredStates();

    /** Datacenters that take part no more, by name; changed by {@link RetirementRules} only. */
    final SortedMap<String, RetiredDatacenter> retired = new TreeMap<>();

    private final TreeMap<String, Slot> slotsByName = new TreeMap<>();
    private final Map<Integer, Slot> slotsByNumber = new TreeMap<>();

    PipelineState(
            UUID uuid,
            String name,
            String identityFingerprint,
            ShardMap map,
            PipelineSettings settings) {
        this.uuid = uuid;
        this.name = name;
        this.identityFingerprint = identityFingerprint;
        this.map = map;
        this.settings = settings;
    }

    @Nullable Slot slot(String slotName) {
        return slotsByName.get(slotName);
    }

    @Nullable Slot slot(int number) {
        return slotsByNumber.get(number);
    }

    /**
     * Into which output directory this datacenter writes: that of the slot that was its first.
     *
     * @return null: none of its slots has registered yet
     */
    @Nullable String outputOf(String datacenter) {
        Slot first = null;
        for (Slot slot : slotsByNumber.values()) {
            if (RestoreRules.datacenter(slot.name()).equals(datacenter)
                    && (first == null || slot.number() < first.number())) {
                first = slot;
            }
        }
        return first == null ? null : first.outputId();
    }

    void add(Slot slot) {
        slotsByName.put(slot.name(), slot);
        slotsByNumber.put(slot.number(), slot);
    }

    /** In order of their names. */
    List<Slot> slots() {
        return new ArrayList<>(slotsByName.values());
    }

    /**
     * @return false if it was as high already
     */
    boolean raise(Slot slot, int lowestLiveGeneration) {
        boolean raised = slot.raise(lowestLiveGeneration);
        if (raised) {
            fenceVersion++;
        }
        return raised;
    }

    SortedMap<Integer, Integer> fenceTable() {
        TreeMap<Integer, Integer> table = new TreeMap<>();
        slotsByNumber.forEach((number, slot) -> table.put(number, slot.lowestLive()));
        return table;
    }
}
