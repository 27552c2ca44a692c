package photon.simulation.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import photon.core.id.SlotPair;

/**
 * Of the two slots of a joiner no two processes ever have live incarnations: whoever registers
 * there afresh fences all that was live, and only the process itself rolls on (docs/protocol.md
 * section 1).
 */
public final class SlotPairs {
    private static final String CHECK = "slots";

    private final Supplier<List<Live>> live;

    /**
     * An incarnation that is open and not fenced.
     *
     * @param process which has registered it
     */
    public record Live(String slotName, String incarnation, String process) {}

    /**
     * @param live as the control group has committed
     */
    public SlotPairs(Supplier<List<Live>> live) {
        this.live = live;
    }

    public List<InvariantViolation> check() {
        Map<String, Live> first = new TreeMap<>();
        List<InvariantViolation> found = new ArrayList<>();
        for (Live one : live.get()) {
            Live other = first.putIfAbsent(SlotPair.of(one.slotName()).joiner(), one);
            if (other != null && !other.process().equals(one.process())) {
                found.add(
                        InvariantViolation.of(
                                CHECK,
                                List.of(),
                                "%s of %s is live beside %s of %s, in slots of one joiner",
                                one.incarnation(),
                                one.process(),
                                other.incarnation(),
                                other.process()));
            }
        }
        return found;
    }
}
