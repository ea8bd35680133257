package io.offhook.sip;

/** The result of matching bytes against the start line of a SIP message. */
public enum SipMatch {
    /** The bytes are not a start line. */
    NO,
    /** The bytes end within a possible start line. */
    POSSIBLE,
    /** The bytes begin with a complete request line, or with a status line up to at least its status code. */
    YES
}
