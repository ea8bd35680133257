package io.offhook.research.call;

/** A Java object for a native structure, as JNI libraries have them: it knows an address, native code the fields. */
final class NativeHeader {
    static {
        CallNatives.CODE.load();
        remember();
    }

    @SuppressWarnings("FieldCanBeLocal") // read by native code
    private final long address;

    NativeHeader(long address) {
        this.address = address;
    }

    long address() {
        return address;
    }

    native int wireLookedUp();

    native int wireOfKnownField();

    private static native void remember();
}
