package io.offhook.decrypt;

import io.offhook.rtp.PayloadOpener;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens the packets of one RTP stream with the first of some keys that fits, and changes the key where another one fits (after
 * a new offer). The rollover counter, which packets do not carry, is estimated as a receiver does (RFC 3711, 3.3.1); where that
 * fails, as in a capture that begins or continues in mid-stream, it is searched for, up to {@link #MOST_ROLLOVERS}.
 *
 * <p>A packet that comes twice is opened twice: a mirror port is no attack. Allocates nothing for a packet of a suite with
 * HMAC. Close it to overwrite its keys.
 */
public final class SrtpOpener implements PayloadOpener, AutoCloseable {
    /** The largest rollover counter that is searched for: two weeks of audio, some days of video. */
    static final int MOST_ROLLOVERS = 1023;

    /** The most keys that are tried. */
    static final int MOST_KEYS = 32;

    /** The most bytes of a packet. */
    private static final int MOST_BYTES = 0xffff;

    /** The packets that each key is searched with in full, as one may be damaged. */
    private static final int FULL_SEARCHES = 2;

    /** After these, a search is made for one packet in this many, so that wrong keys cost little. */
    private static final int SEARCH_EVERY = 64;

    private static final int HALF = 0x8000;
    private static final long MOST_ROC = 0xffff_ffffL;

    private final List<Attempt> attempts = new ArrayList<>();
    private byte[] packet = new byte[2048];
    private byte[] openedBytes = new byte[2048];
    /** Index of the attempt that fitted last; -1 before any did. */
    private int current = -1;

    private long opened;
    private long closed;
    private boolean isClosed;
    /** The rollover counter of the packet opened last. */
    private long found;

    /** A key, and what is known of its use. */
    private static final class Attempt implements AutoCloseable {
        final SrtpSession session;
        final boolean isVerifiable;
        /** RFC 3711's roc and s_l; meaningless until it fits. */
        long rollovers;

        int highest;
        boolean fits;
        int searches;

        Attempt(SrtpKey key) {
            session = new SrtpSession(key);
            isVerifiable = !key.isUnauthenticated();
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /** @param keys the most probable one first */
    SrtpOpener(List<SrtpKey> keys) {
        keys.stream().limit(MOST_KEYS).map(Attempt::new).forEach(attempts::add);
    }

    @Override
    public int open(MemorySegment segment, long offset, int length, MemorySegment to) {
        if (isClosed || length < 12 || length > MOST_BYTES) {
            closed++;
            return CLOSED;
        }
        copy(segment, offset, length);
        int sequenceNumber = (packet[2] & 0xff) << 8 | packet[3] & 0xff;
        int bytes = current < 0 ? CLOSED : follow(attempts.get(current), sequenceNumber, length);
        if (bytes == CLOSED) {
            bytes = search(sequenceNumber, length);
        }
        return give(bytes, to);
    }

    /**
     * Opens a compound SRTCP packet of the stream's sender.
     *
     * @param segment contains the packet as captured
     * @param offset of its first byte
     * @param length its bytes, all of them captured
     * @param to receives the RTCP packet; holds {@code length} bytes or more
     * @return bytes of the opened packet, or {@link #CLOSED}
     */
    public int openRtcp(MemorySegment segment, long offset, int length, MemorySegment to) {
        if (isClosed || length < 8 || length > MOST_BYTES) {
            return CLOSED;
        }
        copy(segment, offset, length);
        int bytes = CLOSED;
        for (int i = 0; i < attempts.size() && bytes == CLOSED; i++) {
            int first = Math.max(current, 0);
            int tried = i == 0 ? first : i <= first ? i - 1 : i;
            bytes = attempts.get(tried).session.rtcp(packet, length, openedBytes);
        }
        if (bytes != CLOSED) {
            MemorySegment.copy(openedBytes, 0, to, ValueLayout.JAVA_BYTE, 0, bytes);
        }
        return bytes;
    }

    private void copy(MemorySegment segment, long offset, int length) {
        if (length > packet.length) {
            packet = new byte[MOST_BYTES];
            openedBytes = new byte[MOST_BYTES];
        }
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, packet, 0, length);
    }

    private int give(int bytes, MemorySegment to) {
        if (bytes == CLOSED) {
            closed++;
            return CLOSED;
        }
        opened++;
        MemorySegment.copy(openedBytes, 0, to, ValueLayout.JAVA_BYTE, 0, bytes);
        return bytes;
    }

    /** Opens a packet of a key that fitted: with the counter that is probable, and those beside it. */
    private int follow(Attempt attempt, int sequenceNumber, int length) {
        long probable = probable(attempt, sequenceNumber);
        int bytes = open(attempt, probable, sequenceNumber, length);
        for (int i = 1; i <= 2 && bytes == CLOSED && attempt.isVerifiable; i++) {
            bytes = open(attempt, probable + i, sequenceNumber, length);
            if (bytes == CLOSED) {
                bytes = open(attempt, probable - i, sequenceNumber, length);
            }
        }
        return bytes;
    }

    /** RFC 3711, appendix A. */
    private static long probable(Attempt attempt, int sequenceNumber) {
        if (attempt.highest < HALF) {
            return sequenceNumber - attempt.highest > HALF ? attempt.rollovers - 1 : attempt.rollovers;
        }
        return attempt.highest - HALF > sequenceNumber ? attempt.rollovers + 1 : attempt.rollovers;
    }

    /** Tries all keys: those that fitted before near where they were, all from 0 on as far as their budget goes. */
    private int search(int sequenceNumber, int length) {
        for (int i = 0; i < attempts.size(); i++) {
            Attempt attempt = attempts.get(i);
            int bytes = attempt.fits && i != current ? follow(attempt, sequenceNumber, length) : CLOSED;
            boolean isFull = attempt.searches < FULL_SEARCHES || attempt.searches % SEARCH_EVERY == 0;
            attempt.searches++;
            long last = isFull && attempt.isVerifiable ? MOST_ROLLOVERS : 0;
            for (long rollovers = 0; rollovers <= last && bytes == CLOSED; rollovers++) {
                bytes = open(attempt, rollovers, sequenceNumber, length);
            }
            if (bytes != CLOSED) {
                current = i;
                attempt.searches = 0;
                attempt.rollovers = found;
                attempt.highest = sequenceNumber;
                return bytes;
            }
        }
        return CLOSED;
    }

    private int open(Attempt attempt, long rollovers, int sequenceNumber, int length) {
        if (rollovers < 0 || rollovers > MOST_ROC) {
            return CLOSED;
        }
        int bytes = attempt.session.rtp(packet, length, rollovers, openedBytes);
        if (bytes != CLOSED) {
            found = rollovers;
            boolean isNewest = !attempt.fits
                    || rollovers > attempt.rollovers
                    || rollovers == attempt.rollovers && sequenceNumber > attempt.highest;
            if (isNewest) {
                attempt.rollovers = rollovers;
                attempt.highest = sequenceNumber;
            }
            attempt.fits = true;
        }
        return bytes;
    }

    /** Packets that were opened. */
    public long opened() {
        return opened;
    }

    /** Packets that no key opened. */
    public long closed() {
        return closed;
    }

    /** Whether packets came and none was opened: the keys are not those of the stream. */
    public boolean isKeyWrong() {
        return closed > 0 && opened == 0 && !attempts.isEmpty();
    }

    /** Overwrites the keys; packets are no longer opened. */
    @Override
    public void close() {
        isClosed = true;
        attempts.forEach(Attempt::close);
        attempts.clear();
        current = -1;
    }

    /** How many packets were opened; never a key. */
    @Override
    public String toString() {
        return "SRTP opener: " + opened + " packets opened, " + closed + " not";
    }
}
