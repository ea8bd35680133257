package io.offhook.calls.event;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SIP messages of which the capture has no Call-ID, or no CSeq behind it, because the snap length cut it off. They wait to
 * be compared with the messages of all shards before them: the transaction of their branch may name the dialog (RFC 3261,
 * 17.1.3), and says what a response is for.
 */
public final class CutMessages {
    /** The most that wait. */
    public static final int LIMIT = 4096;

    private static final int LONGEST_PART = 512;

    private static final Pattern CALL_ID = Pattern.compile("(?i:call-id|i)[ \\t]*:[ \\t]*([\\x21-\\x7e]*)[ \\t]*");

    private List<Waiting> waiting = new ArrayList<>(0);

    /**
     * A message that waits.
     *
     * @param packet the message; its bytes were copied
     * @param branch hash of the branch of its top Via, not 0
     * @param hopBefore hash of the branch of the Via below: that of the request before a proxy passed it on; 0 if there
     *     is none
     * @param fromTag hash of its From tag, not 0
     * @param toTag hash of its To tag; 0 if it has none, or it was cut off
     * @param method of the request; not that of a response, which is in the part that was cut off
     * @param status of the response; 0 for a request
     * @param callId its Call-ID, if that is whole; "" if it was cut off
     * @param part what was captured of a Call-ID that was cut off; "" if nothing was
     */
    public record Waiting(
            SipPacket packet,
            long branch,
            long hopBefore,
            long fromTag,
            long toTag,
            SipMethod method,
            int status,
            String callId,
            String part) {

        /**
         * The message with the lines that its transaction determines, behind those that were captured.
         *
         * @param id the Call-ID of the request with its branch, where its own was cut off
         * @param cseq number of that request
         * @param of method of the request, or of the one that it responds to
         */
        public SipPacket completed(String id, long cseq, SipMethod of) {
            String captured = new String(octets(packet, packet.offset(), packet.length()), StandardCharsets.ISO_8859_1);
            String callIdLine = callId.isEmpty() ? "\r\nCall-ID: " + id : "";
            String text = captured.stripTrailing() + callIdLine + "\r\nCSeq: " + cseq + ' ' + of + "\r\n";
            byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
            return with(packet, SipMessageView.callIdHash(octets, 0, octets.length), octets);
        }
    }

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
        byte[] octets = octets(packet, packet.offset(), packet.length());
        waiting.add(new Waiting(
                with(packet, packet.callIdHash(), octets),
                branch,
                message.secondViaBranchHash(),
                fromTag,
                message.toTagHash(),
                message.method(),
                message.isRequest() ? 0 : message.statusCode(),
                message.callId(),
                part(packet)));
        return true;
    }

    /** What was captured of the Call-ID, if that is in the line that was cut. */
    private static String part(SipPacket packet) {
        int length = Math.min(packet.cutLength(), LONGEST_PART);
        byte[] octets = octets(packet, packet.offset() + packet.length(), length);
        Matcher callId = CALL_ID.matcher(new String(octets, StandardCharsets.ISO_8859_1));
        return callId.matches() ? callId.group(1) : "";
    }

    private static byte[] octets(SipPacket packet, long offset, int length) {
        byte[] octets = new byte[length];
        MemorySegment.copy(packet.segment(), ValueLayout.JAVA_BYTE, offset, octets, 0, length);
        return octets;
    }

    private static SipPacket with(SipPacket packet, long callIdHash, byte[] octets) {
        MemorySegment segment = Arena.ofAuto().allocate(octets.length);
        MemorySegment.copy(octets, 0, segment, ValueLayout.JAVA_BYTE, 0, octets.length);
        return new SipPacket(
                callIdHash, packet.context(), packet.transport(), packet.ipIdentification(), segment, 0, octets.length);
    }

    /** Whether none waits. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes all, in the order of the capture. */
    public List<Waiting> drain() {
        List<Waiting> all = waiting;
        waiting = new ArrayList<>(0);
        return all;
    }
}
