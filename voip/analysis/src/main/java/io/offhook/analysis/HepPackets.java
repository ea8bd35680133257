package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import io.offhook.packet.application.HepReader;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * Unwraps what capture agents send by HEP: SIP, RTP and RTCP count as if captured where the agent captured them, at its
 * time. Other payloads are counted. Single-threaded.
 */
final class HepPackets {
    private static final int SIP = 1;
    private static final int RTP = 4;
    private static final int RTCP = 5;
    private static final int TCP = 6;
    private static final int SCTP = 132;

    private final HepReader hep = new HepReader();
    private final CarriedPayload payload = new CarriedPayload();

    /**
     * Processes a HEP packet.
     *
     * @param number of the frame that carried it
     * @param timestampNs of that frame, if the packet has no time of its own
     */
    void packet(MemorySegment segment, long offset, int length, long number, long timestampNs, BatchEvents out) {
        if (!hep.read(segment, offset, length)) {
            out.counters.hepMalformed.add(number, timestampNs);
            return;
        }
        long takenNs = hep.timestampNs() == 0 ? timestampNs : hep.timestampNs();
        PacketContext context = new PacketContext(takenNs, number, hep.source(), hep.destination());
        if (!hep.isCompressed() && isUsed(context, segment, out)) {
            return;
        }
        out.counters.hepOther.add(number, timestampNs);
    }

    private boolean isUsed(PacketContext context, MemorySegment segment, BatchEvents out) {
        long offset = hep.payloadOffset();
        int length = hep.payloadLength();
        return switch (hep.payloadType()) {
            case SIP -> payload.addSip(segment, offset, length, transport(hep.protocol()), context, out);
            case RTP, RTCP -> {
                Payload found = payload.add(segment, offset, length, length, context, out);
                yield found == Payload.RTP || found == Payload.RTCP;
            }
            default -> false;
        };
    }

    private static SipTransport transport(int protocol) {
        return switch (protocol) {
            case TCP -> SipTransport.TCP;
            case SCTP -> SipTransport.SCTP;
            default -> SipTransport.UDP;
        };
    }
}
