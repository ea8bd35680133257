package io.offhook.analysis.tls;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The first bytes of a TLS stream (RFC 8446, 4.1 and 5.1): a record, and in it, where the stream was captured from its
 * beginning, a hello that says in clear which application is meant.
 *
 * <pre>
 * record     content type (8) | version 3.x (16) | length (16)
 * handshake  type (8) | length (24)
 * hello      version (16) | random (32 bytes) | session id &lt;0..32&gt;
 *            client: cipher suites &lt;2..&gt; | compression methods &lt;1..255&gt;      server: cipher suite (16) | compression (8)
 *            extensions: type (16) | length (16)
 * </pre>
 *
 * <p>Reads no further than the bytes present; the rest of a longer hello is ignored. Single-threaded.
 */
public final class TlsHello {
    private static final int RECORD_HEADER = 5;
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;

    /** RFC 5246, 6.2.3; TLS 1.3 allows less. */
    private static final int LONGEST_RECORD = (1 << 14) + 2048;

    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int LONGEST_NAME = 255;

    private MemorySegment segment = MemorySegment.NULL;
    private long at;
    private long end;
    private boolean client;
    private boolean server;
    private boolean namesProtocol;
    private boolean sipProtocol;
    private boolean sipHost;

    /**
     * Whether the bytes begin like a TLS record: a version of TLS, a valid length, and no handshake other than a hello.
     */
    public static boolean isRecord(MemorySegment segment, long offset, int length) {
        if (length <= RECORD_HEADER) {
            return false;
        }
        int type = NetworkOrder.u8(segment, offset);
        if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) {
            return false;
        }
        int version = NetworkOrder.u16(segment, offset + 1);
        int record = NetworkOrder.u16(segment, offset + 3);
        if (version < 0x0300 || version > 0x0304) {
            return false;
        }
        int first = NetworkOrder.u8(segment, offset + RECORD_HEADER);
        return record > 0
                && record <= LONGEST_RECORD
                && (type != HANDSHAKE || first == CLIENT_HELLO || first == SERVER_HELLO)
                && (type != CHANGE_CIPHER_SPEC || record == 1);
    }

    /** Reads what begins as a {@linkplain #isRecord record}. */
    public void read(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        at = offset + RECORD_HEADER;
        end = offset + Math.min(length, RECORD_HEADER + NetworkOrder.u16(segment, offset + 3));
        client = false;
        server = false;
        namesProtocol = false;
        sipProtocol = false;
        sipHost = false;
        if (NetworkOrder.u8(segment, offset) != HANDSHAKE) {
            return;
        }
        client = NetworkOrder.u8(segment, at) == CLIENT_HELLO;
        server = !client;
        at += 4 + VERSION_AND_RANDOM;
        skip(1);
        if (client) {
            skip(2);
            skip(1);
        } else {
            at += 3;
        }
        extensions();
    }

    /** Skips a vector whose length field has this many bytes. */
    private void skip(int lengthBytes) {
        if (end - at < lengthBytes) {
            at = end;
            return;
        }
        at += lengthBytes + (lengthBytes == 1 ? NetworkOrder.u8(segment, at) : NetworkOrder.u16(segment, at));
    }

    private void extensions() {
        at += 2; // their length, which the record bounds
        while (end - at >= 4) {
            int type = NetworkOrder.u16(segment, at);
            long body = at + 4;
            long next = body + NetworkOrder.u16(segment, at + 2);
            long last = Math.min(next, end);
            if (type == ALPN) {
                protocols(body + 2, last);
            } else if (type == SERVER_NAME) {
                serverName(body + 2, last);
            }
            at = next;
        }
    }

    /** RFC 7301, 3.1; the registry has "sip/2" (RFC 3261). */
    private void protocols(long from, long to) {
        long name = from;
        while (name < to) {
            int length = NetworkOrder.u8(segment, name);
            if (length > to - name - 1) {
                return;
            }
            namesProtocol = true;
            String protocol = text(name + 1, length);
            sipProtocol |= protocol.equals("sip") || protocol.startsWith("sip/");
            name += 1 + length;
        }
    }

    /** RFC 6066, 3: the first name is the only one. */
    private void serverName(long from, long to) {
        if (to - from < 3 || NetworkOrder.u8(segment, from) != 0) {
            return;
        }
        int length = NetworkOrder.u16(segment, from + 1);
        if (length <= to - from - 3) {
            sipHost = isSipHost(text(from + 3, Math.min(length, LONGEST_NAME)));
        }
    }

    /** "sip.example.com", "sips2.example.com": as telephone providers call their proxies. */
    private static boolean isSipHost(String name) {
        int at = name.startsWith("sips") ? 4 : name.startsWith("sip") ? 3 : 0;
        int digits = at;
        while (digits < name.length() && Character.isDigit(name.charAt(digits))) {
            digits++;
        }
        return at > 0 && digits < name.length() && name.charAt(digits) == '.';
    }

    private String text(long from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) NetworkOrder.u8(segment, from + i);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    }

    /** Whether the client sent it. */
    public boolean isClient() {
        return client;
    }

    /** Whether the server sent it. */
    public boolean isServer() {
        return server;
    }

    /** Whether SIP is meant: by the protocol named or, if none is named, by the name of the server. */
    public boolean isSip() {
        return sipProtocol || !namesProtocol && sipHost;
    }
}
