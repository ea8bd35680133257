package io.offhook.cluster.event;

import java.nio.charset.StandardCharsets;

/** Limits on what an event consists of, as the schema states them; and the checks of the records here. */
public final class Limits {
    /** Octets of an encoded event. */
    public static final int EVENT = 1_000_000;

    /** Octets of a SIP message. */
    public static final int MESSAGE = 900_000;

    /** Octets behind a message that the snap length cut. */
    public static final int CUT = 65_535;

    /** Characters of the name of a probe: with {@code offhook.probe.} before it, the longest name of a topic. */
    public static final int PROBE = 235;

    /** Octets of a Call-ID, of a text that says where something failed, and of an address of the web. */
    public static final int TEXT = 1_024;

    /** Octets of the name of a counter or release. */
    public static final int NAME = 64;

    /** Octets of the name of a site. */
    public static final int SITE = 255;

    private static final int U16 = 0xffff;

    private Limits() {}

    /** The longest beginning of a text that has at most so many octets in UTF-8, without half a character at its end. */
    public static String cut(String text, int octets) {
        if (text.length() * 3L <= octets) {
            return text;
        }
        int size = 0;
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            size += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (size > octets) {
                break;
            }
            end += Character.charCount(c);
        }
        return text.substring(0, end);
    }

    static void text(String field, String text, int most) {
        if (text.length() * 3L > most) {
            range(field, text.getBytes(StandardCharsets.UTF_8).length, 0, most);
        }
    }

    static void u16(String field, long value) {
        range(field, value, 0, U16);
    }

    /** Counts and numbers are positive: the upper half of 64 bits is not used. */
    static void count(String field, long value) {
        range(field, value, 0, Long.MAX_VALUE);
    }

    static void range(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(field + " " + value + " is not in " + least + " to " + most);
        }
    }
}
