package io.offhook.research.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.research.Cost;
import io.offhook.research.Rounds.Technique;
import io.offhook.research.SourceLines;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharingCostsTest {
    private static final String HERE = "java/io/offhook/research/sharing/";
    private static final String NATIVE = "native/sharing/sharing.c#";
    private static final String JNI = NATIVE + "SharingNatives_";
    private static final String DECLARED = HERE + "SharingNatives.java#native void ";
    private static final String OBJECT = HERE + "HeaderObject.java#";
    private static final String UNSAFE = HERE + "UnsafeWork.java#";
    private static final String IN_PLACE = HERE + "InPlaceWork.java#";
    private static final String VIEWS = HERE + "ViewsWork.java#";
    private static final String CHECKED = HERE + "CheckedWork.java#";
    private static final String BUFFER = HERE + "CopyingWork.java#static long change(";

    private static final int FIELDS = SourceLines.of(
            OBJECT + "int ttl;", OBJECT + "int identification;", OBJECT + "long source;", OBJECT + "int sourcePort;");
    private static final int CHANGED = FIELDS + SourceLines.of(OBJECT + "long change(");
    private static final int SETTERS = SourceLines.of(
            OBJECT + "setTtl(",
            OBJECT + "setIdentification(",
            OBJECT + "setSource(",
            OBJECT + "setSourcePort(",
            OBJECT + "getTtl(",
            OBJECT + "getIdentification(",
            OBJECT + "getSource(",
            OBJECT + "getSourcePort(");
    private static final int SWAPPED =
            SourceLines.of(UNSAFE + "int u16(", UNSAFE + "long u32(", UNSAFE + "void putU16(", UNSAFE + "void putU32(");
    private static final int CHECKS = SourceLines.of(
            CHECKED + "static int headerLength(",
            CHECKED + "static int payloadLength(",
            CHECKED + "static void checkUdp(");

    private static int jni(String in, String out) {
        return SourceLines.of(JNI + in + "(", JNI + out + "(", DECLARED + in + "(", DECLARED + out + "(");
    }

    @Test
    void statesTheLinesThatEachTechniqueHas() {
        Map<String, Integer> counted = new HashMap<>();
        counted.put(SharingTechniques.OBJECT_LOOKING_UP, CHANGED + jni("fillLookingUp", "drainLookingUp"));
        counted.put(SharingTechniques.OBJECT_SETTERS, CHANGED + SETTERS + jni("fillBySetters", "drainByGetters"));
        counted.put(SharingTechniques.OBJECT, CHANGED + jni("fill", "drain"));
        counted.put(SharingTechniques.BYTE_BUFFER, SourceLines.of(BUFFER) + jni("copyIn", "copyOut"));
        counted.put(SharingTechniques.BUFFER_IN_PLACE, SourceLines.of(BUFFER));
        counted.put(SharingTechniques.HEAP_BUFFER, SourceLines.of(BUFFER));
        int struct = SourceLines.of(
                HERE + "JavolutionWork.java#static final class PacketStruct",
                HERE + "JavolutionWork.java#private static long change(");
        counted.put(SharingTechniques.JAVOLUTION, struct);
        counted.put(SharingTechniques.JAVOLUTION_HEAP, struct);
        counted.put(
                SharingTechniques.UNSAFE_INTO_OBJECT,
                CHANGED + SWAPPED + SourceLines.of(UNSAFE + "void fill(", UNSAFE + "void drain("));
        counted.put(SharingTechniques.DIRECT, SWAPPED + SourceLines.of(UNSAFE + "static long change("));
        counted.put(
                SharingTechniques.SEGMENT_A_PACKET,
                SourceLines.of(
                        IN_PLACE + "VarHandle TTL",
                        IN_PLACE + "VarHandle IDENTIFICATION",
                        IN_PLACE + "VarHandle SOURCE =",
                        IN_PLACE + "VarHandle SOURCE_PORT",
                        IN_PLACE + "static long change("));
        int written = SourceLines.of(IN_PLACE + "static void write(");
        counted.put(
                SharingTechniques.BASE_AND_OFFSET, written + SourceLines.of(IN_PLACE + "static long changeAtOffset("));
        counted.put(
                SharingTechniques.VIEWS,
                written + SourceLines.of(VIEWS + "private long changeBoth(", VIEWS + "static void check("));
        counted.put(
                SharingTechniques.VIEWS_BY_HEADER,
                SourceLines.of(
                        VIEWS + "private long changeIp(",
                        VIEWS + "private long changeUdp(",
                        VIEWS + "static void check("));
        int unchecked = SourceLines.of(CHECKED + "static long change(long address)");
        counted.put(SharingTechniques.UNSAFE_CHECKED, CHECKS + SWAPPED + unchecked);
        counted.put(
                SharingTechniques.BASE_AND_OFFSET_CHECKED,
                CHECKS + SourceLines.of(CHECKED + "static long change(MemorySegment"));
        counted.put(
                SharingTechniques.C,
                SourceLines.of(NATIVE + "int64_t change(struct", NATIVE + "int64_t offhook_change_all("));
        Map<String, Integer> stated = new HashMap<>();
        for (Cost cost : SharingCosts.ALL) {
            stated.put(cost.technique(), cost.lines());
        }
        assertThat(stated).isEqualTo(counted);
        assertThat(SharingTechniques.ALL.stream().map(Technique::name)).containsAll(stated.keySet());
    }
}
