package io.offhook.calls;

import java.util.Arrays;

/**
 * RTP packets as small events, in the order in which they were captured: what a lane hands to stream statistics, so that
 * the frames themselves can be given back. One row of eight longs (a cache line) an event.
 *
 * <pre>
 *  0 hash of the stream's key            4 RTP timestamp (32) | sequence number (16) | marker (1) | payload type (7)
 *  1 arrival, ns since the epoch         5 the first eight payload bytes, big-endian, padded with zeros
 *  2 IPv4: source (32) | destination     6 payload length (16) | RTP length (16) | IP identification (16), flags
 *    IPv6: index into the wide addresses 7 frame number
 *  3 source port (16) | destination port (16) | SSRC (32)
 * </pre>
 */
public final class RtpEvents {
    static final int WIDTH = 8;
    static final int HASH = 0;
    static final int ARRIVAL = 1;
    static final int ADDRESSES = 2;
    static final int PORTS_SSRC = 3;
    static final int HEADER = 4;
    static final int PAYLOAD_HEAD = 5;
    static final int LENGTHS = 6;
    static final int FRAME = 7;

    /** In {@link #LENGTHS}: addresses are IPv6, in the wide list. */
    static final long WIDE = 1L << 16;

    /** In {@link #LENGTHS}: there is no IP identification. */
    static final long NO_IDENTIFICATION = 1L << 17;

    private static final long MIX_1 = 0x9e3779b97f4a7c15L;
    private static final long MIX_2 = 0xc2b2ae3d27d4eb4fL;

    private long[] rows = new long[0];
    private int size;
    private long[] wide = new long[0];
    private int wideSize;

    /** An empty list; it takes no memory before the first event. */
    public RtpEvents() {}

    /** Forgets all packets; the memory stays. */
    public void clear() {
        size = 0;
        wideSize = 0;
    }

    /** Packets that it holds. */
    public int size() {
        return size / WIDTH;
    }

    /** The hash of an IPv4 stream's key: addresses and ports/SSRC as in columns 2 and 3. Stable across runs. */
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
     * Adds a packet between IPv4 addresses.
     *
     * @param header RTP timestamp, sequence number, marker and payload type as in column 4
     * @param rtpLength length of the RTP packet on the wire, header included, bytes
     * @param ipIdentification of the IPv4 header, 0 to 65535
     */
    public void addIpv4(
            long hash,
            long arrivalNs,
            long addresses,
            long portsSsrc,
            long header,
            long payloadHead,
            int payloadLength,
            int rtpLength,
            int ipIdentification,
            long frameNumber) {
        long lengths = (long) payloadLength << 48 | (rtpLength & 0xffffL) << 32 | ipIdentification;
        add(hash, arrivalNs, addresses, portsSsrc, header, payloadHead, lengths, frameNumber);
    }

    /** Adds a packet between IPv6 addresses; see {@link #addIpv4}. */
    public void addIpv6(
            long hash,
            long arrivalNs,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            long portsSsrc,
            long header,
            long payloadHead,
            int payloadLength,
            int rtpLength,
            long frameNumber) {
        if (wideSize == wide.length) {
            wide = Arrays.copyOf(wide, Math.max(64, wide.length * 2));
        }
        wide[wideSize] = sourceHigh;
        wide[wideSize + 1] = sourceLow;
        wide[wideSize + 2] = destinationHigh;
        wide[wideSize + 3] = destinationLow;
        long lengths = (long) payloadLength << 48 | (rtpLength & 0xffffL) << 32 | WIDE | NO_IDENTIFICATION;
        add(hash, arrivalNs, wideSize, portsSsrc, header, payloadHead, lengths, frameNumber);
        wideSize += 4;
    }

    private void add(
            long hash,
            long arrivalNs,
            long addresses,
            long portsSsrc,
            long header,
            long payloadHead,
            long lengths,
            long frameNumber) {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, Math.max(WIDTH * 16, size * 2));
        }
        long[] r = rows;
        int at = size;
        r[at + FRAME] = frameNumber;
        r[at + HASH] = hash;
        r[at + ARRIVAL] = arrivalNs;
        r[at + ADDRESSES] = addresses;
        r[at + PORTS_SSRC] = portsSsrc;
        r[at + HEADER] = header;
        r[at + PAYLOAD_HEAD] = payloadHead;
        r[at + LENGTHS] = lengths;
        size = at + WIDTH;
    }

    /** The rows, {@link #WIDTH} longs each; valid up to {@code size() * WIDTH}. */
    long[] rows() {
        return rows;
    }

    /** IPv6 addresses: source high and low, destination high and low. */
    long[] wide() {
        return wide;
    }
}
