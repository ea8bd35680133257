package io.offhook.packet.application;

import io.offhook.packet.AsciiText;
import io.offhook.packet.HeaderView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A client hello of TLS (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), as the handshake message that it is, behind the header of
 * its record: which server the client asks for (SNI, RFC 6066, 3), and what it wants to speak (ALPN, RFC 7301, 3.1).
 *
 * <pre>
 *  0        8                         32
 * +--------+--------------------------+
 * |  type  |          length          |
 * +--------+--------+-----------------+
 * |     version     | random (256 bits)
 * +-----------------+----
 * | session id, cipher suites, compression, extensions ...
 * </pre>
 *
 * <p>A hello that goes on in another segment is read as far as it is there: {@link #isCut()}.
 *
 * <p>A borrowed window: reusable, single-threaded, and valid only as long as the wrapped bytes.
 */
public final class TlsClientHelloView extends HeaderView<TlsClientHelloView> {
    /** Up to the length of the session id. */
    public static final int MIN_LENGTH = 39;

    /** The type of the handshake message. */
    public static final int CLIENT_HELLO = 1;

    private static final int TYPE = 0;
    private static final int MESSAGE_LENGTH = 1;
    /** Where the version is, and the message that {@link #MESSAGE_LENGTH} counts starts. */
    private static final int VERSION = 4;

    private static final int SESSION_ID_LENGTH = 38;
    private static final int EXTENSION_SERVER_NAME = 0;
    // within that extension
    private static final int NAME_TYPE = 2;
    private static final int NAME_LENGTH = 3;
    private static final int NAME = 5;
    private static final int EXTENSION_APPLICATION_PROTOCOLS = 16;
    private static final int EXTENSION_SUPPORTED_VERSIONS = 43;

    private final TypeLengthValues extensions = new TypeLengthValues(TypeLengthValues.Form.DHCPV6_OPTIONS);
    private int cipherSuiteCount;
    private long serverNameOffset;
    private int serverNameLength;
    private long protocolsOffset;
    private int protocolsLength;
    private int highestVersion;
    private boolean isCut;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TlsClientHelloView() {}

    /**
     * Wraps a hello: TRUNCATED below 39 bytes, UNSUPPORTED if the message is another, MALFORMED if the session
     * id is above 32 bytes.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + TYPE) != CLIENT_HELLO
                || NetworkOrder.u8(segment, offset + VERSION) != 3) {
            return WrapStatus.UNSUPPORTED;
        }
        if (NetworkOrder.u8(segment, offset + SESSION_ID_LENGTH) > 32) {
            return WrapStatus.MALFORMED;
        }
        wrap(segment, offset, length, MIN_LENGTH);
        cipherSuiteCount = 0;
        serverNameOffset = offset;
        serverNameLength = 0;
        protocolsOffset = offset;
        protocolsLength = 0;
        highestVersion = NetworkOrder.u16(segment, offset + VERSION);
        int whole = VERSION + NetworkOrder.u24(segment, offset + MESSAGE_LENGTH);
        isCut = whole > length;
        long end = offset + Math.min(whole, length);
        long at = suites(offset + SESSION_ID_LENGTH + 1 + NetworkOrder.u8(segment, offset + SESSION_ID_LENGTH), end);
        if (at >= 0) {
            extensions(at, end);
        }
        return WrapStatus.OK;
    }

    /** Where the extensions' length stands; -1 if that is not there. */
    private long suites(long at, long end) {
        if (end - at < 2) {
            return -1;
        }
        int suites = NetworkOrder.u16(segment, at);
        cipherSuiteCount = suites / 2;
        long compression = at + 2 + suites;
        if (end - compression < 1) {
            return -1;
        }
        long next = compression + 1 + NetworkOrder.u8(segment, compression);
        return end - next < 2 ? -1 : next;
    }

    private void extensions(long at, long end) {
        extensions.wrap(segment, at + 2, (int) Math.min(NetworkOrder.u16(segment, at), end - at - 2));
        while (extensions.next()) {
            switch ((int) extensions.type()) {
                case EXTENSION_SERVER_NAME -> serverName();
                case EXTENSION_APPLICATION_PROTOCOLS -> {
                    protocolsOffset = extensions.valueOffset() + 2;
                    protocolsLength = Math.max(Math.min(extensions.u16(0), extensions.valueLength() - 2), 0);
                }
                case EXTENSION_SUPPORTED_VERSIONS -> versions();
                default -> {}
            }
        }
    }

    /** The first name of the list, when it is of the one type that there is. */
    private void serverName() {
        int size = extensions.u16(NAME_LENGTH);
        boolean isHost = extensions.valueLength() >= NAME && extensions.u8(NAME_TYPE) == 0;
        if (isHost && size <= extensions.valueLength() - NAME) {
            serverNameOffset = extensions.valueOffset() + NAME;
            serverNameLength = size;
        }
    }

    /** The highest that is none of those that only keep the way open (RFC 8701). */
    private void versions() {
        int bytes = Math.min(extensions.u8(0), extensions.valueLength() - 1);
        for (int i = 1; i + 1 <= bytes; i += 2) {
            int version = extensions.u16(i);
            if (version >>> 8 == 3 && version > highestVersion) {
                highestVersion = version;
            }
        }
    }

    /** The version in the old place: 0x0303 since TLS 1.2. */
    public int version() {
        return u16(VERSION);
    }

    /** Sets {@link #version()}. */
    public TlsClientHelloView version(int version) {
        return putU16(VERSION, "version", version);
    }

    /** The highest version that the client can: 0x0304 is TLS 1.3. */
    public int highestVersion() {
        return highestVersion;
    }

    /** Cipher suites that the client has. */
    public int cipherSuiteCount() {
        return cipherSuiteCount;
    }

    /** Where the name of the server starts. */
    public long serverNameOffset() {
        return serverNameOffset;
    }

    /** The length of the server name, in bytes; 0 if the client names none, or the hello is cut off before it. */
    public int serverNameLength() {
        return serverNameLength;
    }

    /** Where the list of application protocols starts: each has a byte of length before it. */
    public long protocolsOffset() {
        return protocolsOffset;
    }

    /** The length of the list of protocols, in bytes; 0 if there is none, or the hello is cut off before it. */
    public int protocolsLength() {
        return protocolsLength;
    }

    /** Whether the hello goes on after what is there. */
    public boolean isCut() {
        return isCut;
    }

    /** The server's name as text; it allocates. */
    public String serverNameText() {
        return AsciiText.text(segment, serverNameOffset, serverNameLength);
    }

    /** The application protocols, with commas between; it allocates. */
    public String protocolsText() {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < protocolsLength) {
            int size = Math.min(NetworkOrder.u8(segment, protocolsOffset + at), protocolsLength - at - 1);
            text.append(text.isEmpty() ? "" : ",").append(AsciiText.text(segment, protocolsOffset + at + 1, size));
            at += 1 + size;
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "tls client hello, version 0x" + Integer.toHexString(highestVersion);
    }
}
