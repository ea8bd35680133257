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
 * A SIP message, kept. Texts are as captured: whoever shows them masks them. Absent text is "", absent numbers are -1.
 *
 * @param frameNumber of the packet that completes it
 * @param timestampNs of that packet
 * @param source who sent it
 * @param destination whom it was sent to
 * @param transport what carried it
 * @param copy what it is to those before it
 * @param method of a request, "" in a response
 * @param statusCode of a response, -1 in a request
 * @param reasonPhrase of a response
 * @param requestUri of a request
 * @param cseqNumber 0 to 2^32 - 1
 * @param cseqMethod of the transaction
 * @param callId Call-ID
 * @param from user part of From
 * @param to user part of To
 * @param fromUri URI of From
 * @param toUri URI of To
 * @param userAgent User-Agent, else Server
 * @param reason the Reason header
 * @param contentType of the body, in lower case without parameters
 * @param bytes the whole message as captured, from its start line to the end of its body
 * @param bodyLength how many of them, at the end, are its body
 * @param sdpText its session description; null where it has none
 */
@SuppressWarnings("ArrayRecordComponent")
public // entries are compared by nobody
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

    /** Copies a message as a listener receives it; {@code part} is scratch for reading the body. */
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

    /** "1 INVITE"; "" where the message has no CSeq. */
    String cseq() {
        return cseqNumber < 0 ? cseqMethod : cseqNumber + " " + cseqMethod;
    }

    /** Its session description, parsed; null where it has none. */
    public @Nullable SessionDescription sdp() {
        String text = sdpText;
        return text == null ? null : SessionDescription.parse(text);
    }

    /** The body as text, "" without one. */
    public String bodyText() {
        return new String(bytes, bytes.length - bodyLength, bodyLength, StandardCharsets.UTF_8);
    }

    /** "first", "retransmission" or "mirrored", as JSON has it. */
    String copyLabel() {
        return copy.name().toLowerCase(Locale.ROOT);
    }
}
