package io.offhook.sip;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.Deflater;

/** Writes WebSocket frames (RFC 6455, 5.2), one direction of a connection; texts are bytes as ISO 8859-1. */
final class Frames {
    static final String REQUEST = Native.lines(
            "GET /chat HTTP/1.1",
            "Host: sip-ws.example.com",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Origin: http://www.example.com",
            "Sec-WebSocket-Protocol: sip",
            "Sec-WebSocket-Version: 13",
            "");
    static final String RESPONSE = Native.lines(
            "HTTP/1.1 101 Switching Protocols",
            "upgrade: WebSocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "Sec-WebSocket-Protocol: sip",
            "");
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int PING = 9;
    static final int COMPRESSED = 0x40;

    private final StringBuilder out = new StringBuilder();
    private final Random random;
    private final boolean masked;
    private final Deflater deflater = new Deflater(6, true);

    Frames(Random random, boolean masked) {
        this.random = random;
        this.masked = masked;
    }

    /** What was written. */
    String bytes() {
        return out.toString();
    }

    Frames add(String raw) {
        out.append(raw);
        return this;
    }

    Frames frame(int firstByte, String payload) {
        int length = payload.length();
        int mask = masked ? 0x80 : 0;
        out.append((char) firstByte);
        if (length < 126) {
            out.append((char) (mask | length));
        } else if (length < 65_536) {
            out.append((char) (mask | 126)).append((char) (length >>> 8)).append((char) (length & 0xff));
        } else {
            out.append((char) (mask | 127)).append("\0\0\0\0");
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.append((char) (length >>> shift & 0xff));
            }
        }
        int key = masked ? random.nextInt() : 0;
        for (int shift = 24; masked && shift >= 0; shift -= 8) {
            out.append((char) (key >>> shift & 0xff));
        }
        for (int i = 0; i < length; i++) {
            out.append((char) (payload.charAt(i) ^ key >>> 24 - 8 * (i & 3) & 0xff));
        }
        return this;
    }

    /** One message in one frame. */
    Frames message(int opcode, String payload) {
        return frame(0x80 | opcode, payload);
    }

    /** One message in several frames, with a ping after each but the last. */
    Frames fragmented(int opcode, String payload, int pieces) {
        for (int i = 0; i < pieces; i++) {
            String piece = payload.substring(payload.length() * i / pieces, payload.length() * (i + 1) / pieces);
            boolean last = i == pieces - 1;
            frame((last ? 0x80 : 0) | (i == 0 ? opcode : 0), piece);
            if (!last) {
                frame(0x80 | PING, "ping");
            }
        }
        return this;
    }

    /** One message compressed with the context of those before it (RFC 7692, 7.2.1). */
    Frames compressed(String payload) {
        return message(COMPRESSED | TEXT, deflated(payload));
    }

    String deflated(String payload) {
        byte[] chunk = new byte[512];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        deflater.setInput(payload.getBytes(StandardCharsets.ISO_8859_1));
        int count;
        do {
            count = deflater.deflate(chunk, 0, chunk.length, Deflater.SYNC_FLUSH);
            bytes.write(chunk, 0, count);
        } while (count == chunk.length);
        String flushed = bytes.toString(StandardCharsets.ISO_8859_1);
        return flushed.substring(0, flushed.length() - 4);
    }
}
