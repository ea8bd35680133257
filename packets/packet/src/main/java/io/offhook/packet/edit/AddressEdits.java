package io.offhook.packet.edit;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Replaces addresses in one packet and records what they replaced, so that the checksums that cover them can be updated
 * (RFC 1624) without reading the rest: a correct checksum stays correct, a wrong one (left to a network card, or over a
 * snapped packet) stays wrong by the same amount.
 *
 * <p>Update checksums from the innermost to the outermost: the change of one is a change to those around it.
 */
final class AddressEdits {
    private static final int ONES = 0xffff;

    private final CryptoPan addresses;
    private MemorySegment segment = MemorySegment.NULL;
    /** The end of the captured bytes: nothing beyond it is read or written. */
    private long end;

    /** For each changed byte: its offset, its old value and its new one. */
    private long[] place = new long[256];

    private byte[] before = new byte[256];
    private byte[] after = new byte[256];
    private int count;

    AddressEdits(CryptoPan addresses) {
        this.addresses = addresses;
    }

    /** Begins a packet. */
    void start(MemorySegment segment, long end) {
        this.segment = segment;
        this.end = end;
        count = 0;
    }

    boolean isChanged() {
        return count > 0;
    }

    /** Replaces an IPv4 address; one that was not captured completely is blanked. */
    void ipv4(long offset) {
        if (lacks(offset, 4)) {
            return;
        }
        int other = addresses.ipv4(NetworkOrder.bits32(segment, offset));
        for (int i = 0; i < 4; i++) {
            put(offset + i, (byte) (other >>> (24 - 8 * i)));
        }
    }

    /** Replaces an IPv6 address; one that was not captured completely is blanked. */
    void ipv6(long offset) {
        ipv6Prefix(offset, 128);
    }

    /** Replaces an IPv6 prefix as {@link #ipv6} does; the bits after it are zero, and stay zero. */
    void ipv6Prefix(long offset, int bits) {
        if (lacks(offset, 16)) {
            return;
        }
        long maskHigh = bits >= 64 ? -1 : bits <= 0 ? 0 : -1L << (64 - bits);
        long maskLow = bits <= 64 ? 0 : bits >= 128 ? -1 : -1L << (128 - bits);
        long high = NetworkOrder.bits64(segment, offset);
        long low = NetworkOrder.bits64(segment, offset + 8);
        addresses.ipv6(high & maskHigh, low & maskLow);
        long otherHigh = addresses.high() & maskHigh | high & ~maskHigh;
        long otherLow = addresses.low() & maskLow | low & ~maskLow;
        for (int i = 0; i < 8; i++) {
            put(offset + i, (byte) (otherHigh >>> (56 - 8 * i)));
            put(offset + 8 + i, (byte) (otherLow >>> (56 - 8 * i)));
        }
    }

    /** Replaces a MAC address; one that was not captured completely is blanked. */
    void mac(long offset) {
        if (lacks(offset, 6)) {
            return;
        }
        long other = addresses.mac(NetworkOrder.u48(segment, offset));
        for (int i = 0; i < 6; i++) {
            put(offset + i, (byte) (other >>> (40 - 8 * i)));
        }
    }

    private boolean lacks(long offset, int length) {
        if (end - offset >= length) {
            return false;
        }
        blank(offset, end);
        return true;
    }

    /** Zeroes bytes that may hold part of an address. */
    void blank(long from, long until) {
        for (long at = from; at < Math.min(until, end); at++) {
            put(at, (byte) 0);
        }
    }

    private void put(long offset, byte value) {
        byte old = (byte) NetworkOrder.u8(segment, offset);
        if (old == value) {
            return;
        }
        if (count == place.length) {
            place = Arrays.copyOf(place, 2 * count);
            before = Arrays.copyOf(before, 2 * count);
            after = Arrays.copyOf(after, 2 * count);
        }
        place[count] = offset;
        before[count] = old;
        after[count++] = value;
        NetworkOrder.putU8(segment, offset, value & 0xff);
    }

    /**
     * The change of a range's sum of 16-bit words, modulo 65,535.
     *
     * @param start the start of the range, at which a word starts
     */
    long delta(long start, long until) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long at = place[i];
            if (at >= start && at < until) {
                int more = (after[i] & 0xff) - (before[i] & 0xff);
                sum += (at - start & 1) == 0 ? more * 256L : more;
            }
        }
        return sum;
    }

    /** Whether that many bytes were captured there. */
    boolean isWithin(long offset, int length) {
        return end - offset >= length;
    }

    /**
     * Updates a checksum.
     *
     * @param field its offset; nothing happens if it was not captured
     * @param delta the change of the sum of the words that it covers
     * @param isZeroNone whether 0 means no checksum
     * @param isPartial whether the field holds the sum instead of its complement
     */
    void checksum(long field, long delta, boolean isZeroNone, boolean isPartial) {
        if (!isWithin(field, 2)) {
            return;
        }
        int old = NetworkOrder.u16(segment, field);
        int change = (int) Math.floorMod(delta, (long) ONES);
        if (change == 0 || isZeroNone && old == 0) {
            return;
        }
        int turned = isPartial ? 0 : ONES;
        int sum = (old ^ turned) + change;
        sum = (sum & ONES) + (sum >>> 16);
        int updated = sum ^ turned;
        int written = isZeroNone && updated == 0 ? ONES : updated;
        put(field, (byte) (written >>> 8));
        put(field + 1, (byte) written);
    }
}
