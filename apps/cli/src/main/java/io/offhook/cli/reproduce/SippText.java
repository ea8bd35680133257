package io.offhook.cli.reproduce;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Text of a capture as literal text of a sipp scenario. Everything that sipp or an XML reader could take for more than text is
 * written as {@code \xNN}, which sipp turns back into the octet: brackets, which begin keywords and end CDATA, backslashes,
 * control characters, all octets beyond ASCII, and blanks at the ends of lines, which sipp would remove.
 *
 * <p>Texts here are octets in ISO 8859-1, so that nothing is lost whatever the capture contains.
 */
final class SippText {
    private SippText() {}

    /** Octets as text, one character each. */
    static String ofOctets(byte[] octets, int from, int length) {
        return new String(octets, from, length, StandardCharsets.ISO_8859_1);
    }

    /** A text within a line; line ends in it are escaped. */
    static String escaped(String octets) {
        StringBuilder text = new StringBuilder(octets.length() + 16);
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            char next = i + 1 < octets.length() ? octets.charAt(i + 1) : ' ';
            if (isPlain(c, next)) {
                text.append(c);
            } else {
                hex(text, c);
            }
        }
        return text.toString();
    }

    private static boolean isPlain(char c, char next) {
        return switch (c) {
            case '[', ']', '\\' -> false;
            case '<' -> next != '!' && next != '?';
            default -> c >= ' ' && c < 0x7f;
        };
    }

    private static void hex(StringBuilder text, int c) {
        text.append("\\x").append(String.format(Locale.ROOT, "%02X", c & 0xff));
    }

    /**
     * Lines as sipp sends them, octet by octet: CRLF becomes a line end where sipp makes CRLF of it again.
     *
     * @param octets several lines, or one
     */
    static String lines(String octets) {
        StringBuilder text = new StringBuilder(octets.length() + 16);
        int at = 0;
        while (at < octets.length()) {
            int end = octets.indexOf("\r\n", at);
            boolean isLast = end < 0 || end + 2 == octets.length();
            line(text, octets.substring(at, end < 0 ? octets.length() : end));
            if (end < 0) {
                break;
            }
            // at its end, and before an empty line, sipp would not keep a line end
            text.append(isLast || octets.startsWith("\r\n", end + 2) ? "\\x0D\\x0A" : "\n");
            at = end + 2;
        }
        return text.toString();
    }

    /** Appends a line whose blanks at both ends are kept. */
    private static void line(StringBuilder text, String line) {
        int from = 0;
        int end = line.length();
        while (from < end && isBlank(line.charAt(from))) {
            hex(text, line.charAt(from++));
        }
        int last = end;
        while (last > from && isBlank(line.charAt(last - 1))) {
            last--;
        }
        text.append(escaped(line.substring(from, last)));
        for (int i = last; i < end; i++) {
            hex(text, line.charAt(i));
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Text for an attribute of XML that we wrote ourselves. */
    static String attribute(String own) {
        return own.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
