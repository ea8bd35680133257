package io.offhook.config;

import java.util.Arrays;
import java.util.Collection;

/** Suggests the name that a mistyped name may have meant. */
final class NearestName {
    private NearestName() {}

    /** The message for a name that is not among the known ones. */
    static String unknown(String name, Collection<String> known, String otherwise) {
        String nearest = "";
        int least = Math.max(1, name.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(name, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return "\"" + name + "\" is not known; "
                + (nearest.isEmpty() ? otherwise : "did you mean \"" + nearest + "\"?");
    }

    /**
     * The edit distance: insertions, deletions, substitutions and transpositions of adjacent characters (optimal string
     * alignment).
     */
    static int distance(String one, String other) {
        int width = other.length() + 1;
        int[] beforeLast = new int[width];
        int[] last = new int[width];
        Arrays.setAll(last, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[width];
            row[0] = i;
            for (int j = 1; j < width; j++) {
                boolean isSame = one.charAt(i - 1) == other.charAt(j - 1);
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (isSame ? 0 : 1));
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[width - 1];
    }
}
