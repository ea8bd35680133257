package io.offhook.cli;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Bytes from the network as text that a terminal shows and does not obey: what controls, reorders or hides is written as
 * {@code \x1b} (bytes) or <code>\u202e</code> (characters). Text that is UTF-8 stays as it is.
 */
final class PrintText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private PrintText() {}

    /** Appends bytes as UTF-8; a byte that is none is escaped alone. */
    static void append(StringBuilder to, MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        append(to, bytes, 0, length);
    }

    /** As {@link #append(StringBuilder, MemorySegment, long, int)}. */
    static void append(StringBuilder to, byte[] bytes, int offset, int length) {
        int end = offset + length;
        for (int at = offset; at < end; at++) {
            if (bytes[at] < 0) {
                appendDecoded(to, ByteBuffer.wrap(bytes, at, end - at));
                return;
            }
            appendAscii(to, bytes[at]);
        }
    }

    /** Appends text that came from the network. */
    static void append(StringBuilder to, String text) {
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            if (codePoint < 0x80) {
                appendAscii(to, codePoint);
            } else {
                appendWide(to, codePoint);
            }
        }
    }

    /** The text as {@link #append(StringBuilder, String)} writes it. */
    static String safe(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x7f) {
                StringBuilder escaped = new StringBuilder(text.length() + 8);
                append(escaped, text);
                return escaped.toString();
            }
        }
        return text;
    }

    /** The printable ASCII characters of bytes, a dot for each other one: the right side of a hex dump. */
    static char asciiOrDot(int octet) {
        return octet >= 0x20 && octet < 0x7f ? (char) octet : '.';
    }

    static void appendHex(StringBuilder to, long value, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            to.append(HEX[(int) (value >>> shift) & 15]);
        }
    }

    private static void appendAscii(StringBuilder to, int octet) {
        if (octet >= 0x20 && octet != 0x7f) {
            to.append((char) octet);
        } else if (octet == '\r') {
            to.append("\\r");
        } else if (octet == '\n') {
            to.append("\\n");
        } else if (octet == '\t') {
            to.append("\\t");
        } else {
            appendHex(to.append("\\x"), octet, 2);
        }
    }

    private static void appendWide(StringBuilder to, int codePoint) {
        switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> appendHex(to.append("\\u"), codePoint, codePoint > 0xffff ? 6 : 4);
            default -> to.appendCodePoint(codePoint);
        }
    }

    private static void appendDecoded(StringBuilder to, ByteBuffer in) {
        CharBuffer out = CharBuffer.allocate(in.remaining());
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            append(to, out.flip().toString());
            out.clear();
            if (!result.isError()) {
                return;
            }
            for (int i = 0; i < result.length(); i++) {
                appendHex(to.append("\\x"), in.get() & 0xff, 2);
            }
            decoder.reset();
        }
    }
}
