package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.u16;
import static io.offhook.packet.NetworkOrder.u8;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * Iterates the packets of an RTCP compound (RFC 3550, 6.1), or of a reduced-size one (RFC 5506), which begins with any
 * type.
 *
 * <p>{@link #wrap} looks at the whole chain of lengths first: encrypted RTCP (SRTCP, RFC 3711) shows the first header
 * only, so its chain breaks, and its contents must not be taken for reports. Reused and single-threaded; valid while
 * the bytes are.
 */
public final class RtcpReader {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int remaining;
    private int packets;

    /** A reader of nothing yet. */
    public RtcpReader() {}

    /**
     * Tells by content alone whether bytes may be RTCP, encrypted or not: version 2, a first packet of type 200 to 207
     * that fits, with as many report blocks as it says; further packets to the very end, if the first is neither SR nor
     * RR (which all but reduced-size RTCP begins with).
     *
     * @param length of the UDP payload, all of it captured
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

    /** The number of packets whose lengths add up to the length; 0 when they do not, or one is no RTCP packet. */
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
            // only the last one may be padded (RFC 3550, 6.4.1)
            if (first >> 6 != 2 || type < 192 || type > 223 || packet > length - at || (first & 0x20) != 0 && !last) {
                return 0;
            }
            at += packet;
            packets++;
        }
        return packets;
    }

    /**
     * Looks at a UDP payload as RTCP.
     *
     * @param segment native
     * @param length octets that are here
     * @param wireLength octets that were sent, {@code length} or more
     * @return OK when packets fill it to the last octet; TRUNCATED when octets are missing: {@link #next} gives the
     *     packets that are here whole; MALFORMED when the lengths do not add up, as they do not with SRTCP: there are
     *     no packets then
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

    /** {@link #wrap(MemorySegment, long, int, int)} of a payload that was captured whole. */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, length);
    }

    /** How many packets there are; 0 where that is not known, in a truncated compound. */
    public int packets() {
        return packets;
    }

    /**
     * Moves on to the next packet.
     *
     * @param view to be wrapped around it
     * @return OK; TRUNCATED at the end, or where the next packet is not here whole; MALFORMED for a packet whose
     *     content does not fit its length: it is skipped, and the next call goes on behind it; UNSUPPORTED where no
     *     RTCP follows
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
