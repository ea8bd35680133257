package io.offhook.sip;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Bytes for tests, in arrays and native segments of exactly their length, so that a read past their end is a fault. */
final class Native {
    private Native() {}

    static MemorySegment bytes(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(Math.max(bytes.length, 1));
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment.asSlice(0, bytes.length);
    }

    static MemorySegment text(String text) {
        return bytes(octets(text));
    }

    /** Lines joined and each ended by CRLF. */
    static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static SipMessageView view(String message) {
        return view(octets(message));
    }

    static SipMessageView view(byte[] message) {
        SipMessageView view = new SipMessageView();
        view.wrap(message, 0, message.length);
        return view;
    }

    static SipMessageView view(MemorySegment message) {
        SipMessageView view = new SipMessageView();
        view.wrap(message, 0, (int) message.byteSize());
        return view;
    }

    static String string(byte[] octets, int offset, int length) {
        return new String(octets, offset, length, StandardCharsets.ISO_8859_1);
    }
}
