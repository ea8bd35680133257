package io.offhook.research.language;

import io.offhook.research.Rounds;
import io.offhook.research.Rounds.Technique;
import java.util.List;

/** All techniques, and the process in which one of them runs. */
final class LanguageTechniques {
    /** Packets per round. */
    static final int PACKETS = 100_000;

    static final List<Technique> ALL = List.of(
            new Technique("C", true, CallingWork::c),
            new Technique("Java objects, kept", false, JavaWork.KeptObjects::new),
            new Technique("Java objects, new ones", false, JavaWork.NewObjects::new),
            new Technique("Java over native memory", false, JavaWork.OverNativeMemory::new),
            new Technique("JNI into a structure", true, CallingWork::jni),
            new Technique("JNI into an object", true, CallingWork.JniIntoObjects::new),
            new Technique("FFM downcall", true, CallingWork::ffm),
            new Technique("FFM critical", true, CallingWork::ffmCritical),
            new Technique("JNA", true, CallingWork::jna),
            new Technique("JNA direct mapping", true, CallingWork::jnaDirect));

    private LanguageTechniques() {}

    /** Returns the index of a round's first draw, so that each round sets other values. */
    static long start(int round) {
        return (long) round * PACKETS * Draws.A_PACKET + round;
    }

    /** @param args as {@link Rounds#serve} takes them */
    public static void main(String[] args) {
        Rounds.serve(ALL, args);
    }
}
