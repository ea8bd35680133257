package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;

/**
 * Records of AES in CBC mode with HMAC, of TLS 1.1 and 1.2 (RFC 5246, 6.2.3.2) and with the MAC outside (RFC 7366).
 *
 * <pre>
 * MAC inside     IV (16) | encrypted: content | MAC | padding
 * MAC outside    IV (16) | encrypted: content | padding | MAC of IV and what is encrypted
 * </pre>
 */
final class TlsCbc implements TlsRecordCipher {
    private static final int BLOCK = 16;

    private final Secret key;
    private final boolean isMacOutside;
    private final Cipher cipher = Ciphers.cipher("AES/CBC/NoPadding");
    private final Mac mac;
    private final int macLength;
    private final byte[] tag;
    private final byte[] header = new byte[13];

    TlsCbc(TlsSuite suite, boolean isMacOutside, Secret key, Secret macKey) {
        this.key = key;
        this.isMacOutside = isMacOutside;
        mac = Ciphers.mac(suite.mac(), macKey);
        macLength = suite.macLength();
        tag = new byte[macLength];
    }

    @Override
    public int open(byte[] record, int at, int length, long number, byte[] opened) {
        int encrypted = length - BLOCK - (isMacOutside ? macLength : 0);
        if (encrypted < BLOCK || encrypted % BLOCK != 0) {
            return CLOSED;
        }
        int start = at + HEADER;
        if (isMacOutside && !isAuthentic(record, at, number, record, start, BLOCK + encrypted)) {
            return CLOSED;
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(record, start, BLOCK));
            cipher.doFinal(record, start + BLOCK, encrypted, opened, 0);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused("AES/CBC", e);
        }
        int padding = (opened[encrypted - 1] & 0xff) + 1;
        int content = encrypted - padding - (isMacOutside ? 0 : macLength);
        if (content < 0) {
            return CLOSED;
        }
        return isMacOutside || isAuthentic(record, at, number, opened, 0, content) ? content : CLOSED;
    }

    /** Whether the MAC stands behind some bytes. */
    private boolean isAuthentic(byte[] record, int at, long number, byte[] bytes, int from, int length) {
        SrtpPacketCipher.putU32(header, 0, number >>> 32);
        SrtpPacketCipher.putU32(header, 4, number);
        System.arraycopy(record, at, header, 8, 3);
        header[11] = (byte) (length >>> 8);
        header[12] = (byte) length;
        mac.update(header);
        mac.update(bytes, from, length);
        try {
            mac.doFinal(tag, 0);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused(mac.getAlgorithm(), e);
        }
        return Arrays.equals(tag, 0, macLength, bytes, from + length, from + length + macLength);
    }
}
