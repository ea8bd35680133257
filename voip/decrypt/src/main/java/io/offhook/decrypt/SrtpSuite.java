package io.offhook.decrypt;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What protects SRTP: the suites of SDES (RFC 4568, 6188, 7714) and DTLS-SRTP (RFC 5764, 7714). F8 and SEED, which nobody
 * sends, are not among them.
 */
public enum SrtpSuite {
    /** AES in counter mode, a tag of 80 bits. */
    AES_CM_128_HMAC_SHA1_80(16, 14, 10, 10, 0x0001),
    /** As {@link #AES_CM_128_HMAC_SHA1_80}, with a tag of 32 bits behind RTP. */
    AES_CM_128_HMAC_SHA1_32(16, 14, 4, 10, 0x0002),
    /** RFC 6188. */
    AES_192_CM_HMAC_SHA1_80(24, 14, 10, 10, -1),
    /** RFC 6188. */
    AES_192_CM_HMAC_SHA1_32(24, 14, 4, 10, -1),
    /** RFC 6188. */
    AES_256_CM_HMAC_SHA1_80(32, 14, 10, 10, -1),
    /** RFC 6188. */
    AES_256_CM_HMAC_SHA1_32(32, 14, 4, 10, -1),
    /** RFC 7714. */
    AEAD_AES_128_GCM(16, 12, 16, 16, 0x0007),
    /** RFC 7714. */
    AEAD_AES_256_GCM(32, 12, 16, 16, 0x0008);

    private final int keyLength;
    private final int saltLength;
    private final int tagLength;
    private final int rtcpTagLength;
    private final int profile;

    SrtpSuite(int keyLength, int saltLength, int tagLength, int rtcpTagLength, int profile) {
        this.keyLength = keyLength;
        this.saltLength = saltLength;
        this.tagLength = tagLength;
        this.rtcpTagLength = rtcpTagLength;
        this.profile = profile;
    }

    /** The suite of a name as in a=crypto, in any case; null if it is not supported. */
    public static @Nullable SrtpSuite named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (SrtpSuite suite : values()) {
            if (suite.name().equals(upper)) {
                return suite;
            }
        }
        return switch (upper) {
            // the names of drafts of RFC 6188, which libsrtp and phones made common
            case "AES_CM_256_HMAC_SHA1_80" -> AES_256_CM_HMAC_SHA1_80;
            case "AES_CM_256_HMAC_SHA1_32" -> AES_256_CM_HMAC_SHA1_32;
            case "AES_CM_192_HMAC_SHA1_80" -> AES_192_CM_HMAC_SHA1_80;
            case "AES_CM_192_HMAC_SHA1_32" -> AES_192_CM_HMAC_SHA1_32;
            default -> null;
        };
    }

    /** The suite of a protection profile of use_srtp (RFC 5764, 4.1.2); null if it is not supported. */
    static @Nullable SrtpSuite ofProfile(int profile) {
        for (SrtpSuite suite : values()) {
            if (suite.profile == profile) {
                return suite;
            }
        }
        return null;
    }

    /** Bytes of the master key: 16, 24 or 32. */
    public int keyLength() {
        return keyLength;
    }

    /** Bytes of the master salt: 14, or 12 with GCM. */
    public int saltLength() {
        return saltLength;
    }

    /** Bytes of the tag behind RTP: 4, 10 or 16. */
    public int tagLength() {
        return tagLength;
    }

    /** Bytes of the tag behind RTCP: 10 or 16. */
    public int rtcpTagLength() {
        return rtcpTagLength;
    }

    boolean isGcm() {
        return saltLength == 12;
    }
}
