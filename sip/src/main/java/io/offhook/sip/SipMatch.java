package io.offhook.sip;

/** How bytes compare with the start line of a SIP message. */
public enum SipMatch {
    /** They are not one. */
    NO,
    /** They end within what may become one. */
    POSSIBLE,
    /** They start with a request line that is whole, or with a status line as far as its status code. */
    YES
}
