package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.u16;
import static io.offhook.packet.NetworkOrder.u8;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * Iterates over the packets of an RTCP compound (RFC 3550, 6.1), or of reduced-size RTCP (RFC 5506), which begins with
 * any type.
 *
 * <p>{@link #wrap} validates the whole chain of lengths first. Only the first header of encrypted RTCP (SRTCP, RFC
 * 3711) is in the clear, so its chain breaks, and its content is not mistaken for reports. Reused and single-threaded;
 * valid while the bytes are.
 */
public final class RtcpReader {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int remaining;
    private int packets;

    /** Creates a reader without packets. */
    public RtcpReader() {}

    /**
     * Whether bytes may be RTCP, encrypted or not, judged by content only: version 2, and a first packet of type 200 to
     * 207 that fits and has room for its report blocks. If the first packet is neither SR nor RR (with which all but
     * reduced-size RTCP begins), further packets must fill the payload exactly.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the UDP payload
     * @param length octets of the UDP payload, which must be captured completely
     */
    public static boolean isPlausible(MemorySegment segment, long offset, int length) {
        if (length < RtcpView.HEADER_LENGTH) {
            return false;
        }
        int start = u16(segment, offset);
        int type = start & 0xff;
        if (start >> 14 != 2 || type < RtcpView.SENDER_REPORT || type > RtcpView.EXTENDED_REPORT) {
            return false;
        }
        int first = RtcpView.HEADER_LENGTH + 4 * u16(segment, offset + 2);
        if (first > length || first < RtcpView.minimumLength(type, start >> 8 & 0x1f)) {
            return false;
        }
        return type <= RtcpView.RECEIVER_REPORT || chain(segment, offset, length) > 0;
    }

    /** The number of packets whose lengths add up to the length; 0 if they do not, or if one is not RTCP. */
    private static int chain(MemorySegment segment, long offset, int length) {
        int packets = 0;
        int at = 0;
        while (at < length) {
            if (length - at < RtcpView.HEADER_LENGTH) {
                return 0;
            }
            int first = u8(segment, offset + at);
            int type = u8(segment, offset + at + 1);
            int packet = RtcpView.HEADER_LENGTH + 4 * u16(segment, offset + at + 2);
            boolean last = at + packet == length;
            // only the last packet may be padded (RFC 3550, 6.4.1)
            if (first >> 6 != 2 || type < 192 || type > 223 || packet > length - at || (first & 0x20) != 0 && !last) {
                return 0;
            }
            at += packet;
            packets++;
        }
        return packets;
    }

    /**
     * Wraps a UDP payload as RTCP.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the payload
     * @param length captured octets
     * @param wireLength octets sent, {@code length} or more
     * @return OK if packets fill the payload exactly; TRUNCATED if octets are missing: {@link #next} returns the
     *     packets that are complete; MALFORMED if the lengths do not add up, as with SRTCP: there are no packets
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, int wireLength) {
        this.segment = segment;
        this.offset = offset;
        remaining = length;
        packets = 0;
        if (length < RtcpView.HEADER_LENGTH || length < wireLength) {
            return WrapStatus.TRUNCATED;
        }
        packets = chain(segment, offset, length);
        if (packets == 0) {
            remaining = 0;
            return WrapStatus.MALFORMED;
        }
        return WrapStatus.OK;
    }

    /** As {@link #wrap(MemorySegment, long, int, int)}, for a payload that was captured completely. */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, length);
    }

    /** The number of packets; 0 if it is unknown, in a truncated compound. */
    public int packets() {
        return packets;
    }

    /**
     * Moves to the next packet.
     *
     * @param view wraps the packet
     * @return OK; TRUNCATED at the end, or if the next packet is incomplete; MALFORMED for a packet whose content does
     *     not fit its length: it is skipped, and the next call continues after it; UNSUPPORTED if no RTCP follows
     */
    public WrapStatus next(RtcpView view) {
        if (remaining < RtcpView.HEADER_LENGTH) {
            remaining = 0;
            return WrapStatus.TRUNCATED;
        }
        WrapStatus status = view.wrap(segment, offset, remaining);
        if (status == WrapStatus.TRUNCATED || status == WrapStatus.UNSUPPORTED) {
            remaining = 0;
            return status;
        }
        int packet = RtcpView.HEADER_LENGTH + 4 * u16(segment, offset + 2);
        offset += packet;
        remaining -= packet;
        return status;
    }
}
