package io.offhook.decrypt;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of text in native memory that may contain keys: they are decoded from there into other native memory, so that
 * no string of them is made. Bytes outside ASCII are no digits.
 */
final class KeyText {
    private static final int LONGEST_SECRET = 256;
    private static final int LONGEST_WORD = 1024;

    private final MemorySegment segment;
    private long at;
    private final long end;

    KeyText(MemorySegment segment, long from, long end) {
        this.segment = segment;
        this.at = from;
        this.end = end;
    }

    long at() {
        return at;
    }

    boolean isEmpty() {
        return at >= end;
    }

    int peek() {
        return at < end ? NetworkOrder.u8(segment, at) : -1;
    }

    /** The same text, which can be read without moving this. */
    KeyText again() {
        return new KeyText(segment, at, end);
    }

    /** The line from here on, without its end; this text continues behind it. */
    KeyText line() {
        long from = at;
        while (at < end && peek() != '\n' && peek() != '\r') {
            at++;
        }
        KeyText line = new KeyText(segment, from, at);
        boolean isReturn = peek() == '\r';
        at += at < end ? 1 : 0;
        at += isReturn && peek() == '\n' ? 1 : 0;
        return line;
    }

    /** The text up to one of some characters, which is skipped; all of it if there is none. */
    KeyText until(String characters) {
        long from = at;
        while (at < end && characters.indexOf(peek()) < 0) {
            at++;
        }
        KeyText part = new KeyText(segment, from, at);
        at += at < end ? 1 : 0;
        return part;
    }

    /** The next word between blanks; empty at the end. */
    KeyText word() {
        skipBlanks();
        KeyText word = until(" \t");
        skipBlanks();
        return word;
    }

    void skipBlanks() {
        while (at < end && (peek() == ' ' || peek() == '\t')) {
            at++;
        }
    }

    /** Whether it goes on with this text, which is then skipped. */
    boolean skip(String text) {
        if (end - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (NetworkOrder.u8(segment, at + i) != text.charAt(i)) {
                return false;
            }
        }
        at += text.length();
        return true;
    }

    /** All of it as a string: of what is no key. */
    String text() {
        byte[] bytes = new byte[(int) Math.min(end - at, LONGEST_WORD)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) NetworkOrder.u8(segment, at + i);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    long length() {
        return Math.max(0, end - at);
    }

    /** Decodes all of it from hexadecimal digits into an array, from its start on; false if it is anything else. */
    boolean hex(byte[] to) {
        if (length() != 2L * to.length) {
            return false;
        }
        for (int i = 0; i < to.length; i++) {
            int high = Character.digit(NetworkOrder.u8(segment, at + 2L * i), 16);
            int low = Character.digit(NetworkOrder.u8(segment, at + 2L * i + 1), 16);
            if (high < 0 || low < 0) {
                return false;
            }
            to[i] = (byte) (high << 4 | low);
        }
        return true;
    }

    /**
     * Decodes all of it from hexadecimal digits.
     *
     * @return the secret, or null if it is anything else or has more than 256 bytes
     */
    @Nullable
    Secret hexSecret(SecretMemory memory) {
        if (length() == 0 || length() > 2 * LONGEST_SECRET) {
            return null;
        }
        byte[] bytes = new byte[(int) (length() / 2)];
        try {
            return hex(bytes) ? memory.take(bytes) : null;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Decodes all of it from base64 (RFC 4648, 4), with or without padding.
     *
     * @return the secret, or null if it is anything else or has not this length
     */
    @Nullable
    Secret base64Secret(SecretMemory memory, int length) {
        long last = end;
        while (last > at && NetworkOrder.u8(segment, last - 1) == '=') {
            last--;
        }
        if ((last - at) * 6 / 8 != length) {
            return null;
        }
        byte[] bytes = new byte[length];
        try {
            int bits = 0;
            int held = 0;
            int filled = 0;
            for (long i = at; i < last; i++) {
                int digit = base64(NetworkOrder.u8(segment, i));
                if (digit < 0) {
                    return null;
                }
                bits = bits << 6 | digit;
                held += 6;
                if (held >= 8) {
                    held -= 8;
                    bytes[filled++] = (byte) (bits >>> held);
                }
            }
            return memory.take(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static int base64(int character) {
        if (character >= 'A' && character <= 'Z') {
            return character - 'A';
        }
        if (character >= 'a' && character <= 'z') {
            return character - 'a' + 26;
        }
        if (character >= '0' && character <= '9') {
            return character - '0' + 52;
        }
        return character == '+' ? 62 : character == '/' ? 63 : -1;
    }

    /** How long it is; never what it is. */
    @Override
    public String toString() {
        return length() + " characters";
    }
}
