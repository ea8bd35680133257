package io.offhook.rtp;

import io.offhook.packet.Endpoint;
import java.util.Arrays;

/**
 * RTP packets as rows of numbers, in the order of capture: what a lane hands to stream statistics, so that the frames
 * themselves can be released. One row of eight longs (a cache line) a packet.
 *
 * <pre>
 *  0 hash of the stream's key            4 RTP timestamp (32) | sequence number (16) | marker (1) | payload type (7)
 *  1 arrival, ns since the epoch         5 the first eight payload bytes, as in memory, padded with zeros
 *  2 IPv4: both addresses, as in memory  6 payload length (16) | RTP length (16) | IP identification (16), flags
 *    IPv6: index into the wide addresses 7 frame number
 *  3 source port (16) | destination port (16) | SSRC (32)
 * </pre>
 *
 * <p>Bytes "as in memory" have the first one in the lowest bits: few rows are asked for them, and swapping them in all
 * would cost more than reading them.
 *
 * <p>A row is named by its place: {@link #add} returns the place of a new one, and {@code for
 * (int row = 0; row < rows.end(); row += RtpRows.WIDTH)} visits all. Nothing is allocated once the list has grown.
 * Single-threaded.
 */
public final class RtpRows {
    /** The distance from the place of a row to that of the next. */
    public static final int WIDTH = 8;

    private static final int HASH = 0;
    private static final int ARRIVAL = 1;
    private static final int ADDRESSES = 2;
    private static final int PORTS_SSRC = 3;
    private static final int HEADER = 4;
    private static final int PAYLOAD_HEAD = 5;
    private static final int LENGTHS = 6;
    private static final int FRAME = 7;

    /** In {@link #HEADER}: the marker bit. */
    static final long MARKER = 0x80;

    /** In {@link #LENGTHS}: addresses are IPv6, in the wide list. */
    private static final long WIDE = 1L << 16;

    /** In {@link #LENGTHS}: there is no IP identification. */
    private static final long NO_IDENTIFICATION = 1L << 17;

    /** In {@link #LENGTHS}: another protocol carried the packet. */
    private static final long CARRIED = 1L << 18;

    /** What {@link #ipIdentification} returns for a packet that another protocol carried. */
    static final int IDENTIFICATION_OF_CARRIED = -2;

    private static final long MIX_1 = 0x9e3779b97f4a7c15L;
    private static final long MIX_2 = 0xc2b2ae3d27d4eb4fL;

    /** What an IPv4 address has above it in the second half of an endpoint (RFC 4291, 2.5.5.2). */
    private static final long V4_PREFIX = 0xffffL << 32;

    private long[] rows = new long[0];
    private int end;
    private long[] wide = new long[0];
    private int wideEnd;

    /** An empty list; it takes no memory before the first packet. */
    public RtpRows() {}

    /** Forgets all packets; the memory stays. */
    public void clear() {
        end = 0;
        wideEnd = 0;
    }

    /** Packets that it holds. */
    public int size() {
        return end / WIDTH;
    }

    /** The place behind the last row. */
    public int end() {
        return end;
    }

    /**
     * The addresses of IPv4 packets as in column 2.
     *
     * @param source 32 bits, the first octet highest; higher bits are not looked at
     * @param destination likewise
     */
    public static long addresses(long source, long destination) {
        return (long) Integer.reverseBytes((int) destination) << 32 | Integer.reverseBytes((int) source) & 0xffff_ffffL;
    }

    /** The hash of an IPv4 stream's key: addresses and ports/SSRC as in columns 2 and 3. The same in every run. */
    public static long hash(long addresses, long portsSsrc) {
        long h = addresses * MIX_1 ^ Long.rotateLeft(portsSsrc * MIX_2, 31);
        h = (h ^ h >>> 32) * MIX_1;
        return h ^ h >>> 29;
    }

    /** The hash of an IPv6 stream's key. */
    public static long hash(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, long portsSsrc) {
        return hash(
                hash(sourceHigh, sourceLow) ^ Long.rotateLeft(hash(destinationHigh, destinationLow), 17), portsSsrc);
    }

    /**
     * The hash of the key of a stream between two endpoints.
     *
     * @param ssrc 0 to 2^32 - 1
     */
    public static long hash(Endpoint source, Endpoint destination, long ssrc) {
        long portsSsrc = (long) source.port() << 48 | (long) destination.port() << 32 | ssrc;
        return source.isIpv4() && destination.isIpv4()
                ? hash(addresses(source.low(), destination.low()), portsSsrc)
                : hash(source.high(), source.low(), destination.high(), destination.low(), portsSsrc);
    }

    /**
     * Appends a packet and returns the place of its row; {@link #ipv4} or {@link #ipv6} sets its stream. All columns are
     * set in two calls: one setter a column was 5 % of a run, most of it before the code was compiled well.
     *
     * @param arrivalNs when it was captured, nanoseconds since the epoch
     * @param frame the number of its frame, 1-based
     * @param header RTP timestamp (32) | sequence number (16) | 0 (8) | marker (1) | payload type (7)
     * @param payloadHead the first eight octets of the payload, the first one in the lowest bits, zeros where it is
     *     shorter
     * @param lengths as {@link #lengths} or {@link #lengthsOfIpv6} has them
     */
    public int add(long arrivalNs, long frame, long header, long payloadHead, long lengths) {
        int row = grow();
        long[] r = rows;
        r[row + FRAME] = frame;
        r[row + ARRIVAL] = arrivalNs;
        r[row + HEADER] = header;
        r[row + PAYLOAD_HEAD] = payloadHead;
        r[row + LENGTHS] = lengths;
        return row;
    }

    /**
     * Appends a packet that a view has wrapped. Its stream is not set: {@link RtpStream} does not read it.
     *
     * @param arrivalNs when it was captured, nanoseconds since the epoch
     * @param frame the number of its frame, 1-based
     * @return the place of its row
     */
    public int add(RtpView packet, long arrivalNs, long frame) {
        long header = packet.timestamp() << 32
                | (long) packet.sequenceNumber() << 16
                | (packet.marker() ? MARKER : 0)
                | packet.payloadType();
        int rtpLength = packet.headerLength() + packet.payloadLength() + packet.paddingLength();
        long lengths = (long) packet.payloadLength() << 48 | (rtpLength & 0xffffL) << 32 | NO_IDENTIFICATION;
        return add(arrivalNs, frame, header, Long.reverseBytes(packet.payloadHead()), lengths);
    }

    private int grow() {
        int row = end;
        if (row == rows.length) {
            rows = Arrays.copyOf(rows, Math.max(WIDTH * 16, row * 2));
        }
        end = row + WIDTH;
        return row;
    }

    /**
     * The lengths of a packet over IPv4.
     *
     * @param payloadLength octets on the wire without header and padding, 0 to 65535
     * @param rtpLength octets of the RTP packet on the wire, header included, 0 to 65535
     * @param ipIdentification of the IPv4 header, 0 to 65535
     */
    public static long lengths(int payloadLength, int rtpLength, int ipIdentification) {
        return (long) payloadLength << 48 | (rtpLength & 0xffffL) << 32 | ipIdentification;
    }

    /** The lengths of a packet over IPv6, which has no identification. */
    public static long lengthsOfIpv6(int payloadLength, int rtpLength) {
        return (long) payloadLength << 48 | (rtpLength & 0xffffL) << 32 | WIDE | NO_IDENTIFICATION;
    }

    /**
     * The lengths of a packet over IPv4 that another protocol carried (TURN, HEP): the packet that carried it has the
     * identification. A copy of it that was captured outside that protocol is recognised.
     */
    public static long lengthsOfCarried(int payloadLength, int rtpLength) {
        return (long) payloadLength << 48 | (rtpLength & 0xffffL) << 32 | NO_IDENTIFICATION | CARRIED;
    }

    /** The same lengths for a packet over IPv6. */
    public static long wide(long lengths) {
        return lengths | WIDE;
    }

    /** Appends a row of another list, its addresses included. */
    public void add(RtpRows other, int row) {
        int to = grow();
        System.arraycopy(other.rows, row, rows, to, WIDTH);
        if (other.isIpv6(row)) {
            int at = other.wideAt(row);
            rows[to + ADDRESSES] = addWide(other.wide[at], other.wide[at + 1], other.wide[at + 2], other.wide[at + 3]);
        }
    }

    /** Appends the rows of two lists, each in the order of capture, in the order of capture. */
    public void merge(RtpRows one, RtpRows other) {
        int i = 0;
        for (int j = 0; j < other.end; j += WIDTH) {
            for (; i < one.end && one.frame(i) < other.frame(j); i += WIDTH) {
                add(one, i);
            }
            add(other, j);
        }
        for (; i < one.end; i += WIDTH) {
            add(one, i);
        }
    }

    /**
     * The stream that a packet between IPv4 addresses belongs to.
     *
     * @param hash as {@link #hash(long, long)} has it
     * @param addresses as {@link #addresses(long, long)} has them
     * @param portsSsrc source port (16) | destination port (16) | SSRC (32)
     */
    public void ipv4(int row, long hash, long addresses, long portsSsrc) {
        long[] r = rows;
        r[row + PORTS_SSRC] = portsSsrc;
        r[row + HASH] = hash;
        r[row + ADDRESSES] = addresses;
    }

    /** The stream that a packet between IPv6 addresses belongs to, but for the addresses: {@link #wide} sets these. */
    public void ipv6(int row, long hash, long portsSsrc) {
        rows[row + HASH] = hash;
        rows[row + PORTS_SSRC] = portsSsrc;
    }

    /** The addresses of a packet between IPv6 addresses. */
    public void wide(int row, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        rows[row + ADDRESSES] = addWide(sourceHigh, sourceLow, destinationHigh, destinationLow);
    }

    private int addWide(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        if (wideEnd == wide.length) {
            wide = Arrays.copyOf(wide, Math.max(64, wide.length * 2));
        }
        int at = wideEnd;
        wide[at] = sourceHigh;
        wide[at + 1] = sourceLow;
        wide[at + 2] = destinationHigh;
        wide[at + 3] = destinationLow;
        wideEnd = at + 4;
        return at;
    }

    /** The hash of the stream's key. */
    public long hash(int row) {
        return rows[row + HASH];
    }

    /** When the packet was captured, nanoseconds since the epoch. */
    public long arrivalNs(int row) {
        return rows[row + ARRIVAL];
    }

    /** Whether the packet came over IPv6. */
    public boolean isIpv6(int row) {
        return (rows[row + LENGTHS] & WIDE) != 0;
    }

    /** The IPv4 addresses of the packet, as {@link #addresses(long, long)} has them; means nothing for IPv6. */
    public long addresses(int row) {
        return rows[row + ADDRESSES];
    }

    /** The first 64 bits of the source address, as in {@link io.offhook.packet.Endpoint}. */
    public long sourceHigh(int row) {
        return isIpv6(row) ? wide[wideAt(row)] : 0;
    }

    /** The last 64 bits of the source address. */
    public long sourceLow(int row) {
        return isIpv6(row)
                ? wide[wideAt(row) + 1]
                : V4_PREFIX | Integer.reverseBytes((int) rows[row + ADDRESSES]) & 0xffff_ffffL;
    }

    /** The first 64 bits of the destination address. */
    public long destinationHigh(int row) {
        return isIpv6(row) ? wide[wideAt(row) + 2] : 0;
    }

    /** The last 64 bits of the destination address. */
    public long destinationLow(int row) {
        return isIpv6(row)
                ? wide[wideAt(row) + 3]
                : V4_PREFIX | Integer.reverseBytes((int) (rows[row + ADDRESSES] >>> 32)) & 0xffff_ffffL;
    }

    private int wideAt(int row) {
        return (int) rows[row + ADDRESSES];
    }

    /** Source port (16) | destination port (16) | SSRC (32). */
    public long portsSsrc(int row) {
        return rows[row + PORTS_SSRC];
    }

    /** RTP timestamp (32) | sequence number (16) | 0 (8) | marker (1) | payload type (7). */
    long header(int row) {
        return rows[row + HEADER];
    }

    /** The sequence number, 0 to 65535. */
    public int sequenceNumber(int row) {
        return (int) (rows[row + HEADER] >>> 16) & 0xffff;
    }

    /** The timestamp of RTP, 0 to 2^32 - 1. */
    public long timestamp(int row) {
        return rows[row + HEADER] >>> 32;
    }

    /** The marker bit. */
    public boolean marker(int row) {
        return (rows[row + HEADER] & MARKER) != 0;
    }

    /** The payload type, 0 to 127. */
    public int payloadType(int row) {
        return (int) rows[row + HEADER] & 0x7f;
    }

    /** The first eight octets of the payload, the first one in the highest bits, zeros where it is shorter. */
    public long payloadHead(int row) {
        return Long.reverseBytes(rows[row + PAYLOAD_HEAD]);
    }

    /** The same as in memory: for comparing, where the order means nothing. */
    long payloadBits(int row) {
        return rows[row + PAYLOAD_HEAD];
    }

    /** Octets of payload on the wire, padding off. */
    public int payloadLength(int row) {
        return (int) (rows[row + LENGTHS] >>> 48);
    }

    /** Octets of the RTP packet on the wire, header included. */
    public int rtpLength(int row) {
        return (int) (rows[row + LENGTHS] >>> 32) & 0xffff;
    }

    /** The identification of the IPv4 header, 0 to 65535; -1 for IPv6, -2 for what another protocol carried. */
    public int ipIdentification(int row) {
        long lengths = rows[row + LENGTHS];
        if ((lengths & NO_IDENTIFICATION) == 0) {
            return (int) lengths & 0xffff;
        }
        return (lengths & CARRIED) != 0 ? IDENTIFICATION_OF_CARRIED : -1;
    }

    /** The number of the frame, 1-based. */
    public long frame(int row) {
        return rows[row + FRAME];
    }
}
