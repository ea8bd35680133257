package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Text that is safe to display on a terminal: captured control, reordering and invisible characters are escaped as
 * {@code \x1b} (bytes) or <code>\u202e</code> (characters). Other UTF-8 text is unchanged.
 *
 * <p>An instance builds one line: {@link #text} and {@link #number} append the program's own words, {@link #captured}
 * appends bytes from the network. Reusable; single-threaded.
 */
public final class SafeText implements CharSequence {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder text = new StringBuilder(256);

    /** Creates an empty line. */
    public SafeText() {}

    /** Appends the program's own words, unescaped. */
    public SafeText text(CharSequence words) {
        text.append(words);
        return this;
    }

    /** Appends a number in decimal digits. */
    public SafeText number(long value) {
        text.append(value);
        return this;
    }

    /** Appends {@code 0x} and the lowest {@code digits} hexadecimal digits of a number. */
    public SafeText hex(long value, int digits) {
        appendHex(text.append("0x"), value, digits);
        return this;
    }

    /** Appends an IPv4 address, in the lower 32 bits. */
    public SafeText ipv4(long address) {
        return text(IpAddress.ipv4Text(address));
    }

    /** Appends a MAC address, in the lower 48 bits. */
    public SafeText mac(long address) {
        return text(MacAddress.text(address));
    }

    /** Appends text that came from the network. */
    public SafeText captured(String value) {
        append(text, value);
        return this;
    }

    /** Appends bytes that came from the network, as UTF-8. */
    public SafeText captured(MemorySegment segment, long offset, int length) {
        append(text, segment, offset, length);
        return this;
    }

    /** Empties the line. */
    public void clear() {
        text.setLength(0);
    }

    @Override
    public boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** Appends bytes as UTF-8; each invalid byte is escaped. */
    public static void append(StringBuilder to, MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        append(to, bytes, 0, length);
    }

    /** As {@link #append(StringBuilder, MemorySegment, long, int)}. */
    public static void append(StringBuilder to, byte[] bytes, int offset, int length) {
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
    public static void append(StringBuilder to, String text) {
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
    public static String safe(String text) {
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
    public static char asciiOrDot(int octet) {
        return octet >= 0x20 && octet < 0x7f ? (char) octet : '.';
    }

    /** Appends the lowest {@code digits} hexadecimal digits of a number. */
    public static void appendHex(StringBuilder to, long value, int digits) {
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
