package io.offhook.decrypt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;

/** The functions that derive keys from the secrets of a key log. */
final class TlsKeySchedule {
    private TlsKeySchedule() {}

    /**
     * PRF of TLS 1.2 (RFC 5246, 5).
     *
     * @param hmac "HmacSHA256" or "HmacSHA384"
     * @param seed behind the label
     */
    static Secret prf(SecretMemory memory, String hmac, Secret secret, String label, byte[] seed, int length) {
        Mac mac = Ciphers.mac(hmac, secret);
        byte[] labelBytes = label.getBytes(StandardCharsets.US_ASCII);
        byte[] out = new byte[length];
        try {
            mac.update(labelBytes);
            byte[] a = mac.doFinal(seed);
            for (int at = 0; at < length; at += a.length) {
                mac.update(a);
                mac.update(labelBytes);
                byte[] block = mac.doFinal(seed);
                System.arraycopy(block, 0, out, at, Math.min(block.length, length - at));
                Arrays.fill(block, (byte) 0);
                byte[] next = mac.doFinal(a);
                Arrays.fill(a, (byte) 0);
                a = next;
            }
            Arrays.fill(a, (byte) 0);
            return memory.take(out);
        } finally {
            Arrays.fill(out, (byte) 0);
        }
    }

    /** HKDF-Expand-Label of TLS 1.3 with an empty context (RFC 8446, 7.1). */
    static Secret expandLabel(SecretMemory memory, String hmac, Secret secret, String label, int length) {
        byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        byte[] info = new byte[4 + name.length];
        info[0] = (byte) (length >>> 8);
        info[1] = (byte) length;
        info[2] = (byte) name.length;
        System.arraycopy(name, 0, info, 3, name.length);
        Mac mac = Ciphers.mac(hmac, secret);
        byte[] block = new byte[mac.getMacLength()];
        byte[] out = new byte[length];
        try {
            for (int at = 0, counter = 1; at < length; at += block.length, counter++) {
                if (counter > 1) {
                    mac.update(block);
                }
                mac.update(info);
                mac.update((byte) counter);
                mac.doFinal(block, 0);
                System.arraycopy(block, 0, out, at, Math.min(block.length, length - at));
            }
            return memory.take(out);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused(hmac, e);
        } finally {
            Arrays.fill(block, (byte) 0);
            Arrays.fill(out, (byte) 0);
        }
    }
}
