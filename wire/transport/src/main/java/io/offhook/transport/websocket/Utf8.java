package io.offhook.transport.websocket;

/** Whether bytes are UTF-8 (RFC 3629, 4): the shortest forms only, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    static boolean isValid(byte[] octets, int offset, int length) {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            if (octets[at] >= 0) {
                at++;
                continue;
            }
            int size = sequenceLength(octets, at, end);
            if (size == 0) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /** 0 if it is none. */
    private static int sequenceLength(byte[] octets, int at, int end) {
        int first = octets[at] & 0xff;
        int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (first < 0xc2 || first > 0xf4 || end - at < size) {
            return 0;
        }
        int second = octets[at + 1] & 0xff;
        int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < size; i++) {
            if ((octets[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return size;
    }
}
