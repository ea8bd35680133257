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
    /** The method of CSeq is not that of the request, or its number is not one (RFC 3261, 8.1.1.5). */
    CSEQ_WRONG,
    /** As many transactions are open as are allowed, or their messages need as much memory. */
    LIMIT
}
