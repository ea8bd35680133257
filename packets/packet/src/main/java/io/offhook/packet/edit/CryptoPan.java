package io.offhook.packet.edit;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Crypto-PAn: addresses to other addresses, one to one, so that two that have their first n bits in common, and no
 * more, have so afterwards (Xu, Fan, Ammar, Moon: Prefix-Preserving IP Address Anonymization, ICNP 2002). Whoever has
 * the key can turn it around; nobody else can, but for what the structure of networks and the traffic itself give away.
 *
 * <p>Bit i of the result is bit i of the address, turned over where the first bit of AES-128 says so of the i bits
 * before, filled up with a secret pad. IPv4 is as in the authors' program, byte for byte; IPv6 the same over 128 bits,
 * MAC addresses over 48, of which the first half, the maker, stays.
 *
 * <p>Keeps what it did last for tens of thousands of addresses, so that an address that comes again costs little; the
 * result does not depend on it. Single-threaded.
 */
public final class CryptoPan {
    /** Bytes of a key: 16 for AES, 16 for the pad. */
    public static final int KEY_BYTES = 32;

    private static final int BLOCK = 16;
    private static final int MOST_BITS = 128;
    private static final int IPV4_SLOTS = 1 << 16;
    private static final int IPV6_SLOTS = 1 << 14;
    private static final int MAC_MAKER_BITS = 24;

    private final Cipher cipher;
    private final long padHigh;
    private final long padLow;
    private final byte[] plain = new byte[BLOCK * MOST_BITS];
    private final byte[] encrypted = new byte[BLOCK * MOST_BITS];

    /** Address and result in the two halves. */
    private final long[] ipv4 = new long[IPV4_SLOTS];

    private final boolean[] ipv4Known = new boolean[IPV4_SLOTS];
    /** High and low half of the address, then of the result. */
    private final long[] ipv6 = new long[4 * IPV6_SLOTS];

    private final boolean[] ipv6Known = new boolean[IPV6_SLOTS];

    private long high;
    private long low;

    /**
     * The mapping that belongs to a key.
     *
     * @param key {@link #KEY_BYTES} bytes, in the order of the authors' program
     */
    public CryptoPan(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("key of " + key.length + " bytes; 32 are needed");
        }
        try {
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, 0, BLOCK, "AES"));
            byte[] pad = cipher.doFinal(key, BLOCK, BLOCK);
            padHigh = bits64(pad, 0);
            padLow = bits64(pad, 8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime does not provide AES-128", e);
        }
    }

    /** The address that stands for an IPv4 address. */
    public int ipv4(int address) {
        int slot = (address * 0x9e37_79b9) >>> 16;
        long known = ipv4[slot];
        if (ipv4Known[slot] && (int) (known >>> 32) == address) {
            return (int) known;
        }
        transform((long) address << 32, 0, 0, 32);
        int result = (int) (high >>> 32);
        ipv4[slot] = (long) address << 32 | result & 0xffff_ffffL;
        ipv4Known[slot] = true;
        return result;
    }

    /** Finds what stands for an IPv6 address: {@link #high()} and {@link #low()}. */
    public void ipv6(long addressHigh, long addressLow) {
        long hash = (addressHigh * 0x9e37_79b9_7f4a_7c15L ^ addressLow) * 0x9e37_79b9_7f4a_7c15L;
        int slot = (int) (hash >>> 50);
        int at = 4 * slot;
        if (!ipv6Known[slot] || ipv6[at] != addressHigh || ipv6[at + 1] != addressLow) {
            transform(addressHigh, addressLow, 0, 128);
            ipv6[at] = addressHigh;
            ipv6[at + 1] = addressLow;
            ipv6[at + 2] = high;
            ipv6[at + 3] = low;
            ipv6Known[slot] = true;
        }
        high = ipv6[at + 2];
        low = ipv6[at + 3];
    }

    /** The first half of the IPv6 address that was found last. */
    public long high() {
        return high;
    }

    /** The second half of it. */
    public long low() {
        return low;
    }

    /** The MAC address that stands for another, 48 bits; a group's, and one that is all zero, stay as they are. */
    public long mac(long address) {
        boolean isGroup = (address & 0x0100_0000_0000L) != 0;
        if (isGroup || address == 0) {
            return address;
        }
        transform(address << 16, 0, MAC_MAKER_BITS, 48);
        return high >>> 16;
    }

    /** Turns over bits from {@code first} up to {@code end}, counted from the highest of 128; sets high and low. */
    private void transform(long addressHigh, long addressLow, int first, int end) {
        for (int i = first; i < end; i++) {
            long maskHigh = i >= 64 ? -1 : i == 0 ? 0 : -1L << (64 - i);
            long maskLow = i <= 64 ? 0 : -1L << (128 - i);
            int at = (i - first) * BLOCK;
            putBits64(plain, at, addressHigh & maskHigh | padHigh & ~maskHigh);
            putBits64(plain, at + 8, addressLow & maskLow | padLow & ~maskLow);
        }
        try {
            cipher.doFinal(plain, 0, (end - first) * BLOCK, encrypted, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-128 failed on whole blocks", e);
        }
        high = addressHigh;
        low = addressLow;
        for (int i = first; i < end; i++) {
            long bit = (encrypted[(i - first) * BLOCK] & 0x80L) >>> 7;
            high ^= i < 64 ? bit << (63 - i) : 0;
            low ^= i < 64 ? 0 : bit << (127 - i);
        }
    }

    private static long bits64(byte[] bytes, int at) {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | bytes[at + i] & 0xff;
        }
        return value;
    }

    private static void putBits64(byte[] bytes, int at, long value) {
        for (int i = 0; i < 8; i++) {
            bytes[at + i] = (byte) (value >>> (56 - 8 * i));
        }
    }
}
