package io.offhook.research.sharing;

import io.offhook.research.Cost;
import java.util.List;

/** What each way to share a packet takes besides time; a test counts the lines. */
final class SharingCosts {
    static final List<Cost> ALL = List.of(
            cost(SharingTechniques.OBJECT_LOOKING_UP, "2", "2, and 18 of JNI's functions", 35),
            cost(SharingTechniques.OBJECT_SETTERS, "2", "2, and 8 up-calls", 54),
            cost(SharingTechniques.OBJECT, "2", "2, and 8 of JNI's functions", 30),
            cost(SharingTechniques.BYTE_BUFFER, "2", "2, and 2 of JNI's functions", 21),
            cost(SharingTechniques.BUFFER_IN_PLACE, "0", "0", 11),
            cost(SharingTechniques.HEAP_BUFFER, "0", "0", 11),
            cost(SharingTechniques.JAVOLUTION, "0", "0", 27),
            cost(SharingTechniques.JAVOLUTION_HEAP, "0", "0", 27),
            cost(SharingTechniques.UNSAFE_INTO_OBJECT, "2", "0", 38),
            cost(SharingTechniques.DIRECT, "0", "0", 25),
            cost(SharingTechniques.SEGMENT_A_PACKET, "0", "0", 15),
            cost(SharingTechniques.BASE_AND_OFFSET, "0", "0", 14),
            cost(SharingTechniques.VIEWS, "0", "0", 21),
            cost(SharingTechniques.VIEWS_BY_HEADER, "0", "0", 19),
            cost(SharingTechniques.UNSAFE_CHECKED, "0", "0", 44),
            cost(SharingTechniques.BASE_AND_OFFSET_CHECKED, "0", "0", 30),
            cost(SharingTechniques.C, "0", "1 a round", 19));

    private SharingCosts() {}

    private static Cost cost(String technique, String copies, String calls, int lines) {
        return new Cost(SharingSuite.GROUP, technique, copies, calls, lines);
    }
}
