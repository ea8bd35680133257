package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES in Galois/counter mode (RFC 7714, 8 and 9). The JDK wants new parameters for each packet, and so allocates.
 *
 * <pre>
 * SRTP    header | encrypted payload | tag | MKI               additional data: the header
 * SRTCP   8 bytes | encrypted | tag | E (1) index (31) | MKI   additional data: the 8 bytes, E and index; all if E is 0
 *
 * IV      salt (12 bytes) XOR [ SSRC at 2 | ROC and sequence number, or 16 zero bits and index, at 6 ]
 * </pre>
 */
final class SrtpGcm implements SrtpPacketCipher {
    private static final int TAG = 16;
    private static final int RTCP_HEADER = 8;
    private static final long ENCRYPTED = 0x8000_0000L;

    private final SrtpKey key;
    private final Secret encryption;
    private final Secret salt;
    private final Cipher cipher = Ciphers.cipher("AES/GCM/NoPadding");
    private final byte[] iv = new byte[12];

    SrtpGcm(SrtpKey key, Secret encryption, Secret salt) {
        this.key = key;
        this.encryption = encryption;
        this.salt = salt;
    }

    @Override
    public int rtp(byte[] packet, int header, int length, long rollovers, byte[] opened) {
        int end = length - key.mkiLength();
        if (end - header < TAG || !hasMki(packet, length)) {
            return CLOSED;
        }
        vector(
                SrtpPacketCipher.u32(packet, 8),
                rollovers >>> 16,
                rollovers << 16 | SrtpPacketCipher.u32(packet, 0) & 0xffff);
        System.arraycopy(packet, 0, opened, 0, header);
        return open(packet, header, 0, 0, header, end, opened);
    }

    @Override
    public int rtcp(byte[] packet, int length, byte[] opened) {
        int indexAt = length - key.mkiLength() - 4;
        if (indexAt - RTCP_HEADER < TAG || !hasMki(packet, length)) {
            return CLOSED;
        }
        long index = SrtpPacketCipher.u32(packet, indexAt);
        vector(SrtpPacketCipher.u32(packet, 4), 0, index & ~ENCRYPTED);
        if ((index & ENCRYPTED) != 0) {
            System.arraycopy(packet, 0, opened, 0, RTCP_HEADER);
            return open(packet, RTCP_HEADER, indexAt, 4, RTCP_HEADER, indexAt, opened);
        }
        int end = indexAt - TAG;
        System.arraycopy(packet, 0, opened, 0, end);
        return open(packet, end, indexAt, 4, end, indexAt, opened);
    }

    private boolean hasMki(byte[] packet, int end) {
        SrtpKey.Mki mki = key.mki();
        return mki == null || mki.isAt(packet, end);
    }

    private void vector(long ssrc, long indexHigh, long indexLow) {
        Arrays.fill(iv, (byte) 0);
        salt.get(iv, 0);
        SrtpPacketCipher.xorU32(iv, 2, ssrc);
        iv[6] ^= (byte) (indexHigh >>> 8);
        iv[7] ^= (byte) indexHigh;
        SrtpPacketCipher.xorU32(iv, 8, indexLow);
    }

    /** Opens what is from {@code from} to {@code to} with its tag; the data before {@code clear}, and of a second piece, is authenticated. */
    private int open(byte[] packet, int clear, int more, int moreLength, int from, int to, byte[] opened) {
        try {
            cipher.init(Cipher.DECRYPT_MODE, encryption, new GCMParameterSpec(8 * TAG, iv));
            cipher.updateAAD(packet, 0, clear);
            cipher.updateAAD(packet, more, moreLength);
            return from + cipher.doFinal(packet, from, to - from, opened, from);
        } catch (AEADBadTagException e) {
            return CLOSED;
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused("AES/GCM", e);
        }
    }
}
