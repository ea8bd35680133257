package io.offhook.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Masks, measures and cuts text from the network for display. */
public final class Text {
    private Text() {}

    /**
     * Replaces characters that would control a terminal or change the meaning of surrounding text by U+FFFD: control
     * characters, line separators, and invisible characters, above all those that reverse the direction of writing.
     */
    public static String printable(String text) {
        int length = text.length();
        int i = 0;
        while (i < length && isPlain(text.charAt(i))) {
            i++;
        }
        if (i == length) {
            return text;
        }
        StringBuilder masked = new StringBuilder(length).append(text, 0, i);
        while (i < length) {
            int c = text.codePointAt(i);
            masked.appendCodePoint(isHarmful(c) ? 0xfffd : c);
            i += Character.charCount(c);
        }
        return masked.toString();
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x7f;
    }

    /** Whether a code point controls a terminal, is invisible, or is an unpaired surrogate. */
    public static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    /** As {@link #printable}, but keeps line ends and tabs. */
    public static String printableLines(String text) {
        StringBuilder masked = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean isLineEnd = c == '\n' || c == '\r' && text.startsWith("\n", i + 1);
            masked.appendCodePoint(isLineEnd || c == '\t' || !isHarmful(c) ? c : 0xfffd);
            i += Character.charCount(c);
        }
        return masked.toString();
    }

    /** The width of text in columns: none for combining marks, two for wide East Asian characters. */
    public static int width(String text) {
        int length = text.length();
        int width = 0;
        while (width < length && isPlain(text.charAt(width))) {
            width++;
        }
        for (int i = width; i < length; ) {
            int c = text.codePointAt(i);
            width += width(c);
            i += Character.charCount(c);
        }
        return width;
    }

    private static int width(int c) {
        if (c < 0x300) {
            return 1;
        }
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        boolean wide = c >= 0x1100 && c <= 0x115f // Hangul Jamo
                || c >= 0x2e80 && c <= 0xa4cf && c != 0x303f // CJK to Yi
                || c >= 0xac00 && c <= 0xd7a3 // Hangul syllables
                || c >= 0xf900 && c <= 0xfaff // CJK compatibility
                || c >= 0xfe30 && c <= 0xfe6f
                || c >= 0xff00 && c <= 0xff60 // full-width forms
                || c >= 0xffe0 && c <= 0xffe6
                || c >= 0x1f300 && c <= 0x1faff // pictographs
                || c >= 0x20000 && c <= 0x3fffd;
        return wide ? 2 : 1;
    }

    /** Cuts text to a number of columns, replacing the end by {@code ellipsis} if it is longer. */
    public static String cut(String text, int columns, String ellipsis) {
        if (width(text) <= columns) {
            return text;
        }
        int room = columns - width(ellipsis);
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            room -= width(c);
            if (room < 0) {
                break;
            }
            end += Character.charCount(c);
        }
        return text.substring(0, end) + (columns >= width(ellipsis) ? ellipsis : "");
    }

    /** Cuts text to a number of columns, replacing its middle by {@code ellipsis} if it is longer: its end stays. */
    static String cutInside(String text, int columns, String ellipsis) {
        if (width(text) <= columns) {
            return text;
        }
        int room = columns - width(ellipsis);
        if (room <= 0) {
            return cut(text, columns, ellipsis);
        }
        int tail = (room + 1) / 2;
        int start = text.length();
        while (start > 0) {
            int c = text.codePointBefore(start);
            tail -= width(c);
            if (tail < 0) {
                break;
            }
            start -= Character.charCount(c);
        }
        return cut(text.substring(0, start), room / 2, "") + ellipsis + text.substring(start);
    }

    /** Wraps text at spaces if possible; lines after the first are indented by two. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        String indent = "";
        while (width(rest) > width - indent.length()) {
            String head = cut(rest, width - indent.length(), "");
            int space = head.lastIndexOf(' ');
            // a word that ends with the line need not be broken
            int end = rest.charAt(head.length()) == ' ' || space < head.length() / 2 ? head.length() : space;
            if (end == 0) {
                end = Character.charCount(rest.codePointAt(0));
            }
            lines.add(indent + rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
            indent = "  ";
        }
        lines.add(indent + rest);
        return lines;
    }
}
