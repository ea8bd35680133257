package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * The part of a stream that notes packets without evaluating them yet: each follows the one before by one number and one
 * packet time, with the same payload type, no marker, and speech in it, as nearly all do. Of such a packet only the arrival
 * has to be kept.
 *
 * <p>Thousands of streams take turns, so that the memory of a stream has left the cache when its next packet comes. What
 * is touched a packet is the beginning of the stream, where the fields of its superclass are, and an array;
 * {@value #LIMIT} packets are evaluated at a time.
 */
abstract sealed class RegularPackets permits RtpStream {
    /** The most packets that wait; that many pauses fit into the 32 bits of a time in {@link #noted}. */
    static final int LIMIT = 16;

    /** A header that no packet has. */
    private static final long NONE = -1;

    private static final long LOW = 0xffff_ffffL;

    /** Half of the fingerprint and the nanoseconds since the first of them; once settled, when they arrived. */
    private final long[] noted = new long[LIMIT];

    /** When the last packet arrived, regular or not. */
    long lastNs;

    /** Its sequence number. */
    int lastNumber;

    private long notedFromNs;
    private int count;
    private int step;
    private int leastLength;
    private int mostLength;
    private int octets;
    private @Nullable SpeechModes modes;
    private long nextHeader = NONE;
    private long untilNs;
    private long leastDeltaNs;
    private long mostDeltaNs;

    /**
     * Expects further packets after one that was evaluated.
     *
     * @param header of the packet, as {@link RtpRows#header} has it
     * @param use of its payload type
     * @param payloadLength in octets; that of speech
     * @param step from its timestamp to the next
     * @param untilNs arrivals from here on are not regular
     */
    final void expectAfter(long header, PayloadUse use, int payloadLength, int step, long untilNs) {
        nextHeader = following(header & ~RtpRows.MARKER, step);
        leastLength = use.leastSpeechLike(payloadLength);
        mostLength = use.mostSpeechLike(payloadLength);
        modes = use.modes;
        this.step = step;
        this.untilNs = untilNs;
    }

    /** Expects none: the next packet has to be evaluated. */
    final void expectNone() {
        nextHeader = NONE;
    }

    /** Notes a packet if it is as expected. */
    final boolean note(RtpRows rows, int row) {
        long header = rows.header(row);
        long arrivalNs = rows.arrivalNs(row);
        int length = rows.payloadLength(row);
        long deltaNs = arrivalNs - lastNs;
        if (header != nextHeader
                || length < leastLength
                || length > mostLength
                || arrivalNs >= untilNs
                || deltaNs < 0
                || deltaNs > RtpStream.PAUSE_NS) {
            return false;
        }
        if (count == 0) {
            notedFromNs = arrivalNs;
        }
        if (modes != null) {
            modes.add(length, rows.payloadHead(row));
        }
        octets += length;
        noted[count++] = RecentPackets.fingerprint(rows, row) & ~LOW | arrivalNs - notedFromNs;
        nextHeader = following(header, step);
        lastNs = arrivalNs;
        lastNumber = (int) (header >>> 16) & 0xffff;
        return true;
    }

    /**
     * Puts the arrivals in the place of what was noted, and what was noted among the recent packets.
     *
     * @param nextRecent counts packets
     * @param beforeNs when the packet before them arrived
     * @return when they arrived, in order, none before another: the first {@link #notedPackets()} elements; not to be
     *     changed
     */
    final long[] arrivals(long[] recent, int nextRecent, long beforeNs) {
        long[] packets = noted;
        long fromNs = notedFromNs;
        long previousNs = beforeNs;
        long leastNs = Long.MAX_VALUE;
        long mostNs = Long.MIN_VALUE;
        int n = count;
        for (int i = 0; i < n; i++) {
            long packet = packets[i];
            long arrivalNs = fromNs + (packet & LOW);
            RecentPackets.add(recent, nextRecent + i, packet, arrivalNs);
            packets[i] = arrivalNs;
            long deltaNs = arrivalNs - previousNs;
            leastNs = Math.min(leastNs, deltaNs);
            mostNs = Math.max(mostNs, deltaNs);
            previousNs = arrivalNs;
        }
        leastDeltaNs = leastNs;
        mostDeltaNs = mostNs;
        return packets;
    }

    /** The shortest time from one to the next among those that {@link #arrivals} returned, and from the one before them. */
    final long leastDeltaNs() {
        return leastDeltaNs;
    }

    /** The longest. */
    final long mostDeltaNs() {
        return mostDeltaNs;
    }

    private static long following(long header, int step) {
        long timestamp = (header >>> 32) + step << 32;
        long number = (header >>> 16) + 1 & 0xffff;
        return timestamp | number << 16 | header & 0xffff;
    }

    final boolean isFull() {
        return count == LIMIT;
    }

    /** Packets that wait. */
    final int notedPackets() {
        return count;
    }

    /** Their step of the timestamp. */
    final int regularStep() {
        return step;
    }

    /** Octets of payload of all. */
    final int notedOctets() {
        return octets;
    }

    /** Forgets those that waited, which are evaluated now. */
    final void forgetNoted() {
        count = 0;
        octets = 0;
    }
}
