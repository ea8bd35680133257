package io.offhook.store;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of the network, which is UTF-8 most of the time (RFC 3261, 25.1). */
final class Utf8 {
    private Utf8() {}

    static String text(byte[] octets) {
        return new String(octets, StandardCharsets.UTF_8);
    }

    static boolean isValid(byte[] octets) {
        for (byte octet : octets) {
            if (octet < 0) {
                return decodes(octets);
            }
        }
        return true;
    }

    private static boolean decodes(byte[] octets) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
