package io.offhook.sip.transaction;

/** Why a message was not given to a transaction. */
public enum MessageFault {
    /** It is not SIP. */
    NOT_SIP,
    /** It ends before its headers do, or before its body does (RFC 3261, 18.3). */
    INCOMPLETE,
    /** It has more headers than are kept. */
    TOO_MANY_HEADERS,
    /** Via, From, To, Call-ID or CSeq is missing, or occurs twice (RFC 3261, 8.1.1). */
    HEADER_MISSING,
    /** The topmost Via has no host, or a semicolon without a parameter (RFC 3261, 20.42). */
    VIA_WRONG,
    /** The method of CSeq is not that of the request, or its number is not one (RFC 3261, 8.1.1.5). */
    CSEQ_WRONG,
    /** Content-Length is not a number, or two of them differ (RFC 3261, 20.14). */
    LENGTH_WRONG,
    /** It is a message of another version of SIP (RFC 3261, 21.5.6); what was read has 2.0 in its place. */
    VERSION,
    /** As many transactions are open as are allowed, or their messages need as much memory. */
    LIMIT
}
