package photon.simulation.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import photon.core.id.EventId;

/**
 * What the adapter makes of an event in a world with several outputs. The foreign event says it, so
 * that every call of the adapter decides alike, and the truth knows it, too.
 *
 * @param words what the adapter calls, in order: names of outputs, or the word for skip or reject;
 *     empty: one joined event for the main output, as the built-in adapter does it
 */
record Emission(List<String> words) {
    static final Emission AS_BUILT_IN = new Emission(List.of());

    static final String MAIN = "main";
    static final String SKIP = "skip";
    static final String REJECT = "reject";

    private static final List<String> OUTPUTS = List.of(MAIN, "audit", "billing");

    /** What ends in the dead-letter log: the last two are the author's mistakes. */
    private static final List<Emission> REFUSED =
            List.of(
                    new Emission(List.of(REJECT)),
                    new Emission(List.of("audit", SKIP)),
                    new Emission(List.of(MAIN, "no.name")));

    Emission {
        words = List.copyOf(words);
    }

    static Emission draw(RandomGenerator random) {
        return switch (random.nextInt(10)) {
            case 0 -> new Emission(List.of(SKIP));
            case 1 -> REFUSED.get(random.nextInt(REFUSED.size()));
            case 2, 3 -> new Emission(List.of(MAIN));
            default -> {
                List<String> words = new ArrayList<>();
                for (int more = random.nextInt(5); more >= 0; more--) {
                    words.add(OUTPUTS.get(random.nextInt(OUTPUTS.size())));
                }
                yield new Emission(words);
            }
        };
    }

    /** Another one of the same fate. */
    static Emission draw(RandomGenerator random, Fate fate) {
        Emission drawn = draw(random);
        while (drawn.fate() != fate) {
            drawn = draw(random);
        }
        return drawn;
    }

    Fate fate() {
        if (words.equals(List.of(SKIP))) {
            return Fate.SKIPPED;
        }
        return REFUSED.contains(this) ? Fate.REJECTED : Fate.JOINABLE;
    }

    /** For the foreign event's own field; empty: it has none. */
    Optional<String> text() {
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", words));
    }

    /**
     * @param id under which it is joined
     * @param pair the line that the built-in adapter would write
     * @param unmatched it is without a primary event
     */
    List<Emitted> of(EventId event, EventId id, String pair, boolean unmatched) {
        if (words.isEmpty()) {
            return List.of(new Emitted(event, id, pair, "", 0, 1, pair, unmatched));
        }
        Map<String, Integer> ordinals = new TreeMap<>();
        List<Emitted> all = new ArrayList<>();
        for (String word : words) {
            String output = word.equals(MAIN) ? "" : word;
            int ordinal = ordinals.merge(output, 1, Integer::sum) - 1;
            String line =
                    "%s, \"output\": \"%s\", \"ordinal\": %d}"
                            .formatted(pair.substring(0, pair.length() - 1), output, ordinal);
            all.add(new Emitted(event, id, pair, output, ordinal, words.size(), line, unmatched));
        }
        return all;
    }
}
