package io.offhook.packet.edit;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Writes other addresses into one packet, and takes down what stood there, so that the checksums over it can be brought
 * up to date (RFC 1624) without a look at the rest: a checksum that was right stays right, a wrong one (of a network
 * card that was to fill it in, of a packet that was cut) stays as wrong as it was.
 *
 * <p>Checksums go from the inside to the outside: the change of one is a change to those around it.
 */
final class AddressEdits {
    private static final int ONES = 0xffff;

    private final CryptoPan addresses;
    private MemorySegment segment = MemorySegment.NULL;
    /** The end of what was captured: nothing is read or written beyond. */
    private long end;

    /** Of each byte that changed: where, what stood there, and what does since. */
    private long[] place = new long[256];

    private byte[] before = new byte[256];
    private byte[] after = new byte[256];
    private int count;

    AddressEdits(CryptoPan addresses) {
        this.addresses = addresses;
    }

    /** A packet begins. */
    void start(MemorySegment segment, long end) {
        this.segment = segment;
        this.end = end;
        count = 0;
    }

    boolean isChanged() {
        return count > 0;
    }

    /** The other address of an IPv4 address; one that was not captured whole is blanked. */
    void ipv4(long offset) {
        if (lacks(offset, 4)) {
            return;
        }
        int other = addresses.ipv4(NetworkOrder.bits32(segment, offset));
        for (int i = 0; i < 4; i++) {
            put(offset + i, (byte) (other >>> (24 - 8 * i)));
        }
    }

    /** The other address of an IPv6 address; one that was not captured whole is blanked. */
    void ipv6(long offset) {
        ipv6Prefix(offset, 128);
    }

    /** As {@link #ipv6}, of a prefix: the bits behind it are zero, and stay so. */
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

    /** The other address of a MAC address; one that was not captured whole is blanked. */
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

    /** Zeroes in the place of what may hold part of an address. */
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
     * What a stretch adds to a sum of 16-bit words more than it did, some multiple of 65,535 aside.
     *
     * @param start of the stretch, where a word starts
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

    /** Whether so many bytes were captured there. */
    boolean isWithin(long offset, int length) {
        return end - offset >= length;
    }

    /**
     * Brings a checksum up to date.
     *
     * @param field where it stands; not there, nothing happens
     * @param delta what its words add up to more than they did
     * @param isZeroNone whether 0 stands for no checksum
     * @param isPartial whether the sum stands there, and not its complement
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
