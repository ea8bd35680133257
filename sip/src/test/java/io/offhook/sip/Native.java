package io.offhook.sip;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Bytes for tests in native segments of exactly their length, so that a read past their end is a fault. */
final class Native {
    private Native() {}

    static MemorySegment bytes(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(Math.max(bytes.length, 1));
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment.asSlice(0, bytes.length);
    }

    static MemorySegment text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Lines joined and each ended by CRLF. */
    static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    static SipMessageView view(String message) {
        return view(text(message));
    }

    static SipMessageView view(MemorySegment message) {
        SipMessageView view = new SipMessageView();
        view.wrap(message, 0, (int) message.byteSize());
        return view;
    }

    static String string(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
