package io.offhook.research.language;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.offhook.research.Rounds.Work;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Map;

/** C, called by Java per round (which measures C alone) or per packet. */
final class CallingWork {
    private static final int PACKETS = LanguageTechniques.PACKETS;

    private CallingWork() {}

    /** Sets one packet, or several. */
    @FunctionalInterface
    private interface Setter {
        void set(MemorySegment packets, MemorySegment draws, long at) throws Throwable;
    }

    /** Over the C structure in native memory. */
    private record OverStructures(NativePackets packets, MemorySegment draws, Setter setter) implements Work {
        OverStructures(Setter setter) {
            this(new NativePackets(PACKETS), Draws.inNativeMemory(), setter);
        }

        @Override
        public long round(int number) {
            long at = LanguageTechniques.start(number);
            try {
                setter.set(packets.segment, draws, at);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            return at + (long) Draws.A_PACKET * PACKETS;
        }

        @Override
        public long digest() {
            return packets.digest();
        }
    }

    /** C alone: one call per round, linked in advance, because linking is not C's work. */
    static Work c() {
        try {
            Functions.SET_ALL.invokeExact(MemorySegment.NULL, 0L, MemorySegment.NULL, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return new OverStructures(Functions::setAll);
    }

    static Work jni() {
        return new OverStructures((packets, draws, at) -> {
            long packet = packets.address();
            long drawsAddress = draws.address();
            for (int i = 0; i < PACKETS; i++) {
                LanguageNatives.set(packet + i * NativePackets.SIZE, drawsAddress, at + (long) Draws.A_PACKET * i);
            }
        });
    }

    static Work ffm() {
        return new OverStructures((packets, draws, at) -> {
            long packet = packets.address();
            for (int i = 0; i < PACKETS; i++) {
                Functions.SET.invokeExact(
                        packet + i * NativePackets.SIZE, draws.address(), at + (long) Draws.A_PACKET * i);
            }
        });
    }

    static Work ffmCritical() {
        return new OverStructures((packets, draws, at) -> {
            long packet = packets.address();
            for (int i = 0; i < PACKETS; i++) {
                Functions.SET_CRITICAL.invokeExact(
                        packet + i * NativePackets.SIZE, draws.address(), at + (long) Draws.A_PACKET * i);
            }
        });
    }

    /** JNA in its usual form: an interface whose methods are looked up for each call. */
    static Work jna() {
        JnaLibrary library = Native.load(
                LanguageNatives.CODE.path().toString(),
                JnaLibrary.class,
                Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));
        NativePackets packets = new NativePackets(PACKETS);
        Pointer[] pointers = pointers(packets);
        MemorySegment drawn = Draws.inNativeMemory();
        Pointer draws = new Pointer(drawn.address());
        return new OverStructures(packets, drawn, (_, _, at) -> {
            for (int i = 0; i < PACKETS; i++) {
                library.offhook_set(pointers[i], draws, at + (long) Draws.A_PACKET * i);
            }
        });
    }

    /** JNA's faster way: native methods that it binds. */
    static Work jnaDirect() {
        NativePackets packets = new NativePackets(PACKETS);
        Pointer[] pointers = pointers(packets);
        MemorySegment drawn = Draws.inNativeMemory();
        Pointer draws = new Pointer(drawn.address());
        return new OverStructures(packets, drawn, (_, _, at) -> {
            for (int i = 0; i < PACKETS; i++) {
                JnaDirect.offhook_set(pointers[i], draws, at + (long) Draws.A_PACKET * i);
            }
        });
    }

    /** Created once, because JNA passes pointers as objects. */
    private static Pointer[] pointers(NativePackets packets) {
        Pointer[] pointers = new Pointer[PACKETS];
        Arrays.setAll(pointers, i -> new Pointer(packets.segment.address() + i * NativePackets.SIZE));
        return pointers;
    }

    /** JNI that sets the fields of a Java object, by one JNI function per field. */
    static final class JniIntoObjects implements Work {
        private final MemorySegment draws = Draws.inNativeMemory();
        private final JavaPacket[] packets = new JavaPacket[PACKETS];

        JniIntoObjects() {
            Arrays.setAll(packets, i -> new JavaPacket());
        }

        @Override
        public long round(int number) {
            long at = LanguageTechniques.start(number);
            for (JavaPacket packet : packets) {
                LanguageNatives.setObject(packet, draws.address(), at);
                at += Draws.A_PACKET;
            }
            return at;
        }

        @Override
        public long digest() {
            return JavaWork.digestOf(packets);
        }
    }

    /** The handles of FFM. Addresses are passed as numbers, so that the figure does not include a segment per packet. */
    private static final class Functions {
        static final MethodHandle SET = set();
        static final MethodHandle SET_CRITICAL = set(Linker.Option.critical(false));
        static final MethodHandle SET_ALL = LanguageNatives.CODE.downcall(
                "offhook_set_all", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));

        private Functions() {}

        private static MethodHandle set(Linker.Option... options) {
            return LanguageNatives.CODE.downcall(
                    "offhook_set", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG), options);
        }

        static void setAll(MemorySegment packets, MemorySegment draws, long at) throws Throwable {
            SET_ALL.invokeExact(packets, (long) PACKETS, draws, at);
        }
    }

    /** For JNA, which finds functions by the names of methods. */
    interface JnaLibrary extends Library {
        void offhook_set(Pointer packet, Pointer draws, long at);
    }

    /** For JNA's direct mapping. */
    static final class JnaDirect {
        static {
            Native.register(JnaDirect.class, LanguageNatives.CODE.path().toString());
        }

        private JnaDirect() {}

        static native void offhook_set(Pointer packet, Pointer draws, long at);
    }
}
