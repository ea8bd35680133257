package io.offhook.calls.event;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * SIP messages of which the capture has no Call-ID, because the snap length cut it off. They wait until all messages of a
 * round were processed: then the transaction of their branch may name the dialog (RFC 3261, 17.1.3).
 */
public final class CutMessages {
    /** The most that wait. */
    public static final int LIMIT = 4096;

    private List<Waiting> waiting = new ArrayList<>(0);

    /**
     * A message that waits.
     *
     * @param packet the message; its bytes were copied
     * @param branch hash of the branch of its top Via, not 0
     * @param fromTag hash of its From tag, not 0
     * @param method of the request; INVITE for a response, as that is the transaction whose responses matter
     * @param status of the response; 0 for a request
     */
    public record Waiting(SipPacket packet, long branch, long fromTag, String method, int status) {}

    /** Creates an empty list. */
    public CutMessages() {}

    /**
     * Keeps a message.
     *
     * @return false if it names no transaction, or there is no room
     */
    public boolean add(SipMessageView message, SipPacket packet) {
        long branch = message.topViaBranchHash();
        long fromTag = message.fromTagHash();
        if (branch == 0 || fromTag == 0 || waiting.size() == LIMIT) {
            return false;
        }
        byte[] octets = octets(packet);
        String method = message.isRequest() ? message.method().name() : SipMethod.INVITE.name();
        waiting.add(new Waiting(
                with(packet, packet.callIdHash(), octets),
                branch,
                fromTag,
                method,
                message.isRequest() ? 0 : message.statusCode()));
        return true;
    }

    private static byte[] octets(SipPacket packet) {
        byte[] octets = new byte[packet.length()];
        MemorySegment.copy(packet.segment(), ValueLayout.JAVA_BYTE, packet.offset(), octets, 0, octets.length);
        return octets;
    }

    private static SipPacket with(SipPacket packet, long callIdHash, byte[] octets) {
        MemorySegment segment = Arena.ofAuto().allocate(octets.length);
        MemorySegment.copy(octets, 0, segment, ValueLayout.JAVA_BYTE, 0, octets.length);
        return new SipPacket(
                callIdHash, packet.context(), packet.transport(), packet.ipIdentification(), segment, 0, octets.length);
    }

    /** Removes all, in the order of the capture. */
    public List<Waiting> drain() {
        List<Waiting> all = waiting;
        waiting = new ArrayList<>(0);
        return all;
    }

    /**
     * The message with the lines that its transaction determines, behind those that were captured.
     *
     * @param callId of the request with its branch
     * @param cseq number of that request
     * @param method of the request, or of the one that it responds to
     */
    public static SipPacket completed(SipPacket packet, String callId, long cseq, String method) {
        String captured = new String(octets(packet), StandardCharsets.ISO_8859_1);
        String text = captured.stripTrailing() + "\r\nCall-ID: " + callId + "\r\nCSeq: " + cseq + ' ' + method + "\r\n";
        byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
        return with(packet, SipMessageView.callIdHash(octets, 0, octets.length), octets);
    }
}
