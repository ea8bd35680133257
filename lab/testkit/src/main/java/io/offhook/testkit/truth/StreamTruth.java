package io.offhook.testkit.truth;

import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The truth about one RTP stream: the packets of one SSRC from one endpoint to another.
 *
 * @param callId the Call-ID of its call; null if no captured signalling announces it
 * @param ssrc 32 bits
 * @param source as on the wire; behind NAT this differs from the SDP
 * @param destination as on the wire
 * @param from the party that sent it; null without a call
 * @param codec the encoding name of the first packet that is neither a telephone event nor comfort noise
 * @param payloadType the payload type of that packet
 * @param payloadTypes all payload types, in the order of their first packets
 * @param captured the packets in the capture, including copies
 * @param expected highest minus lowest extended sequence number captured, plus one
 * @param lost expected minus distinct sequence numbers captured
 * @param duplicates captured minus distinct sequence numbers, including mirrored copies
 * @param mirrored copies made by the tap, not by the network
 * @param reordered packets captured after one with a higher sequence number, without copies
 * @param digits the keys of telephone events with at least one captured packet
 * @param audioDigits the keys in its audio (in-band DTMF) with at least one captured packet
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
        String audioDigits,
        boolean video,
        boolean encrypted,
        long firstAtNs,
        long lastAtNs) {

    /** The SSRC as in the output: "0x" and eight upper-case hexadecimal digits. */
    public String ssrcText() {
        return String.format(java.util.Locale.ROOT, "0x%08X", ssrc);
    }

    /** The share of expected packets that were lost, 0 to 1. */
    public double lossFraction() {
        return expected == 0 ? 0 : (double) lost / expected;
    }
}
