package io.offhook.analysis;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.SctpView;
import java.lang.foreign.MemorySegment;

/** Which SCTP packets may carry SIP: it has no payload protocol identifier of its own, and sends 0 (RFC 4168, 5). */
final class SctpPackets {
    private SctpPackets() {}

    /** Whether a packet, which begins with the common header, has a chunk of data that may be SIP. */
    static boolean mayCarrySip(SctpChunks chunks, MemorySegment segment, long offset, int length) {
        wrap(chunks, segment, offset, length);
        while (chunks.next()) {
            if (mayBeSip(chunks)) {
                return true;
            }
        }
        return false;
    }

    static boolean mayBeSip(SctpChunks chunks) {
        return chunks.isData()
                && chunks.type() == SctpChunks.DATA
                && chunks.dataLength() > 0
                && chunks.payloadProtocol() == 0;
    }

    /** Puts the iterator before the first chunk of a packet. */
    static void wrap(SctpChunks chunks, MemorySegment segment, long offset, int length) {
        chunks.wrap(segment, offset + SctpView.LENGTH, Math.max(0, length - SctpView.LENGTH));
    }

    static long tag(MemorySegment segment, long offset) {
        return NetworkOrder.u32(segment, offset + SctpView.VERIFICATION_TAG);
    }
}
