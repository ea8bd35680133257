package io.offhook.research.call;

/** A Java object for a native structure, as in JNI libraries: it has an address, and native code reads the fields. */
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
