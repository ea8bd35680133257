package io.offhook.calls.invite;

import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import java.util.Arrays;

/**
 * Remembers the messages of a call by their bytes, to recognize copies: packets that a mirror port delivered twice, and
 * retransmissions (RFC 3261, 17).
 *
 * <p>Holds the last {@link #CAPACITY} messages.
 */
public final class MessageMemory {
    private static final int CAPACITY = 128;

    /** Nothing is sent again within so short a time but by a mirror. */
    private static final long MIRROR_NS = 5_000_000L;

    /** Timer T1 is 500 ms; with the same IP identification it is the same packet, seen at another place as well. */
    private static final long IDENTIFIED_MIRROR_NS = 100_000_000L;

    /**
     * A retransmission follows the one before after 16 s at most (timer A; RFC 3262, 3); a callee that keeps ringing repeats
     * its response every minute (RFC 3261, 13.3.1.1).
     */
    private static final long REPEATED_NS = 20_000_000_000L;

    private static final long MIX = 0x9e3779b97f4a7c15L;

    private long[] fingerprint = new long[8];
    private long[] timestampNs = new long[8];
    private int[] identification = new int[8];
    private long[] hop = new long[8];
    private int count;
    private int next;

    public SipListener.Copy see(SipMessageView message, SipPacket packet) {
        long print = fingerprint(message, packet);
        SipListener.Copy seen = SipListener.Copy.FIRST;
        long latestNs = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            if (fingerprint[i] == print) {
                if (isMirrored(identification[i], timestampNs[i], packet)) {
                    seen = SipListener.Copy.MIRRORED;
                    break;
                }
                seen = SipListener.Copy.RETRANSMISSION;
                latestNs = Math.max(latestNs, timestampNs[i]);
            }
        }
        remember(print, packet);
        boolean isRepeated = seen == SipListener.Copy.RETRANSMISSION
                && isProvisional(message)
                && packet.timestampNs() - latestNs > REPEATED_NS;
        return isRepeated ? SipListener.Copy.FIRST : seen;
    }

    /** One without an identification may be the copy of one that has it: HEP carries the message alone. */
    private static boolean isMirrored(int identification, long timestampNs, SipPacket packet) {
        long apart = Math.abs(packet.timestampNs() - timestampNs);
        if (identification == packet.ipIdentification()) {
            return apart <= (identification > 0 ? IDENTIFIED_MIRROR_NS : MIRROR_NS);
        }
        return (identification < 0 || packet.ipIdentification() < 0) && apart <= MIRROR_NS;
    }

    private static boolean isProvisional(SipMessageView message) {
        return !message.isRequest() && message.statusCode() > 100 && message.statusCode() < 200;
    }

    private void remember(long print, SipPacket packet) {
        if (next == fingerprint.length && next < CAPACITY) {
            fingerprint = Arrays.copyOf(fingerprint, next * 2);
            timestampNs = Arrays.copyOf(timestampNs, next * 2);
            identification = Arrays.copyOf(identification, next * 2);
            hop = Arrays.copyOf(hop, next * 2);
        }
        next = next == CAPACITY ? 0 : next;
        fingerprint[next] = print;
        timestampNs[next] = packet.timestampNs();
        identification[next] = packet.ipIdentification();
        hop[next] = hop(packet.source(), packet.destination());
        next++;
        count = Math.max(count, next);
    }

    /** 64 bits for one direction between two endpoints. */
    public static long hop(Endpoint source, Endpoint destination) {
        return (long) source.hashCode() << 32 | destination.hashCode() & 0xffff_ffffL;
    }

    /** The number of messages remembered, copies included, in no order. */
    public int size() {
        return count;
    }

    /** {@link #hop(Endpoint, Endpoint)} that a message took, {@code index} from 0. */
    public long hop(int index) {
        return hop[index];
    }

    /** The time at which it was captured. */
    public long timestampNs(int index) {
        return timestampNs[index];
    }

    /** A hash of the bytes of a message and the addresses between which it was sent; not resistant to attacks. */
    private static long fingerprint(SipMessageView message, SipPacket packet) {
        long h = packet.source().hashCode() * 31L + packet.destination().hashCode();
        h = (message.captureHash() ^ h) * MIX;
        return h ^ h >>> 32;
    }
}
