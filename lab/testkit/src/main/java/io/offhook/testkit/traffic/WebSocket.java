package io.offhook.testkit.traffic;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;

/** A WebSocket (RFC 6455) with the sub-protocol "sip" (RFC 7118) on a TCP connection. Single-threaded. */
public final class WebSocket {
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private final SentConnection connection;
    private final Random random;

    public WebSocket(SentConnection connection, Random random) {
        this.connection = connection;
        this.random = random;
    }

    /** TCP handshake, the upgrade request and its answer. Returns the time after it. */
    public long open(long timeNs, String host) {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String key = Base64.getEncoder().encodeToString(nonce);
        String request = "GET /ws HTTP/1.1\r\nHost: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: " + key + "\r\nSec-WebSocket-Protocol: sip\r\nSec-WebSocket-Version: 13\r\n"
                + "Origin: http://" + host + "\r\n\r\n";
        String response = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept(key) + "\r\nSec-WebSocket-Protocol: sip\r\n\r\n";
        long time = connection.open(timeNs);
        connection.send(time, true, ascii(request), Segmentation.whole());
        connection.send(time + 1_000_000, false, ascii(response), Segmentation.whole());
        return time + 2_000_000;
    }

    /**
     * Sends a message in {@code frames} frames of nearly the same length, with a ping of the same end between the first
     * and the second. Returns the time of the segment that completes it.
     */
    public long send(long timeNs, boolean fromClient, byte[] message, boolean binary, int frames, Segmentation how) {
        Octets bytes = new Octets();
        for (int i = 0; i < frames; i++) {
            int from = message.length * i / frames;
            int to = message.length * (i + 1) / frames;
            int opcode = i > 0 ? CONTINUATION : binary ? BINARY : TEXT;
            bytes.bytes(frame(fromClient, i == frames - 1, opcode, Arrays.copyOfRange(message, from, to)));
            if (i == 0 && frames > 1) {
                bytes.bytes(frame(fromClient, true, PING, ascii("offhook")));
            }
        }
        return connection.send(timeNs, fromClient, bytes.toArray(), how);
    }

    /** A ping and its pong. */
    public void ping(long timeNs, boolean fromClient) {
        byte[] text = ascii("ping");
        connection.send(timeNs, fromClient, frame(fromClient, true, PING, text), Segmentation.whole());
        connection.send(timeNs + 500_000, !fromClient, frame(!fromClient, true, PONG, text), Segmentation.whole());
    }

    /** Close frames of both ends (status 1000), then FIN. */
    public void close(long timeNs) {
        byte[] normal = {3, (byte) 0xe8};
        connection.send(timeNs, true, frame(true, true, CLOSE, normal), Segmentation.whole());
        connection.send(timeNs + 500_000, false, frame(false, true, CLOSE, normal), Segmentation.whole());
        connection.close(timeNs + 1_000_000, false);
    }

    /** One frame; a client masks its own (RFC 6455 section 5.3). */
    byte[] frame(boolean fromClient, boolean last, int opcode, byte[] payload) {
        Octets frame = new Octets().u8((last ? 0x80 : 0) | opcode);
        int mask = fromClient ? 0x80 : 0;
        if (payload.length < 126) {
            frame.u8(mask | payload.length);
        } else if (payload.length < 0x10000) {
            frame.u8(mask | 126).u16(payload.length);
        } else {
            frame.u8(mask | 127).u64(payload.length);
        }
        if (!fromClient) {
            return frame.bytes(payload).toArray();
        }
        byte[] key = new byte[4];
        random.nextBytes(key);
        byte[] masked = payload.clone();
        for (int i = 0; i < masked.length; i++) {
            masked[i] ^= key[i & 3];
        }
        return frame.bytes(key).bytes(masked).toArray();
    }

    static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest(ascii(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
