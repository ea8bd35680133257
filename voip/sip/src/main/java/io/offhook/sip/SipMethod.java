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
    /** The method of RFC 3262. */
    PRACK,
    /** The method of RFC 6665. */
    SUBSCRIBE,
    /** The method of RFC 6665. */
    NOTIFY,
    /** The method of RFC 3903. */
    PUBLISH,
    /** The method of RFC 6086. */
    INFO,
    /** The method of RFC 3515. */
    REFER,
    /** The method of RFC 3428. */
    MESSAGE,
    /** The method of RFC 3311. */
    UPDATE,
    /** Any other token; {@link SipMessageView#methodText} has its text. */
    OTHER;

    private static final SipMethod[] VALUES = values();

    @SuppressWarnings("ImmutableEnumChecker") // not written after construction, and not exposed
    private final byte[] octets = name().getBytes(StandardCharsets.US_ASCII);

    /** The method of this name; {@link #OTHER} if it is unknown. */
    public static SipMethod of(String text) {
        for (SipMethod method : VALUES) {
            if (method != OTHER && method.name().equals(text)) {
                return method;
            }
        }
        return OTHER;
    }

    /** The method of this name, given as bytes. */
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
