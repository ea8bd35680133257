package io.offhook.decrypt;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The handshake messages of one direction, over records (RFC 5246, 7.4; RFC 8446, 4): hellos are collected, of others only
 * the type matters. Single-threaded.
 *
 * <pre>
 * type (8) | length (24) | hello: version (16) | random (32 bytes) | session id &lt;0..32&gt;
 *     client: cipher suites &lt;2..&gt; | compression &lt;1..&gt;     server: cipher suite (16) | compression (8)
 *     extensions &lt;0..&gt;: type (16) | length (16) | ...
 * </pre>
 */
final class TlsHandshake {
    static final int CLIENT_HELLO = 1;
    static final int SERVER_HELLO = 2;
    static final int END_OF_EARLY_DATA = 5;
    static final int FINISHED = 20;
    static final int KEY_UPDATE = 24;

    private static final int TLS_13 = 0x0304;
    private static final int ENCRYPT_THEN_MAC = 22;
    private static final int EARLY_DATA = 42;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int USE_SRTP = 14;
    private static final int LONGEST_HELLO = 1 << 16;
    private static final int RANDOM = 2;
    private static final int RANDOM_LENGTH = 32;
    private static final int AFTER_RANDOM = RANDOM + RANDOM_LENGTH;

    /** What makes a server hello a request for another client hello (RFC 8446, 4.1.3). */
    private static final byte[] RETRY =
            HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

    /** Receives what matters of a handshake. */
    interface Messages {
        /** A client hello. */
        void clientHello(KeyLog.ClientRandom random, byte[] randomBytes, boolean hasEarlyData);

        /** A server hello that is no request for another client hello. */
        void serverHello(ServerHello hello);

        /** Another message. */
        void other(int type);
    }

    /**
     * A server hello.
     *
     * @param version of TLS: 0x0303 is 1.2, 0x0304 is 1.3; of DTLS 0xfefd is 1.2
     * @param random its 32 bytes
     * @param suite the number of the cipher suite
     * @param isMacOutside encrypt_then_mac (RFC 7366)
     * @param srtpProfile of use_srtp (RFC 5764); 0 without
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ServerHello(int version, byte[] random, int suite, boolean isMacOutside, int srtpProfile) {}

    private final Messages to;
    private final byte[] header = new byte[4];
    private int headerBytes;
    private byte[] body = new byte[0];
    private int bodyBytes;
    /** Bytes of the current message that are to come. */
    private int missing;

    TlsHandshake(Messages to) {
        this.to = to;
    }

    /** Forgets an unfinished message: bytes are missing. */
    void gap() {
        headerBytes = 0;
        missing = 0;
    }

    /** Reads the content of a record. */
    void read(byte[] bytes, int from, int length) {
        int at = from;
        int end = from + length;
        while (at < end) {
            if (headerBytes < header.length) {
                header[headerBytes++] = bytes[at++];
                if (headerBytes == header.length) {
                    begin();
                }
            } else {
                int part = Math.min(missing, end - at);
                if (isHello()) {
                    System.arraycopy(bytes, at, body, bodyBytes, part);
                    bodyBytes += part;
                }
                missing -= part;
                at += part;
            }
            if (headerBytes == header.length && missing == 0) {
                headerBytes = 0;
                complete();
            }
        }
    }

    private boolean isHello() {
        return header[0] == CLIENT_HELLO || header[0] == SERVER_HELLO;
    }

    private void begin() {
        missing = (header[1] & 0xff) << 16 | (header[2] & 0xff) << 8 | header[3] & 0xff;
        bodyBytes = 0;
        if (isHello() && missing > LONGEST_HELLO) {
            header[0] = 0; // skipped
        } else if (isHello() && body.length < missing) {
            body = new byte[missing];
        }
    }

    private void complete() {
        if (header[0] == CLIENT_HELLO) {
            clientHello(body, bodyBytes, to);
        } else if (header[0] == SERVER_HELLO) {
            serverHello(body, bodyBytes, to);
        } else {
            to.other(header[0] & 0xff);
        }
    }

    static void clientHello(byte[] body, int length, Messages to) {
        if (length >= AFTER_RANDOM) {
            int at = skip(body, skip(body, skip(body, AFTER_RANDOM, length, 1), length, 2), length, 1);
            byte[] random = Arrays.copyOfRange(body, RANDOM, AFTER_RANDOM);
            to.clientHello(KeyLog.ClientRandom.of(random, 0), random, extension(body, at, length, EARLY_DATA) >= 0);
        }
    }

    static void serverHello(byte[] body, int length, Messages to) {
        int suiteAt = length < AFTER_RANDOM + 1 ? length : skip(body, AFTER_RANDOM, length, 1);
        if (suiteAt + 3 > length || Arrays.equals(body, RANDOM, AFTER_RANDOM, RETRY, 0, RANDOM_LENGTH)) {
            return;
        }
        int extensions = suiteAt + 3;
        int version = u16(body, 0);
        int versions = extension(body, extensions, length, SUPPORTED_VERSIONS);
        if (versions >= 0 && versions + 2 <= length) {
            version = u16(body, versions);
        }
        int srtp = extension(body, extensions, length, USE_SRTP);
        to.serverHello(new ServerHello(
                version,
                Arrays.copyOfRange(body, RANDOM, AFTER_RANDOM),
                u16(body, suiteAt),
                extension(body, extensions, length, ENCRYPT_THEN_MAC) >= 0,
                srtp >= 0 && srtp + 4 <= length ? u16(body, srtp + 2) : 0));
    }

    /** Whether a version is TLS 1.3. */
    static boolean isTls13(int version) {
        return version == TLS_13;
    }

    /** The index behind a vector whose length field has this many bytes; the end if it does not fit. */
    private static int skip(byte[] body, int at, int end, int lengthBytes) {
        if (at + lengthBytes > end) {
            return end;
        }
        return Math.min(end, at + lengthBytes + (lengthBytes == 1 ? body[at] & 0xff : u16(body, at)));
    }

    /** The index of the content of an extension; -1 if there is none. */
    private static int extension(byte[] body, int from, int end, int type) {
        int at = from + 2; // their length, which the message bounds
        while (at + 4 <= end) {
            if (u16(body, at) == type) {
                return at + 4;
            }
            at += 4 + u16(body, at + 2);
        }
        return -1;
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
