package io.offhook.proxy.routing;

/**
 * A header field of a SIP message (RFC 3261, 7.3).
 *
 * @param name a token, 1 to 64 characters
 * @param value one line of text without control characters, at most 2,000 characters
 */
public record HeaderField(String name, String value) {
    private static final int MOST_NAME = 64;
    private static final int MOST_VALUE = 2_000;
    private static final String TOKEN_MARKS = "-.!%*_+`'~"; // RFC 3261, 25.1

    /** Checks that neither part can be anything but itself in a message. */
    public HeaderField {
        checkName(name);
        if (value.length() > MOST_VALUE) {
            throw new IllegalArgumentException(
                    "the value of " + name + " has " + value.length() + " characters; the limit is " + MOST_VALUE);
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f) {
                throw new IllegalArgumentException("the value of " + name + " has a control character at " + i);
            }
        }
    }

    /** Checks that a name is a token; returns it. */
    static String checkName(String name) {
        boolean isToken = !name.isEmpty() && name.length() <= MOST_NAME;
        for (int i = 0; i < name.length() && isToken; i++) {
            isToken = isLetterOrDigit(name.charAt(i)) || TOKEN_MARKS.indexOf(name.charAt(i)) >= 0;
        }
        if (!isToken) {
            throw new IllegalArgumentException("\"" + name + "\" is not a header name of 1 to " + MOST_NAME
                    + " letters, digits and " + TOKEN_MARKS);
        }
        return name;
    }

    private static boolean isLetterOrDigit(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
