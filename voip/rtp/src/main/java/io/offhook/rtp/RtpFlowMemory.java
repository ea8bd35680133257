package io.offhook.rtp;

/**
 * Tells RTP from what only looks like it, packet by packet: one in five random payloads could be an RTP header, but few
 * go on with the same SSRC and the next sequence number.
 *
 * <p>Remembers one SSRC of each of {@value #SLOTS} flows; one that falls into another's slot takes it. Single-threaded.
 */
final class RtpFlowMemory {
    private static final int SLOTS = 1 << 12;
    private static final int MAX_STEP = 3000;

    private final long[] flows = new long[SLOTS];
    private final int[] ssrcs = new int[SLOTS];
    private final short[] sequenceNumbers = new short[SLOTS];
    private final byte[] scores = new byte[SLOTS];

    /**
     * Takes a packet into account that has the form of RTP.
     *
     * @param flow a hash of its addresses and ports, other than 0
     * @param isLikely whether it may be taken for RTP before a second packet says so
     */
    boolean isRtp(long flow, long ssrc, int sequenceNumber, boolean isLikely) {
        int slot = (int) (flow ^ flow >>> 32) & SLOTS - 1;
        if (flows[slot] != flow) {
            flows[slot] = flow;
            scores[slot] = 0;
            remember(slot, ssrc, sequenceNumber);
            return isLikely;
        }
        int step = (short) (sequenceNumber - sequenceNumbers[slot]);
        boolean follows = ssrcs[slot] == (int) ssrc && Math.abs(step) <= MAX_STEP;
        remember(slot, ssrc, sequenceNumber);
        if (follows) {
            scores[slot] = (byte) Math.min(scores[slot] + 1, 8);
            return true;
        }
        // a stream may change its SSRC; what changes it with each packet is none
        scores[slot] = (byte) Math.max(scores[slot] - 2, -8);
        return isLikely && scores[slot] >= 0;
    }

    private void remember(int slot, long ssrc, int sequenceNumber) {
        ssrcs[slot] = (int) ssrc;
        sequenceNumbers[slot] = (short) sequenceNumber;
    }
}
