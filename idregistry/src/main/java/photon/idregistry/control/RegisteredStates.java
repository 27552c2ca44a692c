package photon.idregistry.control;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.DatacenterState;
import photon.proto.v1.DispatcherStates;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationRows;
import photon.registry.api.RegistryProtos;

/**
 * Holds which state the dispatcher of each datacenter works with, and which were declared lost. Of
 * one pipeline; changed by {@link StateRules} only.
 */
final class RegisteredStates {
    private final TreeMap<String, UUID> byDatacenter = new TreeMap<>();

    /** Kept forever: a disk may come back after years. */
    private final TreeMap<String, Set<UUID>> lost = new TreeMap<>();

    /** Null: none was registered yet. */
    @Nullable UUID of(String datacenter) {
        return byDatacenter.get(datacenter);
    }

    /** Of which one was ever registered. */
    Set<String> datacenters() {
        return byDatacenter.keySet();
    }

    boolean wasLost(String datacenter, UUID state) {
        return lost.getOrDefault(datacenter, Set.of()).contains(state);
    }

    void register(String datacenter, UUID state) {
        UUID before = byDatacenter.put(datacenter, state);
        if (before != null) {
            lost.computeIfAbsent(datacenter, none -> new LinkedHashSet<>()).add(before);
        }
    }

    /** With what is known of repair rows, and of retired datacenters. */
    static DispatcherStates toProto(PipelineState pipeline) {
        DispatcherStates.Builder states = DispatcherStates.newBuilder();
        RegisteredStates registered = pipeline.states;
        for (Map.Entry<String, UUID> one : registered.byDatacenter.entrySet()) {
            DatacenterState.Builder state =
                    DatacenterState.newBuilder()
                            .setDatacenter(one.getKey())
                            .setState(RegistryProtos.bytes(one.getValue()));
            for (UUID gone : registered.lost.getOrDefault(one.getKey(), Set.of())) {
                state.addLost(RegistryProtos.bytes(gone));
            }
            states.addDatacenters(state);
        }
        for (Slot slot : pipeline.slots()) {
            for (Slot.Generation generation : slot.generations()) {
                if (generation.rowsIn != null
                        || generation.rowsLostWith != null
                        || generation.timesReopened > 0
                        || generation.stateLostMicros != 0) {
                    states.addRows(rows(slot, generation));
                }
            }
        }
        return states.addAllRetired(pipeline.retired.values()).build();
    }

    private static IncarnationRows rows(Slot slot, Slot.Generation generation) {
        return IncarnationRows.newBuilder()
                .setIncarnation(
                        Incarnation.newBuilder()
                                .setSlot(slot.number())
                                .setGeneration(generation.number))
                .setRowsIn(RegistryProtos.bytesOrNone(generation.rowsIn))
                .setRowsLostWith(RegistryProtos.bytesOrNone(generation.rowsLostWith))
                .setTimesReopened(generation.timesReopened)
                .setStateLostMicros(generation.stateLostMicros)
                .build();
    }

    /**
     * As read from a snapshot.
     *
     * @return false if it is of incarnations that were never issued, or names no state
     */
    static boolean restore(PipelineState pipeline, DispatcherStates states) {
        for (DatacenterState one : states.getDatacentersList()) {
            UUID state = RegistryProtos.uuid(one.getState());
            if (state == null) {
                return false;
            }
            pipeline.states.byDatacenter.put(one.getDatacenter(), state);
            for (com.google.protobuf.ByteString bytes : one.getLostList()) {
                UUID gone = RegistryProtos.uuid(bytes);
                if (gone == null) {
                    return false;
                }
                pipeline.states
                        .lost
                        .computeIfAbsent(one.getDatacenter(), none -> new LinkedHashSet<>())
                        .add(gone);
            }
        }
        for (IncarnationRows one : states.getRowsList()) {
            Slot slot = pipeline.slot(one.getIncarnation().getSlot());
            Slot.@Nullable Generation generation =
                    slot == null ? null : slot.generation(one.getIncarnation().getGeneration());
            if (generation == null) {
                return false;
            }
            generation.rowsIn = RegistryProtos.uuid(one.getRowsIn());
            generation.rowsLostWith = RegistryProtos.uuid(one.getRowsLostWith());
            generation.timesReopened = one.getTimesReopened();
            generation.stateLostMicros = one.getStateLostMicros();
        }
        states.getRetiredList().forEach(one -> pipeline.retired.put(one.getDatacenter(), one));
        return true;
    }
}
