package io.offhook.sip;

import java.nio.charset.StandardCharsets;

/** The methods of the IANA registry for SIP. Method names are case-sensitive (RFC 3261, 7.1). */
public enum SipMethod {
    /** A method of RFC 3261. */
    INVITE,
    /** A method of RFC 3261. */
    ACK,
    /** A method of RFC 3261. */
    BYE,
    /** A method of RFC 3261. */
    CANCEL,
    /** A method of RFC 3261. */
    REGISTER,
    /** A method of RFC 3261. */
    OPTIONS,
    /** RFC 3262. */
    PRACK,
    /** RFC 6665. */
    SUBSCRIBE,
    /** RFC 6665. */
    NOTIFY,
    /** RFC 3903. */
    PUBLISH,
    /** RFC 6086. */
    INFO,
    /** RFC 3515. */
    REFER,
    /** RFC 3428. */
    MESSAGE,
    /** RFC 3311. */
    UPDATE,
    /** Any other token; the message has its text. */
    OTHER;

    private static final SipMethod[] VALUES = values();

    @SuppressWarnings("ImmutableEnumChecker") // never written, and not handed out
    private final byte[] octets = name().getBytes(StandardCharsets.US_ASCII);

    /** The method that a text names, {@link #OTHER} where none is. */
    public static SipMethod of(String text) {
        for (SipMethod method : VALUES) {
            if (method != OTHER && method.name().equals(text)) {
                return method;
            }
        }
        return OTHER;
    }

    /** The method that the bytes name. */
    static SipMethod read(byte[] text, int from, int end) {
        int length = end - from;
        if (length < 3 || length > 9) {
            return OTHER;
        }
        int first = text[from];
        for (SipMethod method : VALUES) {
            if (method.octets[0] == first && method.octets.length == length && method.matches(text, from)) {
                return method;
            }
        }
        return OTHER;
    }

    private boolean matches(byte[] text, int from) {
        if (this == OTHER) {
            return false;
        }
        for (int i = 1; i < octets.length; i++) {
            if (text[from + i] != octets[i]) {
                return false;
            }
        }
        return true;
    }
}
