package io.offhook.rtp;

import static io.offhook.packet.NetworkOrder.bits64;
import static io.offhook.packet.NetworkOrder.u16;
import static io.offhook.packet.NetworkOrder.u32;
import static io.offhook.packet.NetworkOrder.u8;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/**
 * An RTP packet (RFC 3550, 5.1), read in place.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |V=2|P|X|  CC   |M|     PT      |       sequence number         |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                           timestamp                           |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |           synchronization source (SSRC) identifier            |
 * +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
 * |            contributing source (CSRC) identifiers             |
 * |                             ....                              |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |   (X) defined by profile      |  length in 32-bit words       |
 * +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * |                        header extension                       |
 * </pre>
 *
 * <p>The payload is what lies behind CSRCs and extension and before the padding. A packet that the snap length cut
 * keeps its header and tells both lengths: {@link #payloadLength()} on the wire, {@link #payloadCapturedLength()} here.
 * Of an encrypted packet (SRTP, RFC 3711) the header reads alike; its payload length includes the authentication tag.
 *
 * <p>Reused and single-threaded; valid while the bytes are.
 */
public final class RtpView {
    /** The length of the fixed header, in octets. */
    public static final int MIN_LENGTH = 12;

    private static final int VERSION_2 = 0x80;
    private static final int VERSION_MASK = 0xc0;
    private static final int PADDING = 0x20;
    private static final int EXTENSION = 0x10;
    private static final int CSRC_COUNT = 0x0f;
    private static final int OPTIONAL_PARTS = PADDING | EXTENSION | CSRC_COUNT;
    private static final int EXTENSION_HEADER = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int csrcCount;
    private int extensionLength;
    private int headerLength;
    private int paddingLength;
    private int payloadLength;

    /** Creates a view without a packet. */
    public RtpView() {}

    /**
     * Whether bytes may be RTP, judged by content only: version 2; the header with CSRCs and extension within the
     * length; padding that fits; and a payload type outside 64 to 95, which RTP leaves to RTCP (RFC 5761, 4). Encrypted
     * RTP passes as well.
     *
     * <p>This is a weak test: nearly one in five random payloads passes. Without further knowledge, require several
     * packets of one SSRC with advancing sequence numbers.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the UDP payload
     * @param length octets of the UDP payload, which must be captured completely
     */
    public static boolean isPlausible(MemorySegment segment, long offset, int length) {
        return isPlausible(segment, offset, length, length);
    }

    /**
     * As {@link #isPlausible(MemorySegment, long, int)}, for a payload that may have been snapped.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the UDP payload
     * @param length captured octets
     * @param wireLength octets sent, {@code length} or more
     */
    public static boolean isPlausible(MemorySegment segment, long offset, int length, int wireLength) {
        if (length < MIN_LENGTH) {
            return false;
        }
        int start = u16(segment, offset);
        if ((start & VERSION_MASK << 8) != VERSION_2 << 8 || PayloadType.isReservedForRtcp(start & 0x7f)) {
            return false;
        }
        // no padding, no extension, no CSRC: the packets of nearly every call
        return (start & OPTIONAL_PARTS << 8) == 0 || optionalPartsFit(segment, offset, length, wireLength);
    }

    private static boolean optionalPartsFit(MemorySegment segment, long offset, int length, int wireLength) {
        int first = u8(segment, offset);
        int header = MIN_LENGTH + 4 * (first & CSRC_COUNT);
        if ((first & EXTENSION) != 0) {
            if (header + EXTENSION_HEADER > length) {
                return false;
            }
            header += EXTENSION_HEADER + 4 * u16(segment, offset + header + 2);
        }
        if (header > wireLength) {
            return false;
        }
        if ((first & PADDING) == 0 || length < wireLength) {
            return true;
        }
        int padding = header < length ? u8(segment, offset + length - 1) : 0;
        return padding > 0 && header + padding <= length;
    }

    /** As {@link #wrap(MemorySegment, long, int, int)}, for a payload that was captured completely. */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, length);
    }

    /**
     * Wraps a UDP payload as RTP.
     *
     * @param segment native memory with the payload
     * @param offset the first octet of the payload
     * @param length captured octets
     * @param wireLength octets sent, {@code length} or more
     * @return TRUNCATED if the fixed header, CSRCs or extension are not captured completely; MALFORMED if they or the
     *     padding do not fit into what was sent; UNSUPPORTED for another version
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length, int wireLength) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int first = u8(segment, offset);
        if ((first & VERSION_MASK) != VERSION_2) {
            return WrapStatus.UNSUPPORTED;
        }
        int csrcs = first & CSRC_COUNT;
        int header = MIN_LENGTH + 4 * csrcs;
        int extension = 0;
        if ((first & EXTENSION) != 0) {
            if (header + EXTENSION_HEADER > length) {
                return header + EXTENSION_HEADER > wireLength ? WrapStatus.MALFORMED : WrapStatus.TRUNCATED;
            }
            extension = EXTENSION_HEADER + 4 * u16(segment, offset + header + 2);
            header += extension;
        }
        if (header > length) {
            return header > wireLength ? WrapStatus.MALFORMED : WrapStatus.TRUNCATED;
        }
        int padding = 0;
        // the amount of padding is unknown if the end of the packet was not captured
        if ((first & PADDING) != 0 && length == wireLength) {
            padding = header < length ? u8(segment, offset + length - 1) : 0;
            if (padding == 0 || header + padding > length) {
                return WrapStatus.MALFORMED;
            }
        }
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        csrcCount = csrcs;
        extensionLength = extension;
        headerLength = header;
        paddingLength = padding;
        payloadLength = wireLength - header - padding;
        return WrapStatus.OK;
    }

    /** The segment that contains the packet. */
    public MemorySegment segment() {
        return segment;
    }

    /** The version, always 2: other versions do not wrap. */
    public int version() {
        return u8(segment, offset) >> 6;
    }

    /** The padding bit. The payload excludes {@link #paddingLength()} octets. */
    public boolean padding() {
        return (u8(segment, offset) & PADDING) != 0;
    }

    /** Octets of padding at the end; 0 without the padding bit, or if the end of the packet was not captured. */
    public int paddingLength() {
        return paddingLength;
    }

    /** The extension bit. */
    public boolean extension() {
        return extensionLength != 0;
    }

    /** The number of contributing sources, 0 to 15. */
    public int csrcCount() {
        return csrcCount;
    }

    /**
     * A contributing source, 32 bits.
     *
     * @param index 0 to {@link #csrcCount()} - 1
     */
    public long csrc(int index) {
        return u32(segment, offset + MIN_LENGTH + 4L * Objects.checkIndex(index, csrcCount));
    }

    /** The marker bit; its meaning depends on the profile. */
    public boolean marker() {
        return (u8(segment, offset + 1) & 0x80) != 0;
    }

    /** The payload type, 0 to 127. */
    public int payloadType() {
        return u8(segment, offset + 1) & 0x7f;
    }

    /** The sequence number, 0 to 65535. */
    public int sequenceNumber() {
        return u16(segment, offset + 2);
    }

    /** The timestamp in ticks of the codec's clock, modulo 2^32. */
    public long timestamp() {
        return u32(segment, offset + 4);
    }

    /** The synchronisation source, 32 bits, unsigned. */
    public long ssrc() {
        return u32(segment, offset + 8);
    }

    /** Octets of the fixed header, CSRCs and extension. */
    public int headerLength() {
        return headerLength;
    }

    /** The 16 bits "defined by profile" of the extension; -1 without an extension. */
    public int extensionProfile() {
        return extensionLength == 0 ? -1 : u16(segment, extensionOffset() - EXTENSION_HEADER);
    }

    /** The start of the extension's content, after its four header octets; defined only with {@link #extension()}. */
    public long extensionOffset() {
        return offset + headerLength - extensionLength + EXTENSION_HEADER;
    }

    /** Octets of the extension's content; 0 without an extension. */
    public int extensionLength() {
        return Math.max(0, extensionLength - EXTENSION_HEADER);
    }

    /** The start of the payload, an offset in the segment. */
    public long payloadOffset() {
        return offset + headerLength;
    }

    /** Octets of payload on the wire, without padding. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Captured octets of payload: as many as on the wire, or fewer if the packet was snapped. */
    public int payloadCapturedLength() {
        return Math.min(payloadLength, length - headerLength);
    }

    /** The first eight octets of the payload, the first one in the highest bits, padded with zeros. */
    public long payloadHead() {
        int available = payloadCapturedLength();
        long start = offset + headerLength;
        if (available >= 8) {
            return bits64(segment, start);
        }
        long head = 0;
        for (int i = 0; i < available; i++) {
            head |= (long) u8(segment, start + i) << 56 - 8 * i;
        }
        return head;
    }

    @Override
    public String toString() {
        return length == 0
                ? "RTP (not wrapped)"
                : String.format(
                        Locale.ROOT,
                        "RTP PT=%d SSRC=0x%08X seq=%d time=%d%s",
                        payloadType(),
                        ssrc(),
                        sequenceNumber(),
                        timestamp(),
                        marker() ? " mark" : "");
    }
}
