package io.offhook.cli;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;

/** A line about a SIP message: its start line, of a response what it answers, and whether it describes media. */
final class PrintSip {
    private final SipMessageView message = new SipMessageView();
    private final SipMultipart part = new SipMultipart();
    private final SipText text = new SipText();

    /** Whether a payload begins like a message. Then {@link #describe} is about it, until the next question. */
    boolean isMessageStart(MemorySegment segment, long offset, int length) {
        return SipRecognizer.isMessageStart(segment, offset, length, text);
    }

    /** Whether a payload only keeps a connection open. */
    boolean isKeepAlive(MemorySegment segment, long offset, int length) {
        text.copy(segment, offset, length);
        return SipRecognizer.isKeepAlive(text.octets(), 0, text.length());
    }

    /** Appends a summary of bytes that begin like a message. */
    String describe(StringBuilder to) {
        message.wrap(text.octets(), 0, text.length());
        PrintText.append(to, message.startLine());
        if (!message.isRequest()) {
            SipMethod method = message.cseqMethod();
            PrintText.append(to.append(" ("), method == SipMethod.OTHER ? message.cseqMethodText() : method.name());
            to.append(')');
        }
        if (message.findSdp(part)) {
            to.append(", SDP");
        }
        if (!message.isHeaderComplete()) {
            to.append(", goes on in another packet");
        }
        return "SIP";
    }
}
