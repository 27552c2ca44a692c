package photon.idregistry.control;

import java.io.IOException;
import java.util.List;
import photon.proto.v1.RaisedGenerations;
import photon.proto.v1.RaisedSlot;

/** How the generations of a slot that a restore has raised stand in a snapshot. */
final class RaisedSlots {
    private RaisedSlots() {}

    static RaisedGenerations toProto(PipelineState pipeline) {
        RaisedGenerations.Builder all = RaisedGenerations.newBuilder();
        for (Slot slot : pipeline.slots()) {
            boolean shared = slot.generations().stream().anyMatch(one -> one.first < one.number);
            if (slot.floor() > 0 || shared) {
                RaisedSlot.Builder raised =
                        all.addSlotsBuilder().setSlot(slot.number()).setFloor(slot.floor());
                for (Slot.Generation generation : slot.generations()) {
                    raised.addNumbers(generation.number);
                    if (shared) {
                        raised.addFirstNumbers(generation.first);
                    }
                }
            }
        }
        return all.build();
    }

    static void restore(PipelineState pipeline, RaisedGenerations raised) throws IOException {
        for (RaisedSlot one : raised.getSlotsList()) {
            Slot slot = pipeline.slot(one.getSlot());
            if (slot == null
                    || slot.generations().size() != one.getNumbersCount()
                    || (one.getFirstNumbersCount() > 0
                            && one.getFirstNumbersCount() != one.getNumbersCount())) {
                throw new IOException("Expected generations of slot " + one.getSlot());
            }
            List<Slot.Generation> generations = slot.generations();
            for (int i = 0; i < generations.size(); i++) {
                generations.get(i).number = one.getNumbers(i);
                generations.get(i).first =
                        one.getFirstNumbersCount() == 0
                                ? one.getNumbers(i)
                                : one.getFirstNumbers(i);
            }
            slot.raiseFloor(one.getFloor());
        }
    }
}
