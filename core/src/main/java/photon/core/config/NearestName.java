package photon.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant. */
public final class NearestName {
    private NearestName() {}

    /** {@code : did you mean 'x'?}, or the list of what there is where nothing is near. */
    public static String hint(String name, Collection<String> known) {
        return find(name, known)
                .map(nearest -> ": did you mean '" + nearest + "'?")
                .orElse(": expected one of " + String.join(", ", known));
    }

    /** Empty where nothing is near. */
    public static Optional<String> find(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(nearest -> isNear(name, distance(name, nearest)));
    }

    /** Of a short name most of it must be there: every other short one is two changes away. */
    private static boolean isNear(String name, int distance) {
        return distance <= Math.max(2, name.length() / 3) && 2 * distance < name.length();
    }

    /**
     * Levenshtein's distance, in which two neighbours that are swapped are one change; case counts
     * for nothing.
     */
    static int distance(String a, String b) {
        int[] beforeThat = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same =
                        Character.toLowerCase(a.charAt(i - 1))
                                == Character.toLowerCase(b.charAt(j - 1));
                current[j] =
                        Math.min(
                                Math.min(current[j - 1], previous[j]) + 1,
                                previous[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && isSwapped(a, i, b, j)) {
                    current[j] = Math.min(current[j], beforeThat[j - 2] + 1);
                }
            }
            beforeThat = previous;
            previous = current;
        }
        return previous[b.length()];
    }

    private static boolean isSwapped(String a, int i, String b, int j) {
        return Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 2))
                && Character.toLowerCase(a.charAt(i - 2)) == Character.toLowerCase(b.charAt(j - 1));
    }
}
