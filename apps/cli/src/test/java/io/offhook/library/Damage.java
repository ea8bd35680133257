package io.offhook.library;

import java.util.Arrays;
import java.util.Random;

/** Copies of bytes as a bad disk, a broken pipe or an attacker would leave them. */
final class Damage {
    private Damage() {}

    /** Cut, or with up to eight bytes changed, one bit or all of each; sometimes both. */
    static byte[] of(byte[] sound, Random random) {
        int kind = random.nextInt(4);
        byte[] bytes = kind == 0 || kind == 3 ? Arrays.copyOf(sound, random.nextInt(sound.length + 1)) : sound.clone();
        if (bytes.length > 0 && kind != 0) {
            for (int changes = random.nextInt(8); changes >= 0; changes--) {
                // most of what decides stands at the beginning
                int place = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 64) : bytes.length);
                bytes[place] =
                        random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[place] ^ 1 << random.nextInt(8));
            }
        }
        return bytes;
    }
}
