package io.offhook.proxy.tap;

import io.offhook.sip.transaction.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Numbers for calls: a hash of their Call-IDs with a key that nobody knows, so that none can be forged. */
public final class CallKeys {
    private final long key0;
    private final long key1;

    /** Chooses a key; random numbers must not be guessable. */
    public CallKeys(Random random) {
        key0 = random.nextLong();
        key1 = random.nextLong();
    }

    /** The hash for one thread. */
    KeyedHash hash() {
        return new KeyedHash(key0, key1);
    }

    /** The number of a Call-ID, never 0. */
    public long of(String callId) {
        byte[] octets = callId.getBytes(StandardCharsets.UTF_8);
        return of(hash(), octets, 0, octets.length);
    }

    static long of(KeyedHash hash, byte[] octets, int offset, int length) {
        long key = hash.begin().add(octets, offset, length).end().low();
        return key == 0 ? 1 : key;
    }
}
