package io.offhook.decrypt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys as a=crypto has them (RFC 4568, 9.2), behind the tag.
 *
 * <pre>
 * AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj|2^20|1:32 UNENCRYPTED_SRTCP
 * suite                   key and salt in base64 | lifetime | MKI:length        more keys behind ";"    parameters
 * </pre>
 */
final class SrtpKeyText {
    /** The most keys of a line. */
    private static final int MOST_KEYS = 8;

    private static final int LONGEST_MKI = 128;

    private SrtpKeyText() {}

    /**
     * Reads a line.
     *
     * @param memory receives the keys
     * @return empty if it is not understood: another suite, a key of another length, a key derivation rate
     */
    static List<SrtpKey> keys(KeyText line, SecretMemory memory) {
        SrtpSuite suite = SrtpSuite.named(line.word().text());
        KeyText inline = line.word();
        if (suite == null) {
            return List.of();
        }
        boolean isRtpClear = false;
        boolean isRtcpClear = false;
        boolean isUnauthenticated = false;
        while (!line.isEmpty()) {
            String parameter = line.word().text();
            switch (parameter) {
                case "UNENCRYPTED_SRTP" -> isRtpClear = true;
                case "UNENCRYPTED_SRTCP" -> isRtcpClear = true;
                case "UNAUTHENTICATED_SRTP" -> isUnauthenticated = true;
                default -> {
                    if (parameter.startsWith("KDR=")) {
                        return List.of();
                    }
                }
            }
        }
        List<SrtpKey> keys = new ArrayList<>(1);
        while (!inline.isEmpty() && keys.size() < MOST_KEYS) {
            SrtpKey key = key(inline.until(";"), suite, memory);
            if (key == null) {
                return List.of();
            }
            keys.add(new SrtpKey(
                    suite, key.master(), key.mki(), isRtpClear, isRtcpClear, isUnauthenticated && !suite.isGcm()));
        }
        return keys;
    }

    private static @Nullable SrtpKey key(KeyText text, SrtpSuite suite, SecretMemory memory) {
        if (!text.skip("inline:")) {
            return null;
        }
        Secret master = text.until("|").base64Secret(memory, suite.keyLength() + suite.saltLength());
        if (master == null) {
            return null;
        }
        SrtpKey.Mki mki = null;
        while (!text.isEmpty()) {
            String part = text.until("|").text();
            int colon = part.indexOf(':');
            if (colon > 0) {
                try {
                    int length = Integer.parseInt(part.substring(colon + 1));
                    if (length < 1 || length > LONGEST_MKI) {
                        return null;
                    }
                    mki = new SrtpKey.Mki(Long.parseUnsignedLong(part.substring(0, colon)), length);
                } catch (NumberFormatException e) {
                    return null;
                }
            }
        }
        return new SrtpKey(suite, master, mki, false, false, false);
    }
}
