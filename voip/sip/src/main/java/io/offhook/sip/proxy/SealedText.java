package io.offhook.sip.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Text that others carry for us and cannot read or change. The same text always becomes the same letters, so that what is sent
 * again is the same: the authentication code of the text is the initial vector of its cipher, as in RFC 5297 (SIV), with
 * HMAC-SHA-256 and AES-128 in counter mode.
 *
 * <pre>
 *  base64url( code of purpose and text, 16 bytes | text, encrypted )
 * </pre>
 *
 * <p>Single-threaded.
 */
final class SealedText {
    private static final String MAC = "HmacSHA256";
    private static final int CODE = 16;

    private final Mac mac;
    private final Cipher cipher;
    private final SecretKeySpec key;

    SealedText(RouteKey secret) {
        try {
            byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(secret.first())
                    .putLong(secret.second())
                    .array();
            mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(bytes, MAC));
            byte[] derived = mac.doFinal("topology".getBytes(StandardCharsets.US_ASCII));
            key = new SecretKeySpec(derived, 0, CODE, "AES");
            mac.init(new SecretKeySpec(derived, CODE, CODE, MAC));
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256 and AES", e);
        }
    }

    /**
     * Seals a text.
     *
     * @param purpose text that was sealed for one is not opened for another
     */
    String seal(char purpose, byte[] text, int offset, int length) {
        byte[] code = code(purpose, text, offset, length);
        byte[] sealed = Arrays.copyOf(code, CODE + length);
        crypt(Cipher.ENCRYPT_MODE, code, text, offset, length, sealed, CODE);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    /** The text; null if these letters are not one that was sealed here for this purpose. */
    byte @Nullable [] open(char purpose, byte[] letters, int offset, int length) {
        byte[] sealed;
        try {
            sealed = Base64.getUrlDecoder().decode(Arrays.copyOfRange(letters, offset, offset + length));
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (sealed.length <= CODE) {
            return null;
        }
        byte[] text = new byte[sealed.length - CODE];
        byte[] code = Arrays.copyOf(sealed, CODE);
        crypt(Cipher.DECRYPT_MODE, code, sealed, CODE, text.length, text, 0);
        return MessageDigest.isEqual(code, code(purpose, text, 0, text.length)) ? text : null;
    }

    private byte[] code(char purpose, byte[] text, int offset, int length) {
        mac.update((byte) purpose);
        mac.update(text, offset, length);
        return Arrays.copyOf(mac.doFinal(), CODE);
    }

    private void crypt(int mode, byte[] code, byte[] from, int offset, int length, byte[] to, int at) {
        try {
            cipher.init(mode, key, new IvParameterSpec(code));
            cipher.doFinal(from, offset, length, to, at);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("counter mode takes any text", e);
        }
    }
}
