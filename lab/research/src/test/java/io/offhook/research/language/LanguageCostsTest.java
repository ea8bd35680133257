package io.offhook.research.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.research.Cost;
import io.offhook.research.Rounds.Technique;
import io.offhook.research.SourceLines;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LanguageCostsTest {
    private static final String HERE = "java/io/offhook/research/language/";
    private static final String NATIVE = "native/language/language.c#";
    private static final String CALLING = HERE + "CallingWork.java#";
    private static final String DECLARED = HERE + "LanguageNatives.java#static native void ";
    private static final String HANDLES = HERE + "NativePackets.java#VarHandle ";

    @Test
    void statesTheLinesThatEachTechniqueHas() {
        int c = SourceLines.of(NATIVE + "static inline void set(");
        int called = c + SourceLines.of(NATIVE + "void offhook_set(");
        int object = SourceLines.of(HERE + "JavaPacket.java#void set(");
        int ffm = called + SourceLines.of(CALLING + "private static MethodHandle set(");
        int jni = SourceLines.of(NATIVE + "LanguageNatives_set(", DECLARED + "set(");
        int jniObject = SourceLines.of(NATIVE + "LanguageNatives_setObject(", DECLARED + "setObject(");
        int handles = SourceLines.of(
                HANDLES + "PRODUCT",
                HANDLES + "TIMESTAMP",
                HANDLES + "CAPTURED",
                HANDLES + "WIRE",
                HANDLES + "PORT",
                HANDLES + "TTL",
                HERE + "NativePackets.java#static void set(");
        Map<String, Integer> counted = new HashMap<>();
        counted.put("C", c + SourceLines.of(NATIVE + "void offhook_set_all("));
        counted.put("Java objects, kept", object);
        counted.put("Java objects, new ones", object);
        counted.put("Java over native memory", handles);
        counted.put("JNI into a structure", c + jni);
        counted.put("JNI into an object", c + jniObject);
        counted.put("FFM downcall", ffm);
        counted.put("FFM critical", ffm);
        counted.put("JNA", called + SourceLines.of(CALLING + "interface JnaLibrary"));
        counted.put("JNA direct mapping", called + SourceLines.of(CALLING + "static final class JnaDirect"));
        Map<String, Integer> stated = new HashMap<>();
        for (Cost cost : LanguageCosts.ALL) {
            stated.put(cost.technique(), cost.lines());
        }
        assertThat(stated).isEqualTo(counted);
        assertThat(LanguageTechniques.ALL.stream().map(Technique::name))
                .containsExactlyInAnyOrderElementsOf(stated.keySet());
    }
}
