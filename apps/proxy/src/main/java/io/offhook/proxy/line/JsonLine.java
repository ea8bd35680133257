package io.offhook.proxy.line;

import io.offhook.packet.SafeText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Builds one line of JSON (RFC 8259). Characters that would control a terminal, reverse the direction of text or end the
 * line are escaped, so that a program reads the original text and a terminal shows nothing else. Reusable; single-threaded.
 *
 * <p>The caller closes what it opens; {@link #toString} is the line, without its end.
 */
public final class JsonLine {
    /** What may be nested: an object in an array in an object, and so on. */
    public static final int MOST_DEPTH = 63;

    private final StringBuilder text = new StringBuilder(256);
    /** A bit for each open level, from the lowest: whether it is an array. */
    private long arrays;
    /** A bit for each open level: whether it has an element already. */
    private long filled;

    private int depth;

    /** Creates an empty line. */
    public JsonLine() {}

    /** Empties the line. */
    public JsonLine clear() {
        text.setLength(0);
        arrays = 0;
        filled = 0;
        depth = 0;
        return this;
    }

    /** Opens an object: the line itself, or an element of an array. */
    public JsonLine object() {
        separate();
        return open('{', false);
    }

    /** Opens an object as a property. */
    public JsonLine object(String name) {
        name(name);
        return open('{', false);
    }

    /** Opens an array as a property. */
    public JsonLine array(String name) {
        name(name);
        return open('[', true);
    }

    /** Closes the object or array that was opened last. */
    public JsonLine end() {
        if (depth == 0) {
            throw new IllegalStateException("nothing is open in " + text);
        }
        depth--;
        text.append((arrays & 1L << depth) != 0 ? ']' : '}');
        return this;
    }

    /** Adds text; null is JSON's null. */
    public JsonLine field(String name, @Nullable CharSequence value) {
        name(name);
        if (value == null) {
            text.append("null");
        } else {
            quoted(value);
        }
        return this;
    }

    /** Adds a number. */
    public JsonLine field(String name, long value) {
        name(name);
        text.append(value);
        return this;
    }

    /** Adds true or false. */
    public JsonLine field(String name, boolean value) {
        name(name);
        text.append(value);
        return this;
    }

    /**
     * Adds a number with decimals; what is no number is null.
     *
     * @param decimals the most digits behind the point, 0 to 9
     */
    public JsonLine field(String name, double value, int decimals) {
        name(name);
        if (!Double.isFinite(value)) {
            text.append("null");
            return this;
        }
        int from = text.length();
        text.append(String.format(Locale.ROOT, "%." + decimals + "f", value));
        if (decimals > 0) {
            int end = text.length();
            while (text.charAt(end - 1) == '0') {
                end--;
            }
            text.setLength(text.charAt(end - 1) == '.' ? end - 1 : end);
        }
        if (text.length() - from == 2 && text.charAt(from) == '-' && text.charAt(from + 1) == '0') {
            text.deleteCharAt(from);
        }
        return this;
    }

    /** Adds text to an array. */
    public JsonLine element(CharSequence value) {
        separate();
        quoted(value);
        return this;
    }

    /** The length of the line so far, in characters. */
    public int length() {
        return text.length();
    }

    /** Appends the line to other text. */
    public void appendTo(StringBuilder to) {
        to.append(text);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private JsonLine open(char bracket, boolean isArray) {
        if (depth == MOST_DEPTH) {
            throw new IllegalStateException("more than " + MOST_DEPTH + " levels in " + text);
        }
        long bit = 1L << depth;
        arrays = isArray ? arrays | bit : arrays & ~bit;
        filled &= ~bit;
        depth++;
        text.append(bracket);
        return this;
    }

    private void name(String name) {
        separate();
        quoted(name);
        text.append(':');
    }

    private void separate() {
        if (depth == 0) {
            return;
        }
        long bit = 1L << depth - 1;
        if ((filled & bit) != 0) {
            text.append(',');
        }
        filled |= bit;
    }

    private void quoted(CharSequence value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c >= 0x20 && c < 0x7f) {
                text.append(c);
            } else if (c == '\n') {
                text.append("\\n");
            } else if (c == '\r') {
                text.append("\\r");
            } else if (c == '\t') {
                text.append("\\t");
            } else {
                i += wide(value, i, c);
            }
        }
        text.append('"');
    }

    /** @return the characters that were taken beside the first */
    private int wide(CharSequence value, int at, char c) {
        boolean isPair = Character.isHighSurrogate(c)
                && at + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(at + 1));
        int codePoint = isPair ? Character.toCodePoint(c, value.charAt(at + 1)) : c;
        boolean isPlain = switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
        if (isPlain) {
            text.appendCodePoint(codePoint);
        } else {
            SafeText.appendHex(text.append("\\u"), c, 4);
            if (isPair) {
                SafeText.appendHex(text.append("\\u"), value.charAt(at + 1), 4);
            }
        }
        return isPair ? 1 : 0;
    }
}
