package io.offhook.decrypt;

import org.jspecify.annotations.Nullable;

/**
 * A master key of SRTP with what SDES says of its use (RFC 4568, 6.1 and 6.3).
 *
 * @param suite its algorithms
 * @param master key and salt, one after the other
 * @param mki the identifier that each packet carries; null if packets carry none
 * @param isRtpClear UNENCRYPTED_SRTP: RTP has a tag and is not encrypted
 * @param isRtcpClear UNENCRYPTED_SRTCP
 * @param isUnauthenticated UNAUTHENTICATED_SRTP: RTP has no tag, so that nothing says whether a key is right
 */
record SrtpKey(
        SrtpSuite suite,
        Secret master,
        @Nullable Mki mki,
        boolean isRtpClear,
        boolean isRtcpClear,
        boolean isUnauthenticated) {

    /**
     * A master key identifier.
     *
     * @param value unsigned, at most its last 8 bytes
     * @param length bytes in each packet, 1 to 128
     */
    record Mki(long value, int length) {
        /** Whether the bytes that end before {@code end} are it. */
        boolean isAt(byte[] packet, int end) {
            long found = 0;
            for (int i = end - length; i < end; i++) {
                found = found << 8 | packet[i] & 0xff;
            }
            return found == value;
        }
    }

    static SrtpKey of(SrtpSuite suite, Secret master) {
        return new SrtpKey(suite, master, null, false, false, false);
    }

    int mkiLength() {
        return mki == null ? 0 : mki.length;
    }

    /** Its suite; never the key. */
    @Override
    public String toString() {
        return "key of " + suite;
    }
}
