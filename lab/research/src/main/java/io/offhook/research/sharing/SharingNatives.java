package io.offhook.research.sharing;

import io.offhook.research.NativeCode;
import java.nio.ByteBuffer;

/** The functions of sharing.c for JNI: the first of a pair hands a packet to Java, the second takes it back. */
final class SharingNatives {
    static final NativeCode CODE = new NativeCode("sharing");

    static {
        CODE.load();
        prepare(HeaderObject.class);
    }

    private SharingNatives() {}

    static native void fill(HeaderObject header, long address);

    static native void drain(HeaderObject header, long address);

    static native void fillLookingUp(HeaderObject header, long address);

    static native void drainLookingUp(HeaderObject header, long address);

    static native void fillBySetters(HeaderObject header, long address);

    static native void drainByGetters(HeaderObject header, long address);

    static native void copyIn(ByteBuffer buffer, long address);

    static native void copyOut(ByteBuffer buffer, long address);

    private static native void prepare(Class<HeaderObject> header);
}
