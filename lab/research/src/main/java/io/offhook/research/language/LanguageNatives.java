package io.offhook.research.language;

import io.offhook.research.NativeCode;

/** The functions of language.c for JNI. */
final class LanguageNatives {
    static final NativeCode CODE = new NativeCode("language");

    static {
        CODE.load();
        prepare(JavaPacket.class);
    }

    private LanguageNatives() {}

    static native void set(long packet, long draws, long at);

    static native void setObject(JavaPacket packet, long draws, long at);

    private static native void prepare(Class<JavaPacket> packet);
}
