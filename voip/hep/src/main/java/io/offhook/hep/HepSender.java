package io.offhook.hep;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends what threads mirror to a collector, by a thread of its own. While there is no connection, packets wait in their
 * rings, which is where they are dropped and counted once these are full; connecting is tried again after 100 ms, then
 * after twice as long each time, up to 30 s.
 *
 * <p>A packet that a broken TCP connection had accepted, but not delivered, is lost without being counted.
 */
public final class HepSender implements AutoCloseable {
    private static final long MILLISECOND_NS = 1_000_000L;
    private static final long SHORTEST_IDLE_NS = MILLISECOND_NS;
    private static final long LONGEST_IDLE_NS = 16 * MILLISECOND_NS;
    /** Packets of one ring before those of the others have their turn. */
    private static final int BURST = 64;

    private final HepTarget target;
    private final HepAgent agent;
    private final int ringBytes;
    private final @Nullable SSLContext tls;
    private final List<HepFeed> feeds = new CopyOnWriteArrayList<>();
    private final HepBackOff backOff = new HepBackOff();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong connects = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable HepConnection connection;
    private volatile @Nullable Socket opening;
    private volatile boolean isEnding;
    private volatile boolean isEnded;

    /**
     * Starts a sender.
     *
     * @param ringBytes the size of each feed's ring, 4096 to 2^30; rounded down to a power of two
     * @param tls for {@link HepTarget.HepTransport#TLS}; null for the system's certificates
     */
    public HepSender(HepTarget target, HepAgent agent, int ringBytes, @Nullable SSLContext tls) {
        if (ringBytes < 4096 || ringBytes > 1 << 30) {
            throw new IllegalArgumentException("a ring of " + ringBytes + " bytes; the limits are 4096 and 2^30");
        }
        this.target = target;
        this.agent = agent;
        this.ringBytes = ringBytes;
        this.tls = tls;
        thread = Thread.ofPlatform().name("hep-sender").daemon().start(this::run);
    }

    /** A ring for one thread that mirrors; it lasts as long as the sender. */
    public HepFeed feed() {
        HepFeed feed = new HepFeed(agent, ringBytes);
        feeds.add(feed);
        return feed;
    }

    private void run() {
        long idleNs = SHORTEST_IDLE_NS;
        while (!isEnded) {
            int count = isConnected() ? sendWaiting() : 0;
            if (count > 0) {
                idleNs = SHORTEST_IDLE_NS;
            } else if (isEnding && (connection == null || !hasWaiting())) {
                break;
            } else {
                LockSupport.parkNanos(this, idleNs);
                idleNs = Math.min(2 * idleNs, LONGEST_IDLE_NS);
            }
        }
        disconnect();
    }

    private boolean isConnected() {
        if (connection != null) {
            return true;
        }
        if (isEnding && refusals.get() > 0 || !backOff.isOver(System.nanoTime())) {
            return false;
        }
        try {
            connection = HepConnection.open(target, tls, socket -> opening = socket);
            connects.incrementAndGet();
            return true;
        } catch (IOException _) {
            refusals.incrementAndGet();
            backOff.failed(System.nanoTime());
            return false;
        }
    }

    private boolean hasWaiting() {
        for (HepFeed feed : feeds) {
            if (feed.peek() > 0) {
                return true;
            }
        }
        return false;
    }

    private int sendWaiting() {
        int count = 0;
        for (HepFeed feed : feeds) {
            HepConnection open = connection;
            for (int i = 0; i < BURST && open != null; i++) {
                int length = feed.peek();
                if (length == 0) {
                    break;
                }
                count++;
                if (!isSent(open, feed, length)) {
                    open = null;
                }
            }
        }
        return count;
    }

    /** Sends the oldest packet of a ring; false if the connection broke, after which it is sent again on the next one. */
    private boolean isSent(HepConnection open, HepFeed feed, int length) {
        try {
            open.send(feed.octets(), feed.offset(), length);
            feed.release();
            sent.incrementAndGet();
            backOff.succeeded();
            return true;
        } catch (IOException _) {
            failed.incrementAndGet();
            if (target.transport() == HepTarget.HepTransport.UDP) {
                feed.release(); // the error may be of an earlier datagram; none is sent twice
            }
            disconnect();
            backOff.failed(System.nanoTime());
            return false;
        }
    }

    private void disconnect() {
        HepConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    /** Ends an attempt to connect, or a send, that blocks. */
    private void cutOff() {
        HepConnection open = connection;
        if (open != null) {
            open.close();
        }
        Socket socket = opening;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }

    /** Packets sent. */
    public long sent() {
        return sent.get();
    }

    /** Attempts to send that failed; over TCP and TLS the packet is tried again, over UDP it is lost. */
    public long failed() {
        return failed.get();
    }

    /** Connections that were made; for UDP, sockets that were opened. */
    public long connects() {
        return connects.get();
    }

    /** Attempts to connect that failed. */
    public long refusals() {
        return refusals.get();
    }

    /** Packets that were to be sent. */
    public long offered() {
        long sum = 0;
        for (HepFeed feed : feeds) {
            sum += feed.offered();
        }
        return sum;
    }

    /** Packets that feeds dropped because their ring was full, or the packet too long. */
    public long dropped() {
        long sum = 0;
        for (HepFeed feed : feeds) {
            sum += feed.dropped() + feed.tooLong();
        }
        return sum;
    }

    /** Ends within a second, sending what waits. */
    @Override
    public void close() {
        close(1000);
    }

    /**
     * Sends what waits, if there is a connection, and ends.
     *
     * @param drainMs how long that may take, in milliseconds; what is left then is lost
     */
    public void close(long drainMs) {
        isEnding = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, drainMs));
            isEnded = true;
            if (thread.isAlive()) {
                cutOff();
            }
            LockSupport.unpark(thread);
            thread.join(10_000);
        } catch (InterruptedException _) {
            isEnded = true;
            Thread.currentThread().interrupt();
        }
    }
}
