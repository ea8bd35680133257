package io.offhook.research.sharing;

import static io.offhook.research.sharing.Pools.Kind.HEAP;
import static io.offhook.research.sharing.Pools.Kind.MAPPED;
import static io.offhook.research.sharing.Pools.Kind.NATIVE;

import io.offhook.research.Rounds;
import io.offhook.research.Rounds.Technique;
import io.offhook.research.sharing.CopyingWork.IntoObject;
import java.util.List;

/** All that are compared, and the process that one of them runs in. */
final class SharingTechniques {
    /** In a round. */
    static final int PACKETS = 1_000_000;

    /** Of a round; each takes a packet of every place. */
    static final int STEPS = PACKETS / Pools.PLACES;

    static final String DIRECT = "Unsafe in place (\"direct\")";
    static final String OBJECT = "object, fields set by JNI";
    static final String OBJECT_LOOKING_UP = "object, fields looked up and set by JNI";
    static final String OBJECT_SETTERS = "object, its setters called by JNI";
    static final String BYTE_BUFFER = "direct ByteBuffer, native copy";
    static final String BUFFER_IN_PLACE = "direct ByteBuffer in place";
    static final String HEAP_BUFFER = "heap ByteBuffer in place";
    static final String JAVOLUTION = "Javolution Struct, direct ByteBuffer";
    static final String JAVOLUTION_HEAP = "Javolution Struct, heap ByteBuffer";
    static final String UNSAFE_INTO_OBJECT = "Unsafe into an object";
    static final String SEGMENT_A_PACKET = "MemorySegment a packet, VarHandles in place";
    static final String BASE_AND_OFFSET = "base + offset, native only";
    static final String VIEWS = "our views, native only";
    static final String VIEWS_BY_HEADER = "our views, header by header, native only";
    static final String UNSAFE_CHECKED = "Unsafe in place, with the checks of our views";
    static final String BASE_AND_OFFSET_CHECKED = "base + offset, native only, with the checks of our views";
    static final String C = "C in place";

    static final List<Technique> ALL = List.of(
            new Technique(
                    OBJECT_LOOKING_UP,
                    true,
                    () -> new IntoObject(SharingNatives::fillLookingUp, SharingNatives::drainLookingUp)),
            new Technique(
                    OBJECT_SETTERS,
                    true,
                    () -> new IntoObject(SharingNatives::fillBySetters, SharingNatives::drainByGetters)),
            new Technique(OBJECT, true, () -> new IntoObject(SharingNatives::fill, SharingNatives::drain)),
            new Technique(BYTE_BUFFER, true, CopyingWork.IntoByteBuffer::new),
            new Technique(BUFFER_IN_PLACE, false, () -> new InPlaceWork.Buffers(Pools.inNativeMemory())),
            new Technique(HEAP_BUFFER, false, () -> new InPlaceWork.Buffers(Pools.inTheHeap())),
            new Technique(JAVOLUTION, false, () -> new JavolutionWork(Pools.inNativeMemory())),
            new Technique(JAVOLUTION_HEAP, false, () -> new JavolutionWork(Pools.inTheHeap())),
            new Technique(UNSAFE_INTO_OBJECT, false, UnsafeWork::intoObject),
            new Technique(DIRECT, false, UnsafeWork.InPlace::new),
            new Technique(SEGMENT_A_PACKET, false, InPlaceWork::structure),
            new Technique(BASE_AND_OFFSET, false, () -> InPlaceWork.baseAndOffset(Pools.inNativeMemory())),
            new Technique(
                    "base + offset, native and mapped",
                    false,
                    () -> InPlaceWork.baseAndOffset(new Pools(NATIVE, MAPPED, NATIVE, MAPPED))),
            new Technique(
                    "base + offset, native and mapped, a heap segment before",
                    false,
                    () -> InPlaceWork.baseAndOffset(Pools.afterHeap(NATIVE, MAPPED, NATIVE, MAPPED))),
            new Technique(
                    "base + offset, heap mixed in",
                    false,
                    () -> InPlaceWork.baseAndOffset(new Pools(NATIVE, MAPPED, NATIVE, HEAP))),
            new Technique(VIEWS, false, () -> ViewsWork.bothAtOnce(Pools.inNativeMemory())),
            new Technique(
                    "our views, native and mapped",
                    false,
                    () -> ViewsWork.bothAtOnce(new Pools(NATIVE, MAPPED, NATIVE, MAPPED))),
            new Technique(
                    "our views, heap mixed in",
                    false,
                    () -> ViewsWork.bothAtOnce(new Pools(NATIVE, MAPPED, NATIVE, HEAP))),
            new Technique(VIEWS_BY_HEADER, false, () -> ViewsWork.headerByHeader(Pools.inNativeMemory())),
            new Technique(
                    "our views, header by header, native and mapped",
                    false,
                    () -> ViewsWork.headerByHeader(new Pools(NATIVE, MAPPED, NATIVE, MAPPED))),
            new Technique(UNSAFE_CHECKED, false, CheckedWork.ByUnsafe::new),
            new Technique(BASE_AND_OFFSET_CHECKED, false, CheckedWork.AtBaseAndOffset::new),
            new Technique(C, true, InPlaceWork.InC::new));

    private SharingTechniques() {}

    /** @param args as {@link Rounds#serve} takes them */
    public static void main(String[] args) {
        Rounds.serve(ALL, args);
    }
}
