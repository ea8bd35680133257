package io.offhook.sip.proxy;

import io.offhook.sip.transaction.KeyedHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The secret of what we write into Record-Route and recognise in Route: signatures and flow tokens. Whoever knows it can send
 * requests through the proxy to any address. Proxies that serve the same dialogs need the same one, and so does a process that
 * goes on after another.
 *
 * @param first the first 64 bits, random
 * @param second the others, random
 */
public record RouteKey(long first, long second) {
    /** The least bytes that {@link #of} takes. */
    public static final int LEAST_BYTES = 16;

    /**
     * The key that the first bytes of a secret are.
     *
     * @param secret {@link #LEAST_BYTES} or more
     */
    public static RouteKey of(byte[] secret) {
        if (secret.length < LEAST_BYTES) {
            throw new IllegalArgumentException("a secret of " + secret.length + " bytes is less than " + LEAST_BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(secret);
        return new RouteKey(in.getLong(), in.getLong());
    }

    /** A hash for one purpose: what it says of a text that others chose is of no use for another. */
    KeyedHash hash(String purpose) {
        byte[] text = purpose.getBytes(StandardCharsets.US_ASCII);
        KeyedHash derived =
                new KeyedHash(first, second).begin().add(text, 0, text.length).end();
        return new KeyedHash(derived.high(), derived.low());
    }

    /** Nothing of the key. */
    @Override
    public String toString() {
        return "RouteKey";
    }
}
