package io.offhook.research.language;

import io.offhook.research.Cost;
import java.util.List;

/** What each technique takes besides time; a test counts the lines. */
final class LanguageCosts {
    static final List<Cost> ALL = List.of(
            cost("C", "0", "1 a round", 11),
            cost("Java objects, kept", "0", "0", 8),
            cost("Java objects, new ones", "0", "0", 8),
            cost("Java over native memory", "0", "0", 15),
            cost("JNI into a structure", "0", "1", 14),
            cost("JNI into an object", "1", "1, and 6 of JNI's functions", 20),
            cost("FFM downcall", "0", "1", 13),
            cost("FFM critical", "0", "1", 13),
            cost("JNA", "0", "1", 12),
            cost("JNA direct mapping", "0", "1", 16));

    private LanguageCosts() {}

    private static Cost cost(String technique, String copies, String calls, int lines) {
        return new Cost(LanguageSuite.GROUP, technique, copies, calls, lines);
    }
}
