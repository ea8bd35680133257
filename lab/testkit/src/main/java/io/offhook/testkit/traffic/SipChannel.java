package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import java.util.Random;

/** Carries SIP over one hop. Each send says when a reader of the capture has the whole message, -1 for never. */
interface SipChannel {
    long send(long timeNs, boolean forward, byte[] message);

    /** How many messages a reader of the capture sees for one that is sent: a mirrored TCP segment is no second one. */
    int copies();

    /** What is sent until {@link #uncork} goes out together, at the time of the first. */
    default void cork() {}

    default void uncork() {}

    /** A keep-alive: CR LF CR LF, answered by CR LF on streams (RFC 5626). */
    void keepAlive(long timeNs, boolean forward);

    /** Ends what there is to end. */
    default void close(long timeNs) {}

    /** SIP over UDP. */
    final class Datagrams implements SipChannel {
        private final Tap tap;
        private final Endpoint upper;
        private final Endpoint lower;
        private byte[] lastPacket = {};

        Datagrams(Tap tap, Endpoint upper, Endpoint lower) {
            this.tap = tap;
            this.upper = upper;
            this.lower = lower;
        }

        @Override
        public long send(long timeNs, boolean forward, byte[] message) {
            lastPacket = tap.udpPacket(forward ? upper : lower, forward ? lower : upper, message);
            long complete = tap.ip(timeNs, forward, lastPacket);
            // without its last fragment a message is known from its first one, which has the headers
            return complete < 0 ? tap.quantize(timeNs) : complete;
        }

        /** The IP packet with the message that was sent last. */
        byte[] lastPacket() {
            return lastPacket;
        }

        @Override
        public int copies() {
            return tap.copies();
        }

        @Override
        public void keepAlive(long timeNs, boolean forward) {
            tap.udp(timeNs, forward, forward ? upper : lower, forward ? lower : upper, new byte[] {13, 10, 13, 10});
        }
    }

    /** SIP over TCP, with the caller's end as client. */
    final class Stream implements SipChannel {
        private final SentConnection connection;
        private final Random random;
        private final Segmentation.Rule cutting;
        private final Octets[] corked = {new Octets(), new Octets()};
        private boolean isCorked;
        private long corkedAtNs;
        private int sent;

        Stream(SentConnection connection, Random random, Segmentation.Rule cutting) {
            this.connection = connection;
            this.random = random;
            this.cutting = cutting;
        }

        @Override
        public long send(long timeNs, boolean forward, byte[] message) {
            if (isCorked) {
                corkedAtNs = corkedAtNs < 0 ? timeNs : corkedAtNs;
                corked[forward ? 0 : 1].bytes(message);
                return connection.quantize(corkedAtNs);
            }
            return connection.send(timeNs, forward, message, cutting.cut(random, sent++, message.length));
        }

        @Override
        public int copies() {
            return 1;
        }

        @Override
        public void cork() {
            isCorked = true;
            corkedAtNs = -1;
        }

        @Override
        public void uncork() {
            isCorked = false;
            for (int side = 0; side < 2; side++) {
                if (corked[side].length() > 0) {
                    connection.send(corkedAtNs, side == 0, corked[side].toArray(), Segmentation.whole());
                    corked[side] = new Octets();
                }
            }
        }

        @Override
        public void keepAlive(long timeNs, boolean forward) {
            connection.send(timeNs, forward, new byte[] {13, 10, 13, 10}, Segmentation.whole());
            connection.send(timeNs + 300_000, !forward, new byte[] {13, 10}, Segmentation.whole());
        }

        @Override
        public void close(long timeNs) {
            connection.close(timeNs, true);
        }
    }

    /** SIP over a WebSocket, with the caller's end as client; every third message comes in three frames. */
    final class Frames implements SipChannel {
        private final WebSocket socket;
        private final Random random;
        private final Segmentation.Rule cutting;
        private int sent;

        Frames(WebSocket socket, Random random, Segmentation.Rule cutting) {
            this.socket = socket;
            this.random = random;
            this.cutting = cutting;
        }

        @Override
        public long send(long timeNs, boolean forward, byte[] message) {
            int number = sent++;
            Segmentation how = cutting.cut(random, number, message.length);
            return socket.send(timeNs, forward, message, number % 4 == 3, number % 3 == 2 ? 3 : 1, how);
        }

        @Override
        public int copies() {
            return 1;
        }

        @Override
        public void keepAlive(long timeNs, boolean forward) {
            socket.ping(timeNs, forward);
        }

        @Override
        public void close(long timeNs) {
            socket.close(timeNs);
        }
    }
}
