package io.offhook.cli.serve;

import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSink;
import io.offhook.live.packetsocket.PacketSocketSinkOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.NetworkOrder;

/**
 * A process that sends the frames of one interface on another one, but for some of the RTP from 10.1.0.0/16: those whose count is
 * {@value #DROPPED} modulo {@value #EACH}, of the first {@value #MOST}. It ends when it is killed.
 */
final class DroppingRouter {
    static final int EACH = 50;
    static final int DROPPED = 3;
    static final int MOST = 500;

    private static final int IP = 14;
    private static final int PROTOCOL = IP + 9;
    private static final int SOURCE = IP + 12;
    private static final int PAYLOAD = IP + 20 + 8;
    private static final int UDP = 17;

    /** Version 2, payload types that RTCP does not take. */
    private static final int FIRST_RTCP = 192;

    private static final int LAST_RTCP = 223;

    private DroppingRouter() {}

    public static void main(String[] args) {
        try (PacketSocketSource from = PacketSocketSource.open(PacketSocketOptions.of(args[0]), "ip");
                PacketSocketSink to = PacketSocketSink.open(PacketSocketSinkOptions.of(args[1]))) {
            from.start();
            System.err.println("routing");
            FrameBatch batch = new FrameBatch(1024);
            int count = 0;
            while (from.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    boolean isDropped = isRtp(batch, i) && count++ < MOST && (count - 1) % EACH == DROPPED;
                    if (!isDropped && batch.direction(i) != FrameDirection.OUTGOING) {
                        to.write(batch, i);
                    }
                }
                to.flush();
            }
        }
    }

    private static boolean isRtp(FrameBatch batch, int i) {
        if (batch.capturedLength(i) <= PAYLOAD + 12) {
            return false;
        }
        int type = octet(batch, i, PAYLOAD + 1);
        return octet(batch, i, PROTOCOL) == UDP
                && octet(batch, i, SOURCE) == 10
                && octet(batch, i, SOURCE + 1) == 1
                && octet(batch, i, PAYLOAD) >>> 6 == 2
                && (type < FIRST_RTCP || type > LAST_RTCP);
    }

    private static int octet(FrameBatch batch, int i, int at) {
        return NetworkOrder.u8(batch.segmentOf(i), batch.offset(i) + at);
    }
}
