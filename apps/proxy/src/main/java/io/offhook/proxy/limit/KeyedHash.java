package io.offhook.proxy.limit;

/** Hashes with a secret, so that keys which share a place cannot be made up from outside. */
final class KeyedHash {
    private static final long ODD = 0x9e37_79b9_7f4a_7c15L;

    private final long secret;
    private final long otherSecret;

    KeyedHash(long secret) {
        this.secret = secret;
        otherSecret = finished(secret ^ ODD);
    }

    long first(String text, long kind) {
        return of(text, secret ^ kind);
    }

    long second(String text, long kind) {
        return of(text, otherSecret + kind);
    }

    long mixed(long high, long low) {
        return finished(finished(high ^ secret) + low ^ otherSecret);
    }

    private static long of(String text, long seed) {
        long hash = finished(seed + text.length());
        for (int i = 0, length = text.length(); i < length; i++) {
            hash = finished(hash ^ text.charAt(i));
        }
        return hash;
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a bijection in which each bit depends on each. */
    private static long finished(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
