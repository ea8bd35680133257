package io.offhook.sip.transaction;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipViaView;
import org.jspecify.annotations.Nullable;

/** What every message must have before a transaction can take it (RFC 3261, 8.1.1, 16.3 step 1 and 18.3). */
final class MessageCheck {
    private MessageCheck() {}

    /** The fault of a message that was wrapped with this status; null, with its topmost Via wrapped, if it has none. */
    static @Nullable MessageFault fault(SipMessageView message, WrapStatus status, SipViaView via) {
        if (status != WrapStatus.OK) {
            return status == WrapStatus.MALFORMED ? MessageFault.NOT_SIP : MessageFault.INCOMPLETE;
        }
        if (message.headerOverflow() > 0) {
            return MessageFault.TOO_MANY_HEADERS;
        }
        if (!message.topVia(via)
                || isNotSingle(message, SipHeader.FROM)
                || isNotSingle(message, SipHeader.TO)
                || isNotSingle(message, SipHeader.CALL_ID)
                || isNotSingle(message, SipHeader.CSEQ)) {
            return MessageFault.HEADER_MISSING;
        }
        if (message.isRequest() && !isWellFormed(via, message.octets())) {
            return MessageFault.VIA_WRONG;
        }
        if (message.cseqNumber() < 0 || message.isRequest() && !isCseqMethodRight(message)) {
            return MessageFault.CSEQ_WRONG;
        }
        return switch (message.contentLengthProblem()) {
            case TOO_LONG -> MessageFault.INCOMPLETE;
            case NEGATIVE, NOT_A_NUMBER, CONTRADICTORY -> MessageFault.LENGTH_WRONG;
            default -> null;
        };
    }

    /** Whether a host is there, and each semicolon is followed by a parameter. */
    private static boolean isWellFormed(SipViaView via, byte[] octets) {
        int end = via.offset() + via.length();
        boolean isQuoted = false;
        boolean needsName = false;
        for (int at = via.sentByEnd(); at < end; at++) {
            int octet = octets[at];
            if (octet == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && octet == ';') {
                if (needsName) {
                    return false;
                }
                needsName = true;
            } else if (octet > ' ') {
                needsName = false;
            }
        }
        return !needsName && via.hostLength() > 0 && via.transportLength() > 0;
    }

    private static boolean isCseqMethodRight(SipMessageView message) {
        SipMethod method = message.method();
        return message.cseqMethod() == method
                && (method != SipMethod.OTHER || message.methodText().equals(message.cseqMethodText()));
    }

    private static boolean isNotSingle(SipMessageView message, SipHeader header) {
        int first = message.find(header, 0);
        return first < 0 || message.valueLength(first) == 0 || message.find(header, first + 1) >= 0;
    }
}
