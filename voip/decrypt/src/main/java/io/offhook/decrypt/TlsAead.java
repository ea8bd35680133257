package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * Records of AEAD ciphers.
 *
 * <pre>
 * TLS 1.3             encrypted | tag     nonce: IV XOR number; additional data: the header (RFC 8446, 5.2 and 5.3)
 * TLS 1.2, GCM        explicit nonce (8) | encrypted | tag      nonce: 4 bytes, explicit (RFC 5288, 3)
 * TLS 1.2, ChaCha20   encrypted | tag     nonce: IV XOR number (RFC 7905, 2)
 *                     additional data: number (64), type, version, length of the content (RFC 5246, 6.2.3.3)
 * </pre>
 */
final class TlsAead implements TlsRecordCipher {
    private static final int TAG = 16;
    private static final int EXPLICIT = 8;

    private final boolean isTls13;
    private final boolean isGcm;
    private final Secret key;
    private final Secret fixedNonce;
    private Cipher cipher;
    private final byte[] nonce = new byte[12];
    private final byte[] data = new byte[13];

    TlsAead(TlsSuite suite, boolean isTls13, Secret key, Secret fixedNonce) {
        this.isTls13 = isTls13;
        this.key = key;
        this.fixedNonce = fixedNonce;
        isGcm = suite.kind() == TlsSuite.Kind.GCM;
        cipher = Ciphers.cipher(name());
    }

    private String name() {
        return isGcm ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305";
    }

    @Override
    public int open(byte[] record, int at, int length, long number, byte[] opened) {
        int explicit = isGcm && !isTls13 ? EXPLICIT : 0;
        if (length < explicit + TAG) {
            return CLOSED;
        }
        Arrays.fill(nonce, (byte) 0);
        fixedNonce.get(nonce, 0);
        if (explicit > 0) {
            System.arraycopy(record, at + HEADER, nonce, 4, EXPLICIT);
        } else {
            SrtpPacketCipher.xorU32(nonce, 4, number >>> 32);
            SrtpPacketCipher.xorU32(nonce, 8, number);
        }
        try {
            begin();
            if (isTls13) {
                cipher.updateAAD(record, at, HEADER);
            } else {
                SrtpPacketCipher.putU32(data, 0, number >>> 32);
                SrtpPacketCipher.putU32(data, 4, number);
                System.arraycopy(record, at, data, 8, 3);
                int content = length - explicit - TAG;
                data[11] = (byte) (content >>> 8);
                data[12] = (byte) content;
                cipher.updateAAD(data);
            }
            return cipher.doFinal(record, at + HEADER + explicit, length - explicit, opened, 0);
        } catch (AEADBadTagException e) {
            return CLOSED;
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused(cipher.getAlgorithm(), e);
        }
    }

    /** The JDK's ChaCha20 refuses a nonce twice in succession, which is how a record is read again. */
    private void begin() throws GeneralSecurityException {
        if (isGcm) {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG, nonce));
            return;
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(nonce));
        } catch (InvalidKeyException e) {
            cipher = Ciphers.cipher(name());
            cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(nonce));
        }
    }
}
