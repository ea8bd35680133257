package io.offhook.calls.join;

/** Hashes of the values by which dialogs are looked up: 64 bits, the same in every run. */
final class Keys {
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private Keys() {}

    static long of(String text) {
        return add(MULTIPLIER, text);
    }

    /** The hash of what was hashed before and this text. */
    static long add(long hash, String text) {
        long sum = hash ^ text.length();
        for (int i = 0; i < text.length(); i++) {
            sum = (sum ^ text.charAt(i)) * MULTIPLIER;
            sum ^= sum >>> 29;
        }
        return mix(sum);
    }

    /** The hash of what was hashed before and this number. */
    static long add(long hash, long number) {
        return mix((hash ^ number) * MULTIPLIER + number);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
