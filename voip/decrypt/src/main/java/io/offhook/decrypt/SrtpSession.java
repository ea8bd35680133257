package io.offhook.decrypt;

import static io.offhook.decrypt.SrtpKeyDerivation.AUTHENTICATION;
import static io.offhook.decrypt.SrtpKeyDerivation.ENCRYPTION;
import static io.offhook.decrypt.SrtpKeyDerivation.RTCP;
import static io.offhook.decrypt.SrtpKeyDerivation.SALT;

import org.jspecify.annotations.Nullable;

/** The session keys of one master key, RTCP's derived when it is first needed. Single-threaded. */
final class SrtpSession implements AutoCloseable {
    private static final int RTP_HEADER = 12;
    private static final int HMAC_KEY = 20;

    private final SrtpKey key;
    private final SecretMemory memory = new SecretMemory();
    private final SrtpPacketCipher rtp;
    private @Nullable SrtpPacketCipher rtcp;

    SrtpSession(SrtpKey key) {
        this.key = key;
        rtp = cipher(0);
    }

    private SrtpPacketCipher cipher(int labels) {
        SrtpSuite suite = key.suite();
        Secret encryption = SrtpKeyDerivation.derive(memory, key, labels + ENCRYPTION, suite.keyLength());
        Secret salt = SrtpKeyDerivation.derive(memory, key, labels + SALT, suite.saltLength());
        return suite.isGcm()
                ? new SrtpGcm(key, encryption, salt)
                : new SrtpCounterMode(
                        key,
                        encryption,
                        SrtpKeyDerivation.derive(memory, key, labels + AUTHENTICATION, HMAC_KEY),
                        salt);
    }

    /** {@link SrtpPacketCipher#rtp}, for bytes that may be no RTP. */
    int rtp(byte[] packet, int length, long rollovers, byte[] opened) {
        int header = headerLength(packet, length);
        return header < 0 ? SrtpPacketCipher.CLOSED : rtp.rtp(packet, header, length, rollovers, opened);
    }

    /** {@link SrtpPacketCipher#rtcp}. */
    int rtcp(byte[] packet, int length, byte[] opened) {
        SrtpPacketCipher cipher = rtcp;
        if (cipher == null) {
            cipher = cipher(RTCP);
            rtcp = cipher;
        }
        return cipher.rtcp(packet, length, opened);
    }

    /** Bytes in clear: header, contributing sources and extension (RFC 3550, 5.1 and 5.3.1); -1 without room for them. */
    static int headerLength(byte[] packet, int length) {
        if (length < RTP_HEADER || (packet[0] & 0xc0) != 0x80) {
            return -1;
        }
        int header = RTP_HEADER + 4 * (packet[0] & 15);
        if ((packet[0] & 0x10) != 0) {
            if (length < header + 4) {
                return -1;
            }
            header += 4 + 4 * ((packet[header + 2] & 0xff) << 8 | packet[header + 3] & 0xff);
        }
        return header <= length ? header : -1;
    }

    @Override
    public void close() {
        memory.close();
    }
}
