package io.offhook.research.messages;

import io.offhook.research.Cost;
import java.util.List;

/** What each way to hand over a message takes besides time; a test counts the lines. */
final class MessagesCosts {
    private static final String STRINGS_TWICE = "1, strings 2";

    static final List<Cost> ALL = List.of(
            cost(
                    "POJO, field by field over JNI",
                    "1",
                    "1, and 3 of JNI's functions a string, 2 more a name, 9 else",
                    43),
            cost("flat layout over FFM", STRINGS_TWICE, "1", 54),
            cost("flat layout over FFM, critical", STRINGS_TWICE, "1", 54),
            cost("flat layout over FFM, written by unsafe", STRINGS_TWICE, "1", 55),
            cost("protobuf over JNI", "4", "1, and 2 of JNI's functions", 42),
            cost("protobuf over JNI, built before", "3", "1, and 2 of JNI's functions", 28),
            cost("protobuf over FFM, native segment", "3", "1", 39),
            cost("protobuf over FFM, native segment, built before", "2", "1", 25),
            cost("protobuf over FFM, heap array in a critical call", "3", "1", 39));

    private MessagesCosts() {}

    private static Cost cost(String technique, String copies, String calls, int lines) {
        return new Cost("handed", technique, copies, calls, lines);
    }
}
