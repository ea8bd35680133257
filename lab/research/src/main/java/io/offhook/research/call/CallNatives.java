package io.offhook.research.call;

import io.offhook.research.NativeCode;

/** The functions of call.c for JNI. */
final class CallNatives {
    static final NativeCode CODE = new NativeCode("call");

    static long callsBack;

    static {
        CODE.load();
        prepareCallBack();
    }

    private CallNatives() {}

    static native void empty();

    static native int wire(long address);

    static native long sumCritical(byte[] array, int length);

    static native long sumElements(byte[] array, int length);

    static native long sumRegion(byte[] array, int length);

    static native void callBack();

    /** Makes a new thread of native code call back; 0, or an error number. */
    static native int callBackByThread(boolean attachForEach, long count, long[] firstAndRestNs);

    static native void busy(long nanoseconds);

    static native void busyCritical(byte[] array, long nanoseconds);

    private static native void prepareCallBack();

    /** Called by native code. */
    static void calledBack() {
        callsBack++;
    }
}
