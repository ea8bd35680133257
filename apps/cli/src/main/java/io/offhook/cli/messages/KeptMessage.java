package io.offhook.cli.messages;

import io.offhook.calls.event.SipListener.Copy;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import io.offhook.sip.SipTransport;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An owned copy of a SIP message. Texts are as captured and must be masked for display. Absent text is "", absent numbers
 * are -1.
 *
 * @param frameNumber the packet that completes the message
 * @param timestampNs the time of that packet, nanoseconds since the epoch
 * @param source the sender
 * @param destination the receiver
 * @param transport the transport protocol
 * @param copy whether the message repeats an earlier one
 * @param method the method of a request; "" in a response
 * @param statusCode the status of a response; -1 in a request
 * @param reasonPhrase the reason phrase of a response
 * @param requestUri the URI of a request
 * @param cseqNumber the sequence number of CSeq, 0 to 2^32 - 1
 * @param cseqMethod the method of CSeq
 * @param callId Call-ID
 * @param from user part of From
 * @param to user part of To
 * @param fromUri URI of From
 * @param toUri URI of To
 * @param userAgent User-Agent, else Server
 * @param reason the Reason header
 * @param contentType the type of the body, in lower case, without parameters
 * @param bytes the whole message as captured, from its start line to the end of its body
 * @param bodyLength the number of bytes at the end that are the body
 * @param sdpText the session description; null if there is none
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record KeptMessage(
        long frameNumber,
        long timestampNs,
        Endpoint source,
        Endpoint destination,
        SipTransport transport,
        Copy copy,
        String method,
        int statusCode,
        String reasonPhrase,
        String requestUri,
        long cseqNumber,
        String cseqMethod,
        String callId,
        String from,
        String to,
        String fromUri,
        String toUri,
        String userAgent,
        String reason,
        String contentType,
        byte[] bytes,
        int bodyLength,
        @Nullable String sdpText) {

    /** Copies a message that a listener received; {@code part} is reused to read the body. */
    public static KeptMessage of(SipMessageView message, SipPacket packet, Copy copy, SipMultipart part) {
        String userAgent = message.userAgent();
        return new KeptMessage(
                packet.frameNumber(),
                packet.timestampNs(),
                packet.source(),
                packet.destination(),
                packet.transport(),
                copy,
                message.isRequest() ? message.methodText() : "",
                message.statusCode(),
                message.reasonPhrase(),
                message.requestUri(),
                message.cseqNumber(),
                message.cseqMethodText(),
                message.callId(),
                message.fromUser(),
                message.toUser(),
                message.fromUri(),
                message.toUri(),
                userAgent.isEmpty() ? message.text(SipHeader.SERVER) : userAgent,
                message.reason(),
                message.contentType(),
                Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length()),
                message.bodyLength(),
                message.findSdp(part)
                        ? new String(message.octets(), part.offset(), part.length(), StandardCharsets.UTF_8)
                        : null);
    }

    public boolean isRequest() {
        return statusCode < 0;
    }

    /** "INVITE", or "180 Ringing". */
    String label() {
        return isRequest()
                ? method
                : reasonPhrase.isEmpty() ? Integer.toString(statusCode) : statusCode + " " + reasonPhrase;
    }

    /** "1 INVITE"; "" if the message has no CSeq. */
    String cseq() {
        return cseqNumber < 0 ? cseqMethod : cseqNumber + " " + cseqMethod;
    }

    /** The parsed session description; null if there is none. */
    public @Nullable SessionDescription sdp() {
        String text = sdpText;
        return text == null ? null : SessionDescription.parse(text);
    }

    /** The body as text; "" if there is none. */
    public String bodyText() {
        return new String(bytes, bytes.length - bodyLength, bodyLength, StandardCharsets.UTF_8);
    }

    /** "first", "retransmission" or "mirrored", as in JSON. */
    String copyLabel() {
        return copy.name().toLowerCase(Locale.ROOT);
    }
}
