package io.offhook.testkit.truth;

import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one RTP stream: the packets of one SSRC from one endpoint to another.
 *
 * @param callId of the call it belongs to; null where no captured signalling tells of it
 * @param ssrc 32 bits
 * @param source as on the wire, which behind NAT is not what the SDP says
 * @param destination as on the wire
 * @param from the party that sent it; null without a call
 * @param codec encoding name of the first packet that is no telephone event and no comfort noise
 * @param payloadType of that packet
 * @param payloadTypes all that occur, in the order of their first packets
 * @param captured packets in the capture, copies too
 * @param expected highest minus lowest extended sequence number captured, plus one
 * @param lost expected minus distinct sequence numbers captured
 * @param duplicates captured minus distinct sequence numbers; mirrored copies too
 * @param mirrored copies that the tap made of a packet, not the network
 * @param reordered packets captured after one with a higher sequence number, copies not counted
 * @param digits keys of the telephone events of which at least one packet was captured
 * @param video whether it carries pictures
 * @param encrypted whether the payload is SRTP
 * @param firstAtNs time of the first packet
 * @param lastAtNs time of the last packet
 */
public record StreamTruth(
        @Nullable String callId,
        long ssrc,
        Endpoint source,
        Endpoint destination,
        @Nullable Party from,
        String codec,
        int payloadType,
        List<Integer> payloadTypes,
        long captured,
        long expected,
        long lost,
        long duplicates,
        long mirrored,
        long reordered,
        String digits,
        boolean video,
        boolean encrypted,
        long firstAtNs,
        long lastAtNs) {

    /** As output writes it: "0x" and eight hexadecimal digits, upper case. */
    public String ssrcText() {
        return String.format(java.util.Locale.ROOT, "0x%08X", ssrc);
    }

    /** Lost of expected, 0 to 1. */
    public double lossFraction() {
        return expected == 0 ? 0 : (double) lost / expected;
    }
}
