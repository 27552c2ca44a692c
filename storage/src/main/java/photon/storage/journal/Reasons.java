package photon.storage.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reasons of rows, each text once, and how many rows have it. Not thread-safe. */
final class Reasons {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** Counts one row more; the reason's number, which stays while a row has it. */
    int enter(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            counts.set(known, counts.get(known) + 1);
            return known;
        }
        Integer number = free.poll();
        if (number == null) {
            number = texts.size();
            texts.add(text);
            counts.add(1);
        } else {
            texts.set(number, text);
            counts.set(number, 1);
        }
        numbers.put(text, number);
        return number;
    }

    void leave(int number) {
        int count = counts.get(number) - 1;
        counts.set(number, count);
        if (count == 0) {
            numbers.remove(texts.get(number));
            texts.set(number, "");
            free.add(number);
        }
    }

    String text(int number) {
        return texts.get(number);
    }

    int count(String text) {
        Integer number = numbers.get(text);
        return number == null ? 0 : counts.get(number);
    }
}
