package io.offhook.sip.digest;

import io.offhook.packet.IpAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Nonces that need no memory until they are used: each says when it was made, and proves that it was made here.
 *
 * <pre>
 * base64url( time in ms, 6 bytes | number, 6 bytes | first 12 bytes of HMAC-SHA-256(secret, both, realm, address) )
 * </pre>
 *
 * The number makes nonces of the same millisecond differ, so that two phones never count in one nonce.
 */
final class DigestNonces {
    private static final int HEAD = 12;
    private static final int LENGTH = 24;
    private static final int TEXT_LENGTH = 32;
    private static final long LOW_48 = (1L << 48) - 1;

    private final SecretKeySpec key;
    private final AtomicLong number;

    /** @param firstNumber where counting begins: at random, since two processes may share the secret */
    DigestNonces(byte[] secret, long firstNumber) {
        key = new SecretKeySpec(secret, "HmacSHA256");
        number = new AtomicLong(firstNumber);
    }

    /** @param source null if the nonce may be used from any address */
    String make(String realm, @Nullable IpAddress source, long nowMs) {
        ByteBuffer nonce = ByteBuffer.allocate(LENGTH);
        put48(nonce, nowMs);
        put48(nonce, number.getAndIncrement());
        nonce.put(mac(nonce.array(), realm, source), 0, LENGTH - HEAD);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /**
     * A nonce of ours.
     *
     * @param timeMs when it was made, in ms since the epoch
     * @param id what tells it from all others, to 64 bits
     */
    record Made(long timeMs, long id) {}

    /** Null if the nonce was not made here, or for another realm or address. */
    @Nullable
    Made read(String nonce, String realm, @Nullable IpAddress source) {
        if (nonce.length() != TEXT_LENGTH) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException e) { // other characters
            return null;
        }
        byte[] mac = mac(bytes, realm, source);
        int difference = 0;
        for (int i = HEAD; i < LENGTH; i++) {
            difference |= bytes[i] ^ mac[i - HEAD];
        }
        if (difference != 0) {
            return null;
        }
        ByteBuffer made = ByteBuffer.wrap(bytes);
        return new Made(made.getLong(0) >>> 16, made.getLong(HEAD));
    }

    private byte[] mac(byte[] nonce, String realm, @Nullable IpAddress source) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(nonce, 0, HEAD);
            if (source != null) {
                mac.update(ByteBuffer.allocate(16)
                        .putLong(source.high())
                        .putLong(source.low())
                        .flip());
            }
            return mac.doFinal(realm.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) { // in every JDK
            throw new IllegalStateException("this Java has no HMAC-SHA-256", e);
        }
    }

    private static void put48(ByteBuffer buffer, long value) {
        buffer.putShort((short) ((value & LOW_48) >>> 32)).putInt((int) value);
    }

    /** Whether two texts in hex are the same, in a time that does not say where they differ. */
    static boolean isSameHex(String one, String other) {
        return MessageDigest.isEqual(
                one.toLowerCase(java.util.Locale.ROOT).getBytes(StandardCharsets.UTF_8),
                other.toLowerCase(java.util.Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    }
}
