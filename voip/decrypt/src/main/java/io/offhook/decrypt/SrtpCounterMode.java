package io.offhook.decrypt;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * AES in counter mode with HMAC-SHA1 (RFC 3711, 4.1.1, 4.2 and 3.4). Allocates nothing for a packet: key stream is made by
 * encrypting counters.
 *
 * <pre>
 * SRTP    header | encrypted payload | MKI | tag           the tag covers header, payload and the rollover counter
 * SRTCP   8 bytes | encrypted | E (1) index (31) | MKI | tag     the tag covers all before the MKI
 *
 * counter block   salt (14 bytes) XOR [ SSRC at 4 | packet index at 8, 48 bits ] | block (16)
 * </pre>
 */
final class SrtpCounterMode implements SrtpPacketCipher {
    private static final int BLOCK = 16;
    private static final int SALT_LENGTH = 14;
    private static final int RTCP_HEADER = 8;
    private static final long ENCRYPTED = 0x8000_0000L;

    private final SrtpKey key;
    private final Cipher cipher;
    private final Mac mac;
    private final Secret salt;
    private final byte[] tag = new byte[20];
    private final byte[] word = new byte[4];
    private final byte[] counter = new byte[BLOCK];
    private byte[] counters = new byte[0];
    private byte[] stream = new byte[0];

    SrtpCounterMode(SrtpKey key, Secret encryption, Secret authentication, Secret salt) {
        this.key = key;
        this.salt = salt;
        cipher = Ciphers.blocks(encryption);
        mac = Ciphers.mac("HmacSHA1", authentication);
    }

    @Override
    public int rtp(byte[] packet, int header, int length, long rollovers, byte[] opened) {
        int tagLength = key.isUnauthenticated() ? 0 : key.suite().tagLength();
        int end = length - tagLength - key.mkiLength();
        if (end < header || !hasMki(packet, length - tagLength)) {
            return CLOSED;
        }
        if (tagLength > 0) {
            SrtpPacketCipher.putU32(word, 0, rollovers);
            if (!isAuthentic(packet, end, word, length - tagLength, tagLength)) {
                return CLOSED;
            }
        }
        int sequenceNumber = (packet[2] & 0xff) << 8 | packet[3] & 0xff;
        System.arraycopy(packet, 0, opened, 0, end);
        if (!key.isRtpClear()) {
            crypt(opened, header, end, SrtpPacketCipher.u32(packet, 8), rollovers << 16 | sequenceNumber);
        }
        return end;
    }

    @Override
    public int rtcp(byte[] packet, int length, byte[] opened) {
        int tagLength = key.suite().rtcpTagLength();
        int indexEnd = length - tagLength - key.mkiLength();
        int end = indexEnd - 4;
        if (end < RTCP_HEADER
                || !hasMki(packet, length - tagLength)
                || !isAuthentic(packet, indexEnd, null, length - tagLength, tagLength)) {
            return CLOSED;
        }
        long index = SrtpPacketCipher.u32(packet, end);
        System.arraycopy(packet, 0, opened, 0, end);
        if ((index & ENCRYPTED) != 0) {
            crypt(opened, RTCP_HEADER, end, SrtpPacketCipher.u32(packet, 4), index & ~ENCRYPTED);
        }
        return end;
    }

    private boolean hasMki(byte[] packet, int end) {
        SrtpKey.Mki mki = key.mki();
        return mki == null || mki.isAt(packet, end);
    }

    private boolean isAuthentic(byte[] packet, int end, byte @Nullable [] behind, int tagAt, int tagLength) {
        mac.update(packet, 0, end);
        if (behind != null) {
            mac.update(behind, 0, behind.length);
        }
        try {
            mac.doFinal(tag, 0);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused("HmacSHA1", e);
        }
        return Arrays.equals(tag, 0, tagLength, packet, tagAt, tagAt + tagLength);
    }

    /** Encrypts or decrypts in place, which is the same. */
    private void crypt(byte[] bytes, int from, int to, long ssrc, long index) {
        int blocks = (to - from + BLOCK - 1) / BLOCK;
        if (blocks * BLOCK > counters.length) {
            counters = new byte[2 * blocks * BLOCK];
            stream = new byte[2 * blocks * BLOCK];
        }
        Arrays.fill(counter, (byte) 0);
        salt.get(counter, 0);
        SrtpPacketCipher.xorU32(counter, 4, ssrc);
        SrtpPacketCipher.xorU32(counter, 8, index >>> 16);
        counter[12] ^= (byte) (index >>> 8);
        counter[13] ^= (byte) index;
        for (int i = 0; i < blocks; i++) {
            System.arraycopy(counter, 0, counters, i * BLOCK, SALT_LENGTH);
            counters[i * BLOCK + 14] = (byte) (i >>> 8);
            counters[i * BLOCK + 15] = (byte) i;
        }
        try {
            cipher.update(counters, 0, blocks * BLOCK, stream, 0);
        } catch (GeneralSecurityException e) {
            throw Ciphers.refused("AES", e);
        }
        for (int i = from; i < to; i++) {
            bytes[i] ^= stream[i - from];
        }
    }
}
