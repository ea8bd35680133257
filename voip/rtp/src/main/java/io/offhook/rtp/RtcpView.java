package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.bits64;
import static io.offhook.packet.NetworkOrder.u16;
import static io.offhook.packet.NetworkOrder.u24;
import static io.offhook.packet.NetworkOrder.u32;
import static io.offhook.packet.NetworkOrder.u8;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One packet of an RTCP compound (RFC 3550, 6; RFC 4585, 6; RFC 3611, 2), read in place.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |V=2|P|  count  |  packet type  |   length in words, less one   |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                SSRC of sender (not SDES and BYE)              |
 * +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
 *   sender info of an SR:
 * |   NTP timestamp: seconds since 1900, then 32 bits of fraction |
 * |                                                               |
 * |                         RTP timestamp                         |
 * |                     sender's packet count                     |
 * |                      sender's octet count                     |
 * +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
 *   report block of an SR or RR, count times:
 * |                 SSRC of the source reported on                |
 * | fraction lost |       cumulative number of packets lost       |
 * |           extended highest sequence number received           |
 * |                      interarrival jitter                      |
 * |                         last SR (LSR)                         |
 * |                   delay since last SR (DLSR)                  |
 * +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
 * </pre>
 *
 * <p>SDES items are read by {@link SdesReader}, blocks of an XR by {@link XrReader}. Reused and single-threaded; valid
 * while the bytes are. Accessors of one packet type are in bounds on packets of that type only.
 */
public final class RtcpView {
    /** Sender report, SR (RFC 3550, 6.4.1). */
    public static final int SENDER_REPORT = 200;
    /** Receiver report, RR (RFC 3550, 6.4.2). */
    public static final int RECEIVER_REPORT = 201;
    /** Source description, SDES (RFC 3550, 6.5). */
    public static final int SOURCE_DESCRIPTION = 202;
    /** Goodbye, BYE (RFC 3550, 6.6). */
    public static final int BYE = 203;
    /** Application-defined, APP (RFC 3550, 6.7). */
    public static final int APPLICATION = 204;
    /** Transport layer feedback, RTPFB (RFC 4585, 6.2). */
    public static final int TRANSPORT_FEEDBACK = 205;
    /** Payload-specific feedback, PSFB (RFC 4585, 6.3). */
    public static final int PAYLOAD_FEEDBACK = 206;
    /** Extended report, XR (RFC 3611, 2). */
    public static final int EXTENDED_REPORT = 207;

    static final int HEADER_LENGTH = 4;
    private static final int SENDER_INFO = 20;
    private static final int REPORT_BLOCK = 24;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int packetLength;
    private int bodyEnd;
    private int packetType;
    private int count;

    /** Creates a view without a packet. */
    public RtcpView() {}

    /**
     * Wraps the packet at an offset; more packets may follow it.
     *
     * @param segment native memory with the packet
     * @param offset the first octet of the packet
     * @param length octets from there to the end of the captured bytes
     * @return TRUNCATED if the packet extends beyond the length; MALFORMED if the count or the padding does not fit
     *     into the packet; UNSUPPORTED for another version or a type outside 192 to 223
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < HEADER_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = u8(segment, offset);
        int type = u8(segment, offset + 1);
        if (first >> 6 != 2 || type < 192 || type > 223) {
            return WrapStatus.UNSUPPORTED;
        }
        int whole = HEADER_LENGTH + 4 * u16(segment, offset + 2);
        if (whole > length) {
            return WrapStatus.TRUNCATED;
        }
        int padding = 0;
        if ((first & 0x20) != 0) {
            padding = u8(segment, offset + whole - 1);
            if (padding == 0 || padding > whole - HEADER_LENGTH) {
                return WrapStatus.MALFORMED;
            }
        }
        if (whole - padding < minimumLength(type, first & 0x1f)) {
            return WrapStatus.MALFORMED;
        }
        this.segment = segment;
        this.offset = offset;
        packetLength = whole;
        bodyEnd = whole - padding;
        packetType = type;
        count = first & 0x1f;
        return WrapStatus.OK;
    }

    /** The least octets of a packet of this type and count, header included. */
    static int minimumLength(int packetType, int count) {
        return switch (packetType) {
            case SENDER_REPORT -> 8 + SENDER_INFO + REPORT_BLOCK * count;
            case RECEIVER_REPORT -> 8 + REPORT_BLOCK * count;
            case BYE -> HEADER_LENGTH + 4 * count;
            case APPLICATION, TRANSPORT_FEEDBACK, PAYLOAD_FEEDBACK -> 12;
            case EXTENDED_REPORT -> 8;
            default -> HEADER_LENGTH;
        };
    }

    MemorySegment segment() {
        return segment;
    }

    /** The start of the body, after the four octets of the header. */
    long bodyOffset() {
        return offset + HEADER_LENGTH;
    }

    /** The end of the body, without padding. */
    long bodyEnd() {
        return offset + bodyEnd;
    }

    /** The packet type, 192 to 223. */
    public int packetType() {
        return packetType;
    }

    /** The name of the packet type in the RFCs: SR, RR, SDES, BYE, APP, RTPFB, PSFB, XR; otherwise its number. */
    public String packetTypeName() {
        return switch (packetType) {
            case SENDER_REPORT -> "SR";
            case RECEIVER_REPORT -> "RR";
            case SOURCE_DESCRIPTION -> "SDES";
            case BYE -> "BYE";
            case APPLICATION -> "APP";
            case TRANSPORT_FEEDBACK -> "RTPFB";
            case PAYLOAD_FEEDBACK -> "PSFB";
            case EXTENDED_REPORT -> "XR";
            default -> Integer.toString(packetType);
        };
    }

    /** The number of report blocks, SDES chunks or BYE sources; the subtype of APP, the format of feedback. 0 to 31. */
    public int count() {
        return count;
    }

    /** Octets of the packet, header and padding included. */
    public int packetLength() {
        return packetLength;
    }

    /** The SSRC of the sender; 0 for SDES and BYE. */
    public long senderSsrc() {
        return packetType == SOURCE_DESCRIPTION || packetType == BYE || bodyEnd < 8 ? 0 : u32(segment, offset + 4);
    }

    /** Of an SR: the wallclock time of sending, seconds since 1900 in the upper half, 1/2^32 seconds in the lower. */
    public long ntpTimestamp() {
        return packetType == SENDER_REPORT ? bits64(segment, offset + 8) : 0;
    }

    /** Of an SR: the middle 32 bits of the NTP timestamp, which report blocks echo as LSR. */
    public long ntpMiddle() {
        return ntpTimestamp() >>> 16 & 0xffff_ffffL;
    }

    /** Of an SR: the same moment in units of the sender's RTP timestamps. */
    public long rtpTimestamp() {
        return ofSender(16);
    }

    /** Of an SR: RTP packets sent so far. */
    public long packetCount() {
        return ofSender(20);
    }

    /** Of an SR: octets of payload sent so far. */
    public long octetCount() {
        return ofSender(24);
    }

    private long ofSender(int place) {
        return packetType == SENDER_REPORT ? u32(segment, offset + place) : 0;
    }

    /** The number of report blocks of an SR or RR; 0 for other types. */
    public int reportCount() {
        return packetType == SENDER_REPORT || packetType == RECEIVER_REPORT ? count : 0;
    }

    private long report(int index) {
        int start = packetType == SENDER_REPORT ? 8 + SENDER_INFO : 8;
        return offset + start + (long) REPORT_BLOCK * Objects.checkIndex(index, reportCount());
    }

    /** Of report block {@code index}: the SSRC of the stream. */
    public long reportSsrc(int index) {
        return u32(segment, report(index));
    }

    /** Of report block {@code index}: packets lost since the last report, in 1/256 of those expected; 0 to 255. */
    public int fractionLost(int index) {
        return u8(segment, report(index) + 4);
    }

    /** Of report block {@code index}: packets lost so far, -2^23 to 2^23 - 1; duplicates count as received. */
    public int cumulativeLost(int index) {
        return u24(segment, report(index) + 5) << 8 >> 8;
    }

    /** Of report block {@code index}: cycles in the upper 16 bits, the highest sequence number in the lower. */
    public long highestSequenceNumber(int index) {
        return u32(segment, report(index) + 8);
    }

    /** Of report block {@code index}: interarrival jitter in ticks of the stream's clock. */
    public long jitter(int index) {
        return u32(segment, report(index) + 12);
    }

    /** Of report block {@code index}: {@link #ntpMiddle()} of the last SR that reached the reporter; 0 for none. */
    public long lastSenderReport(int index) {
        return u32(segment, report(index) + 16);
    }

    /** Of report block {@code index}: the time between that SR and this report, in 1/65536 s. */
    public long delaySinceLastSenderReport(int index) {
        return u32(segment, report(index) + 20);
    }

    /** Of a BYE: the leaving source {@code index}, of {@link #count()}. */
    public long byeSource(int index) {
        return u32(segment, offset + HEADER_LENGTH + 4L * Objects.checkIndex(index, packetType == BYE ? count : 0));
    }

    /** Of a BYE: the reason; empty if there is none, or if it does not fit. Allocates. */
    public String byeReason() {
        long start = offset + HEADER_LENGTH + 4L * count;
        if (packetType != BYE || start >= bodyEnd()) {
            return "";
        }
        int length = u8(segment, start);
        return length > bodyEnd() - start - 1 ? "" : text(segment, start + 1, length);
    }

    /** Of an APP: the four-letter name; otherwise empty. Allocates. */
    public String applicationName() {
        return packetType == APPLICATION ? text(segment, offset + 8, 4) : "";
    }

    /** Of RTPFB and PSFB: the SSRC of the stream that the feedback concerns. */
    public long mediaSsrc() {
        return packetType == TRANSPORT_FEEDBACK || packetType == PAYLOAD_FEEDBACK ? u32(segment, offset + 8) : 0;
    }

    /** Of RTPFB and PSFB: the name of the feedback message in the registry; otherwise type and format number. */
    public String feedbackName() {
        return switch (packetType * 32 + count) {
            case TRANSPORT_FEEDBACK * 32 + 1 -> "NACK";
            case TRANSPORT_FEEDBACK * 32 + 3 -> "TMMBR";
            case TRANSPORT_FEEDBACK * 32 + 4 -> "TMMBN";
            case TRANSPORT_FEEDBACK * 32 + 5 -> "RTCP-SR-REQ";
            case TRANSPORT_FEEDBACK * 32 + 8 -> "ECN";
            case TRANSPORT_FEEDBACK * 32 + 11 -> "CCFB";
            case TRANSPORT_FEEDBACK * 32 + 15 -> "TWCC";
            case PAYLOAD_FEEDBACK * 32 + 1 -> "PLI";
            case PAYLOAD_FEEDBACK * 32 + 2 -> "SLI";
            case PAYLOAD_FEEDBACK * 32 + 3 -> "RPSI";
            case PAYLOAD_FEEDBACK * 32 + 4 -> "FIR";
            case PAYLOAD_FEEDBACK * 32 + 5 -> "TSTR";
            case PAYLOAD_FEEDBACK * 32 + 6 -> "TSTN";
            case PAYLOAD_FEEDBACK * 32 + 7 -> "VBCM";
            case PAYLOAD_FEEDBACK * 32 + 15 -> "AFB";
            default -> packetTypeName() + "-" + count;
        };
    }

    /** Decodes UTF-8 text of SDES, BYE and APP (RFC 3550, 6.5); malformed bytes become replacement characters. */
    static String text(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return packetLength == 0 ? "RTCP (not wrapped)" : "RTCP " + packetTypeName() + " count=" + count;
    }
}
