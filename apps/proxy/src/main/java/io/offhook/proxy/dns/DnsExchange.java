package io.offhook.proxy.dns;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * One question to one server: over UDP, from a port of its own with an identifier that cannot be guessed, and over TCP
 * if the answer does not fit. Blocks the calling thread, a virtual one, for at most the time-out; interrupting it closes
 * the socket.
 */
final class DnsExchange {
    private static final int MAX_DATAGRAM = 4096;
    private static final int MAX_TCP = 65_535;
    private static final long MILLISECOND_NS = 1_000_000L;
    /** Datagrams that do not belong to the query and are read before it counts as unanswered. */
    private static final int MAX_MISMATCHED = 100;

    private final SecureRandom random = new SecureRandom();
    private final DnsMessages messages;
    private final DnsCounts counts;

    DnsExchange(DnsMessages messages, DnsCounts counts) {
        this.messages = messages;
        this.counts = counts;
    }

    /** Asks a server. Any outcome is a reply. */
    DnsReply ask(InetSocketAddress server, DnsQuestion question, long timeoutMs) {
        long deadlineNs = System.nanoTime() + timeoutMs * MILLISECOND_NS;
        DnsReply reply = tried(() -> udp(server, question, true, deadlineNs));
        if (reply.kind() == DnsReply.Kind.NO_EDNS) {
            reply = tried(() -> udp(server, question, false, deadlineNs));
        }
        if (reply.kind() == DnsReply.Kind.TRUNCATED) {
            counts.count(DnsCounter.TRUNCATED);
            reply = tried(() -> tcp(server, question, deadlineNs));
        }
        DnsCounter counter = switch (reply.kind()) {
            case MALFORMED, TRUNCATED -> DnsCounter.MALFORMED;
            case SERVER_ERROR, NO_EDNS -> DnsCounter.SERVER_ERRORS;
            case TIMEOUT, MISMATCHED -> DnsCounter.TIMEOUTS;
            case UNREACHABLE -> DnsCounter.UNREACHABLE;
            case ALIAS_LOOP -> DnsCounter.ALIAS_LOOPS;
            case ANSWER, ALIAS -> null;
        };
        if (counter != null) {
            counts.count(counter);
        }
        return reply;
    }

    private interface Attempt {
        DnsReply run() throws IOException;
    }

    private static DnsReply tried(Attempt attempt) {
        try {
            return attempt.run();
        } catch (SocketTimeoutException _) {
            return DnsReply.of(DnsReply.Kind.TIMEOUT);
        } catch (PortUnreachableException _) {
            return DnsReply.of(DnsReply.Kind.UNREACHABLE);
        } catch (EOFException _) {
            return DnsReply.of(DnsReply.Kind.MALFORMED);
        } catch (IOException | IllegalArgumentException _) { // the latter: an address that is not resolved
            return DnsReply.of(DnsReply.Kind.UNREACHABLE);
        }
    }

    private DnsReply udp(InetSocketAddress server, DnsQuestion question, boolean hasEdns, long deadlineNs)
            throws IOException {
        int id = random.nextInt(1 << 16);
        byte[] query = messages.query(question, id, hasEdns);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            counts.count(DnsCounter.QUERIES);
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket packet = new DatagramPacket(new byte[MAX_DATAGRAM], MAX_DATAGRAM);
            for (int i = 0; i < MAX_MISMATCHED; i++) {
                socket.setSoTimeout(remainingMs(deadlineNs));
                packet.setLength(MAX_DATAGRAM);
                socket.receive(packet);
                byte[] octets = Arrays.copyOf(packet.getData(), packet.getLength());
                DnsReply reply = messages.read(octets, question, id);
                if (reply.kind() != DnsReply.Kind.MISMATCHED) {
                    return reply;
                }
                counts.count(DnsCounter.MISMATCHED); // who forges answers does not end the wait for the true one
            }
        }
        return DnsReply.of(DnsReply.Kind.MISMATCHED);
    }

    private DnsReply tcp(InetSocketAddress server, DnsQuestion question, long deadlineNs) throws IOException {
        int id = random.nextInt(1 << 16);
        byte[] query = messages.query(question, id, true);
        byte[] framed = new byte[2 + query.length];
        framed[0] = (byte) (query.length >>> 8);
        framed[1] = (byte) query.length;
        System.arraycopy(query, 0, framed, 2, query.length);
        try (Socket socket = new Socket()) {
            socket.connect(server, remainingMs(deadlineNs));
            counts.count(DnsCounter.QUERIES);
            counts.count(DnsCounter.TCP_QUERIES);
            socket.getOutputStream().write(framed);
            DataInputStream in = new DataInputStream(new TimedInput(socket, deadlineNs));
            int length = in.readUnsignedShort();
            byte[] octets = new byte[Math.min(length, MAX_TCP)];
            in.readFully(octets);
            return messages.read(octets, question, id);
        }
    }

    /** At least 1, as 0 means for ever. */
    private static int remainingMs(long deadlineNs) throws SocketTimeoutException {
        long remaining = (deadlineNs - System.nanoTime()) / MILLISECOND_NS;
        if (remaining <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(remaining, Integer.MAX_VALUE);
    }

    /** Sets the time that is left before each read: a server that sends byte by byte does not get more. */
    private static final class TimedInput extends java.io.InputStream {
        private final Socket socket;
        private final long deadlineNs;

        private TimedInput(Socket socket, long deadlineNs) {
            this.socket = socket;
            this.deadlineNs = deadlineNs;
        }

        @Override
        public int read() throws IOException {
            socket.setSoTimeout(remainingMs(deadlineNs));
            return socket.getInputStream().read();
        }

        @Override
        public int read(byte[] octets, int offset, int length) throws IOException {
            socket.setSoTimeout(remainingMs(deadlineNs));
            return socket.getInputStream().read(octets, offset, length);
        }
    }
}
