package io.offhook.research.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.research.Cost;
import io.offhook.research.SourceLines;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

class MessagesCostsTest {
    private static final String HERE = "java/io/offhook/research/messages/";
    private static final String FIELDS = "native/messages/fields.c#";
    private static final String FLAT = "native/messages/flat.c#";
    private static final String PARSE = "native/messages-protobuf/parse.cpp#";
    private static final String WRITER = HERE + "FlatWriter.java#";
    private static final String UNSAFE = HERE + "UnsafeFlat.java#";
    private static final String PROTOBUF = HERE + "ProtobufWriter.java#";

    @Test
    void statesTheLinesThatEachTechniqueHas() {
        int flatRead = SourceLines.of(
                FLAT + "static const void *within(",
                FLAT + "static bool hash_text(",
                FLAT + "int64_t offhook_message_flat(");
        int flat = flatRead
                + SourceLines.of(
                        WRITER + "int write(Message", WRITER + "private void span(", WRITER + "private int string(");
        int unsafe = flatRead
                + SourceLines.of(
                        UNSAFE + "int write(Message", UNSAFE + "static void span(", UNSAFE + "private int string(");
        int parsed = SourceLines.of(
                PARSE + "uint64_t hash_string(",
                PARSE + "uint64_t hash_message(",
                PARSE + "int64_t offhook_message_protobuf(");
        int built = SourceLines.of(PROTOBUF + "MessageProtos.Message build(");
        int jni = SourceLines.of(PARSE + "ProtobufNatives_hash(");
        int written = SourceLines.of(PROTOBUF + "private static int write(");
        Map<String, Integer> counted = new HashMap<>();
        counted.put(
                "POJO, field by field over JNI",
                SourceLines.of(
                        FIELDS + "uint64_t hash_string(",
                        FIELDS + "uint64_t hash_strings(",
                        FIELDS + "uint64_t hash_int_array(",
                        FIELDS + "MessageNatives_hash("));
        counted.put("flat layout over FFM", flat);
        counted.put("flat layout over FFM, critical", flat);
        counted.put("flat layout over FFM, written by unsafe", unsafe);
        counted.put("protobuf over JNI", parsed + jni + built);
        counted.put("protobuf over JNI, built before", parsed + jni);
        counted.put("protobuf over FFM, native segment", parsed + built + written);
        counted.put("protobuf over FFM, native segment, built before", parsed + written);
        counted.put("protobuf over FFM, heap array in a critical call", parsed + built + written);
        Map<String, Integer> stated = new HashMap<>();
        for (Cost cost : MessagesCosts.ALL) {
            stated.put(cost.technique(), cost.lines());
        }
        assertThat(stated).isEqualTo(counted);
    }

    @Test
    void everyWayToHandOverHasCosts() {
        List<String> techniques = new ArrayList<>();
        for (Class<?> benchmarks : List.of(MessageBenchmark.class, ProtobufBenchmark.class)) {
            for (Method method : benchmarks.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Benchmark.class)
                        && method.getName().startsWith("handed_")) {
                    techniques.add(MessagesSuite.technique(method.getName()));
                }
            }
        }
        assertThat(MessagesCosts.ALL.stream().map(Cost::technique)).containsExactlyInAnyOrderElementsOf(techniques);
    }
}
