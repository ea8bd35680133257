package io.offhook.rtp;

/**
 * What the last {@value #SIZE} packets of a stream were and when they arrived, to recognise copies: of a mirror port, or of
 * a second place of capture. A long each: half of the fingerprint, and the arrival in units of 8 us.
 */
final class RecentPackets {
    static final int SIZE = 16;

    private static final int UNIT_SHIFT = 13;

    private RecentPackets() {}

    /**
     * Equal for equal packets; for different ones with the same sequence number, its upper half is equal with probability
     * 2^-32. The identification is in the lower half of that, so that the content can be compared alone.
     */
    static long fingerprint(RtpRows rows, int row) {
        return fingerprint(
                rows.header(row), rows.payloadLength(row), rows.payloadBits(row), rows.ipIdentification(row));
    }

    private static long fingerprint(long rtpHeader, int payloadLength, long payloadHead, int ipIdentification) {
        long header = rtpHeader & 0xffff_ffff_ffff_0000L;
        long sizes = (long) payloadLength << 8 | rtpHeader & 0xff;
        long mixed = (header ^ sizes * 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        long content = (mixed ^ mixed >>> 32 ^ payloadHead) * 0x94d049bb133111ebL;
        return content ^ (ipIdentification & 0xffffL) << 32;
    }

    /**
     * Notes a packet.
     *
     * @param packets the last ones, {@value #SIZE}; an array of the stream's own, so that a regular packet is one store
     * @param number counts packets
     */
    static void add(long[] packets, long number, long fingerprint, long arrivalNs) {
        packets[(int) number & SIZE - 1] = packed(fingerprint, arrivalNs);
    }

    private static long packed(long fingerprint, long arrivalNs) {
        return fingerprint & 0xffff_ffff_0000_0000L | arrivalNs >>> UNIT_SHIFT & 0xffff_ffffL;
    }

    /** Whether one of the packets has the content of the fingerprint, whatever its identification. */
    static boolean containsContent(long[] packets, long fingerprint, long arrivalNs, long withinNs) {
        int within = (int) (withinNs >> UNIT_SHIFT);
        int arrival = (int) (arrivalNs >>> UNIT_SHIFT);
        for (long packet : packets) {
            if ((packet ^ fingerprint) >>> 48 == 0 && Math.abs(arrival - (int) packet) <= within && packet != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the packets has the fingerprint and arrived within so many nanoseconds. */
    static boolean contains(long[] packets, long fingerprint, long arrivalNs, long withinNs) {
        long wanted = packed(fingerprint, arrivalNs);
        int within = (int) (withinNs >> UNIT_SHIFT);
        for (long packet : packets) {
            if ((packet ^ wanted) >>> 32 == 0 && Math.abs((int) wanted - (int) packet) <= within && packet != 0) {
                return true;
            }
        }
        return false;
    }
}
