package io.offhook.sip;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of bytes, the same in every run and on every machine. It is never 0, which stands for "absent". Not
 * cryptographic: compare the bytes where collisions matter.
 */
final class OctetHash {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = 0x2545_f491_4f6c_dd1dL;
    private static final long K1 = 0x9e37_79b9_7f4a_7c15L;
    private static final long K2 = 0xbf58_476d_1ce4_e5b9L;

    private OctetHash() {}

    static long of(byte[] text, int from, int end) {
        long hash = SEED;
        int at = from;
        while (at + 8 <= end) {
            hash = mix(hash, (long) WORD.get(text, at));
            at += 8;
        }
        long last = 0;
        for (int shift = 0; at < end; shift += 8) {
            last |= (text[at++] & 0xffL) << shift;
        }
        return finish(mix(hash, last), end - from);
    }

    /**
     * The hash of a header's value with each fold replaced by a single space, as {@link SipLexer#unfolded} returns it.
     */
    static long ofValue(byte[] text, int from, int end) {
        return SipLexer.lineEnd(text, from, end) == end ? of(text, from, end) : ofFolded(text, from, end);
    }

    private static long ofFolded(byte[] text, int from, int end) {
        long hash = SEED;
        long word = 0;
        long count = 0;
        int at = from;
        while (at < end) {
            int octet = text[at] & 0xff;
            int next = at + 1;
            if (SipLexer.isLws(octet)) {
                int after = SipLexer.skipLws(text, at, end);
                if (SipLexer.lineEnd(text, at, after) < after) {
                    octet = SipLexer.SP;
                    next = after;
                }
            }
            word |= (long) octet << (count & 7) * 8;
            count++;
            if ((count & 7) == 0) {
                hash = mix(hash, word);
                word = 0;
            }
            at = next;
        }
        return finish(mix(hash, word), count);
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * K1;
        return mixed ^ mixed >>> 32;
    }

    private static long finish(long hash, long length) {
        long mixed = (hash ^ length) * K2;
        mixed ^= mixed >>> 29;
        mixed *= K1;
        mixed ^= mixed >>> 32;
        return mixed == 0 ? 1 : mixed;
    }
}
