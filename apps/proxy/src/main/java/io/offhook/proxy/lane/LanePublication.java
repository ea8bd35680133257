package io.offhook.proxy.lane;

import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.lanes.LaneMeter;
import io.offhook.transport.DatagramCounters;
import io.offhook.transport.DatagramLane;
import org.jspecify.annotations.Nullable;

/**
 * What a lane publishes of itself on a board, for {@code offhook threads}: messages, whether it has work, what waits for it and what
 * was lost. Of the lane's thread. Times are those that the lane has read anyway; its sockets are asked ten times a second, and more
 * often while bursts are large.
 */
final class LanePublication {
    private static final long LOOK_NS = 100_000_000;
    private static final long LOOK_AT_BURSTS_NS = 1_000_000;
    private static final int LARGE = 32;

    private final LaneMeter meter;
    private final DatagramLane sockets;
    private final LaneMailbox mailbox;
    private final LaneCounters counters;
    /** Whether the queue of the lane is that of its sockets. */
    private final boolean hasSockets;

    private boolean isWaiting;
    private long lookedNs;

    private LanePublication(LaneMeter meter, DatagramLane sockets, LaneMailbox mailbox, LaneCounters counters) {
        this.meter = meter;
        this.sockets = sockets;
        this.mailbox = mailbox;
        this.counters = counters;
        long room = 0;
        boolean isKnown = true;
        for (DatagramCounters.SocketState socket : sockets.counters().sockets()) {
            room += 2L * socket.receiveBufferGiven(); // what waits is counted with the kernel's overhead
            isKnown &= socket.waitingBytes() >= 0;
        }
        hasSockets = isKnown && room > 0;
        if (hasSockets) {
            meter.queue("bytes unread", room);
        } else {
            meter.queue("tasks", mailbox.limit());
        }
    }

    /** Begins, on the lane's thread; null if the board has no room. */
    static @Nullable LanePublication on(
            LaneBoard board, String name, DatagramLane sockets, LaneMailbox mailbox, LaneCounters counters) {
        LaneMeter meter = board.lane(name, -1);
        return meter == null ? null : new LanePublication(meter, sockets, mailbox, counters);
    }

    /** The lane has waited, or not, and works now. */
    void begins(long nowNs) {
        if (isWaiting) {
            isWaiting = false;
            meter.works(nowNs);
        }
    }

    /**
     * The lane took what was there.
     *
     * @param beganNs when it began to
     * @param messages how many, from sockets and from other lanes
     */
    void took(long beganNs, int messages) {
        if (beganNs - lookedNs >= (messages >= LARGE ? LOOK_AT_BURSTS_NS : LOOK_NS)) {
            lookedNs = beganNs;
            look();
        }
        if (messages > 0) {
            meter.polled(beganNs, messages);
        }
    }

    private void look() {
        long waiting = 0;
        long drops = mailbox.refused() + counters.handOverRefused();
        for (DatagramCounters.SocketState socket : sockets.counters().sockets()) {
            waiting += Math.max(0, socket.waitingBytes());
            drops += Math.max(0, socket.drops());
        }
        meter.depth(hasSockets ? waiting : mailbox.size());
        meter.drops(drops);
    }

    /** The lane has nothing to do and begins to wait. */
    void waits(long nowNs) {
        isWaiting = true;
        meter.waits(nowNs);
    }

    /** The lane ends. */
    void ends(long nowNs) {
        look();
        meter.end(nowNs);
    }
}
