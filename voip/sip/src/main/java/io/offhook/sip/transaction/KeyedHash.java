package io.offhook.sip.transaction;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012) of several pieces of text. Who does not know the key cannot find
 * two texts with one hash, so that a table needs no other comparison, and nobody can fill one of its buckets. Reused and
 * single-threaded; the pieces are hashed as if they were joined.
 */
public final class KeyedHash {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long word;
    private long count;
    private long high;
    private long low;

    /** Creates a hash with a key of 128 bits. */
    public KeyedHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** Begins a text. */
    public KeyedHash begin() {
        v0 = key0 ^ 0x736f_6d65_7073_6575L;
        v1 = key1 ^ 0x646f_7261_6e64_6f6dL ^ 0xee;
        v2 = key0 ^ 0x6c79_6765_6e65_7261L;
        v3 = key1 ^ 0x7465_6462_7974_6573L;
        word = 0;
        count = 0;
        return this;
    }

    /** Adds a byte. */
    public KeyedHash add(int octet) {
        word |= (octet & 0xffL) << (count & 7) * 8;
        count++;
        if ((count & 7) == 0) {
            compress(word);
            word = 0;
        }
        return this;
    }

    /** Adds bytes. */
    public KeyedHash add(byte[] text, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end && (count & 7) != 0) {
            add(text[at++]);
        }
        while (at + Long.BYTES <= end) {
            compress((long) WORD.get(text, at));
            at += Long.BYTES;
            count += Long.BYTES;
        }
        while (at < end) {
            add(text[at++]);
        }
        return this;
    }

    /** Adds the characters of a text, two bytes each. */
    public KeyedHash add(String text) {
        for (int i = 0, length = text.length(); i < length; i++) {
            char character = text.charAt(i);
            add(character & 0xff).add(character >>> 8);
        }
        return this;
    }

    /** Adds the eight bytes of a number. */
    public KeyedHash add(long number) {
        if ((count & 7) == 0) {
            compress(number);
            count += Long.BYTES;
            return this;
        }
        for (int shift = 0; shift < Long.SIZE; shift += 8) {
            add((int) (number >>> shift));
        }
        return this;
    }

    /** Adds bytes in lower case. */
    public KeyedHash addLowerCase(byte[] text, int offset, int length) {
        for (int at = offset; at < offset + length; at++) {
            int octet = text[at];
            add(octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet);
        }
        return this;
    }

    /** Ends the text; {@link #high} and {@link #low} are its hash, of which at least one bit is set. */
    public KeyedHash end() {
        compress(word | count << 56);
        v2 ^= 0xee;
        rounds(4);
        low = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
        rounds(4);
        high = v0 ^ v1 ^ v2 ^ v3;
        if (high == 0 && low == 0) {
            low = 1;
        }
        return this;
    }

    /** The first 64 bits. */
    public long high() {
        return high;
    }

    /** The last 64 bits. */
    public long low() {
        return low;
    }

    private void compress(long input) {
        v3 ^= input;
        rounds(2);
        v0 ^= input;
    }

    private void rounds(int n) {
        for (int i = 0; i < n; i++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
