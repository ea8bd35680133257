package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads SIP from a datagram of which only the beginning was captured, up to its last complete line: an incomplete line
 * could hold half a Call-ID or the first digits of a port. Single-threaded.
 */
final class SipBeginning {
    private final PacketWalker walker = new PacketWalker();
    private final SipText text = new SipText();
    private final SipMessageView view = new SipMessageView();

    /**
     * Reads the beginning of an IP packet.
     *
     * @param length bytes present
     * @param wireLength bytes of the whole packet
     * @param memory receives a copy of the message
     * @return the message; null if there is no SIP over UDP, or no complete Call-ID
     */
    @Nullable
    SipPacket read(
            MemorySegment segment,
            long offset,
            int length,
            int wireLength,
            long timestampNs,
            long frameNumber,
            RoundMemory memory) {
        walker.walk(segment, offset, length, wireLength, LinkType.RAW);
        int transport = walker.transport();
        if (walker.outermostFragment() >= 0 || transport < 0 || walker.layerType(transport) != LayerType.UDP) {
            return null;
        }
        long start = walker.payloadOffset();
        if (!SipRecognizer.isMessageStart(segment, start, walker.payloadLength(), text)) {
            return null;
        }
        int whole = Recognizer.wholeLines(text);
        if (view.wrap(text.octets(), 0, whole) == WrapStatus.MALFORMED
                || view.callId().isEmpty()) {
            return null;
        }
        memory.copy(segment, start, whole);
        MemorySegment kept = memory.segment(memory.chunk());
        return new SipPacket(
                SipMessageView.callIdHash(text.octets(), 0, whole),
                FrameDecoder.context(walker, timestampNs, frameNumber),
                SipTransport.UDP,
                walker.identification(),
                kept,
                memory.offset(),
                whole);
    }
}
