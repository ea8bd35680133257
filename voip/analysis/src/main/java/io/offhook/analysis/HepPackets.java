package io.offhook.analysis;

import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.PacketContext;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.application.HepReader;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Unwraps what capture agents send by HEP: SIP, RTP and RTCP count as if captured where the agent captured them, at its
 * time; of media, the agent's correlation id names the call. Compressed payloads and those that are text need {@link
 * HepDocuments}; other payloads are counted. Single-threaded.
 */
final class HepPackets {
    private static final int SIP = 1;
    private static final int RTP = 4;
    private static final int RTCP = 5;
    private static final int RTP_REPORT = 34;
    private static final int SHORT_RTP_REPORT = 35;
    private static final int CONTROLLER_REPORT = 38;
    private static final int TCP = 6;
    private static final int SCTP = 132;

    private final HepReader hep = new HepReader();
    private final CarriedPayload payload = new CarriedPayload();
    private final @Nullable HepDocuments documents;

    /** Creates an instance that leaves what needs memory to one that has it. */
    HepPackets() {
        documents = null;
    }

    /** @param documents reads what is compressed or text */
    HepPackets(HepDocuments documents) {
        this.documents = documents;
    }

    /**
     * Processes a HEP packet.
     *
     * @param number of the frame that carried it
     * @param timestampNs of that frame, if the packet has no time of its own
     * @return false if it needs memory, which this instance has not; nothing was done then
     */
    boolean packet(MemorySegment segment, long offset, int length, long number, long timestampNs, BatchEvents out) {
        if (!hep.read(segment, offset, length)) {
            (hep.isKeepAlive() ? out.counters.hepKeepAlives : out.counters.hepMalformed).add(number, timestampNs);
            return true;
        }
        boolean isText = isText(segment);
        if ((hep.isCompressed() || isText) && documents == null) {
            return false;
        }
        long takenNs = hep.timestampNs() == 0 ? timestampNs : hep.timestampNs();
        PacketContext context = new PacketContext(takenNs, number, hep.source(), hep.destination()).byAgent();
        MemorySegment of = segment;
        long at = hep.payloadOffset();
        int bytes = hep.payloadLength();
        if (documents != null && hep.isCompressed()) {
            bytes = documents.inflate(segment, at, bytes);
            if (bytes < 0) {
                out.counters.hepInflateFailed.add(number, timestampNs);
                return true;
            }
            of = documents.segment();
            at = documents.offset();
            isText = isText(of, at, bytes);
        }
        if (!(isText ? isRead(of, at, bytes, context, out) : isUsed(of, at, bytes, context, out))) {
            out.counters.hepOther.add(number, timestampNs);
        }
        return true;
    }

    private boolean isText(MemorySegment segment) {
        return isText(segment, hep.payloadOffset(), hep.payloadLength());
    }

    /** Whether the payload is a report as text: RTCP in the form of JSON, or what somebody measured. */
    private boolean isText(MemorySegment segment, long offset, int length) {
        return switch (hep.payloadType()) {
            case RTCP -> length > 0 && NetworkOrder.u8(segment, offset) >>> 6 != 2; // no version of RTCP
            case RTP_REPORT, SHORT_RTP_REPORT, CONTROLLER_REPORT -> true;
            default -> false;
        };
    }

    private boolean isUsed(MemorySegment segment, long offset, int length, PacketContext context, BatchEvents out) {
        return switch (hep.payloadType()) {
            case SIP -> payload.addSip(segment, offset, length, transport(hep.protocol()), context, out);
            case RTP, RTCP -> {
                Payload found = payload.add(segment, offset, length, length, context, out);
                boolean isMedia = found == Payload.RTP || found == Payload.RTCP;
                if (isMedia) {
                    assign(context, out);
                }
                yield isMedia;
            }
            default -> false;
        };
    }

    private boolean isRead(MemorySegment segment, long offset, int length, PacketContext context, BatchEvents out) {
        HepDocuments reading = documents;
        if (reading == null) {
            return false;
        }
        if (hep.payloadType() != RTCP) {
            return reading.measured(segment, offset, length, hep.correlationId(), context, out);
        }
        boolean isReport = reading.rtcp(segment, offset, length, context, out);
        if (isReport) {
            assign(context, out);
        }
        return isReport;
    }

    /** Reports once a batch that the agent assigns the media between two endpoints to a call. */
    private void assign(PacketContext context, BatchEvents out) {
        int length = hep.correlationIdLength();
        if (length == 0) {
            return;
        }
        long hash = context.source().hashCode() * 31L + context.destination().hashCode();
        if (out.assigned.isNew(hash)) {
            out.measured.add(new MediaReport(
                    context.timestampNs(),
                    context.frameNumber(),
                    hep.correlationId(),
                    context.source(),
                    context.destination(),
                    -1,
                    MediaReport.Figures.NONE));
        }
    }

    private static SipTransport transport(int protocol) {
        return switch (protocol) {
            case TCP -> SipTransport.TCP;
            case SCTP -> SipTransport.SCTP;
            default -> SipTransport.UDP;
        };
    }
}
