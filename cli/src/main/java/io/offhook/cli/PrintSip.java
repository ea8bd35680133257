package io.offhook.cli;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import java.lang.foreign.MemorySegment;

/** A line about a SIP message: its start line, of a response what it answers, and whether it describes media. */
final class PrintSip {
    private final SipMessageView message = new SipMessageView();
    private final SipMultipart part = new SipMultipart();

    /** Appends a summary of bytes that begin like a message. */
    String describe(MemorySegment segment, long offset, int length, StringBuilder to) {
        message.wrap(segment, offset, length);
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
