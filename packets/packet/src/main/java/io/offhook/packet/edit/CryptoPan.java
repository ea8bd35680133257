package io.offhook.packet.edit;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Crypto-PAn: a one-to-one mapping of addresses. Two addresses that share exactly their first n bits are mapped to
 * addresses that share exactly their first n bits (Xu, Fan, Ammar, Moon: Prefix-Preserving IP Address Anonymization,
 * ICNP 2002). Whoever has the key can reverse it; anyone else learns only what the structure of the networks and the
 * traffic reveal.
 *
 * <p>Bit i of the result is bit i of the address, inverted if the first bit of AES-128 over the preceding i bits,
 * completed by a secret pad, is set. The mapping of IPv4 is that of the authors' program; that of IPv6 is the same over
 * 128 bits, that of MAC addresses over 48, whose first half, the vendor, is kept.
 *
 * <p>Caches the results of tens of thousands of addresses, so that repeated ones are cheap; the cache does not affect
 * results. Single-threaded.
 */
public final class CryptoPan {
    /** The length of a key, in bytes: 16 for AES, 16 for the pad. */
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

    /** The address and its result, in the two halves. */
    private final long[] ipv4 = new long[IPV4_SLOTS];

    private final boolean[] ipv4Known = new boolean[IPV4_SLOTS];
    /** The high and low half of the address, then of its result. */
    private final long[] ipv6 = new long[4 * IPV6_SLOTS];

    private final boolean[] ipv6Known = new boolean[IPV6_SLOTS];

    private long high;
    private long low;

    /**
     * Creates the mapping of a key.
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

    /** The address that replaces an IPv4 address. */
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

    /** Maps an IPv6 address; {@link #high()} and {@link #low()} return the result. */
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

    /** The first half of the last IPv6 result. */
    public long high() {
        return high;
    }

    /** The second half of the last IPv6 result. */
    public long low() {
        return low;
    }

    /** The address that replaces a MAC address, 48 bits; group addresses and the zero address are kept. */
    public long mac(long address) {
        boolean isGroup = (address & 0x0100_0000_0000L) != 0;
        if (isGroup || address == 0) {
            return address;
        }
        transform(address << 16, 0, MAC_MAKER_BITS, 48);
        return high >>> 16;
    }

    /** Inverts bits from {@code first} to {@code end}, counted from the highest of 128; sets high and low. */
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
