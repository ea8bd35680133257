package io.offhook.transport;

import io.offhook.packet.Endpoint;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection, with TLS or without. What it received is passed to its {@link ConnectionHandler} by the thread of its
 * loop; everything here may be called by any thread, and returns at once.
 *
 * <p>Sent bytes are copied into a queue, which the loop empties in order. {@link #finishSending} ends the own direction
 * after them, {@link #closeAfterSending} the connection; {@link #close} ends it at once. Bytes may be sent before the
 * connection is established: they leave when it is.
 */
public final class Connection {
    /** The way of a connection. */
    enum Stage {
        CONNECTING,
        HANDSHAKING,
        OPEN,
        CLOSED
    }

    private static final int FINISH_SENDING = 1;
    private static final int CLOSE_AFTER_SENDING = 2;
    private static final int CLOSE = 4;
    private static final VarHandle WISHES;
    private static final VarHandle SCHEDULED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WISHES = lookup.findVarHandle(Connection.class, "wishes", int.class);
            SCHEDULED = lookup.findVarHandle(Connection.class, "scheduled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long id;
    private final ConnectionLoop loop;
    private final boolean isOutgoing;
    private final Endpoint remote;
    private volatile Endpoint local;
    /** What waits to be sent, without TLS. It is its own lock. */
    private final OctetQueue queue;

    private boolean isRefusedSend;
    private volatile int wishes;

    @SuppressWarnings("UnusedVariable") // read by SCHEDULED
    private volatile boolean scheduled;

    private volatile long sentBytes;
    private volatile long queuedInAllBytes;

    // used by the thread of the loop only
    final SocketChannel channel;
    final ConnectionHandler handler;
    final HeldOctets unread;

    @Nullable
    SelectionKey key;

    volatile Stage stage = Stage.OPEN;
    volatile @Nullable TlsLayer tls;
    /** The next in the loop's list of connections with something to do. */
    @Nullable
    Connection nextScheduled;

    @Nullable
    Connection wheelNext;

    @Nullable
    Connection wheelPrevious;

    long wheelTick = -1;
    /** When the stage began. */
    long sinceNs;

    volatile long idleNs;
    volatile long receivedBytes;
    /** Bytes handed to the kernel, with TLS. */
    long writtenBytes;

    long receivedNs;
    /** When bytes began to wait to be consumed; -1 if there are none. */
    long unreadSinceNs = -1;
    /** When the bytes that wait to be sent were first looked at; -1 if there are none. */
    long stalledSinceNs = -1;
    /** What must be sent in time for {@link #stalledSinceNs} to move on. */
    long stallMark;
    /** When this side finished sending in order to close; -1 if it has not. */
    long finishSinceNs = -1;

    /** Whether the peer's end was read while a task of the handshake ran. */
    boolean isEndPending;

    boolean isOutputFinished;
    boolean isInputFinished;

    Connection(
            long id, ConnectionLoop loop, SocketChannel channel, ConnectionHandler handler, InetSocketAddress remote) {
        this.id = id;
        this.loop = loop;
        this.channel = channel;
        this.handler = handler;
        this.isOutgoing = !channel.isConnected();
        this.remote = Endpoint.of(remote);
        this.local = localOf(channel, this.remote);
        idleNs = loop.timeouts().idleNs();
        queue = new OctetQueue(loop.pool());
        unread = new HeldOctets(loop.pool());
    }

    /** Before a connection is established, or after it is closed, the address may be unknown: the unspecified one. */
    private static Endpoint localOf(SocketChannel channel, Endpoint remote) {
        try {
            SocketAddress address = channel.getLocalAddress();
            if (address instanceof InetSocketAddress internet) {
                return Endpoint.of(internet);
            }
        } catch (IOException e) {
            // closed meanwhile
        }
        return Endpoint.of(remote.isIpv4() ? "0.0.0.0" : "::", 0);
    }

    void findLocal() {
        local = localOf(channel, remote);
    }

    /** A number that no other connection of the loops has had or will have, from 1. */
    public long id() {
        return id;
    }

    /** The peer's address and port. */
    public Endpoint remote() {
        return remote;
    }

    /** The own address and port; unspecified until an outgoing connection is established. */
    public Endpoint local() {
        return local;
    }

    /** Whether it was begun from here. */
    public boolean isOutgoing() {
        return isOutgoing;
    }

    /** Whether it has not been closed; it may not be established yet. */
    public boolean isOpen() {
        return stage != Stage.CLOSED && (wishes & CLOSE) == 0;
    }

    /** Whether it has TLS. */
    public boolean isSecure() {
        return tls != null;
    }

    /** The certificate of the TLS peer and those that vouch for it; empty without TLS, before it is established, or if the peer has sent none. */
    public List<X509Certificate> peerCertificates() {
        TlsLayer layer = tls;
        return layer == null ? List.of() : layer.peerCertificates();
    }

    /** The version of TLS and the cipher suite: "TLSv1.3 TLS_AES_128_GCM_SHA256"; empty without TLS. */
    public String security() {
        TlsLayer layer = tls;
        return layer == null ? "" : layer.security();
    }

    /** Bytes that wait to be sent. */
    public int queuedBytes() {
        synchronized (queue) {
            return queue.length();
        }
    }

    /** Bytes taken by {@link #send} since the beginning. */
    public long takenBytes() {
        return queuedInAllBytes;
    }

    /** Of the bytes that {@link #send} took, at least so many have been handed to the kernel. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Bytes received, before TLS is removed. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Nanoseconds without a received byte after which it is closed. */
    public long idleNs() {
        return idleNs;
    }

    /** Closes the connection when nothing was received for so many nanoseconds, in place of {@link ConnectionTimeouts#idleNs}; at least 1. */
    public void idleNs(long idleNs) {
        if (idleNs < 1 || idleNs > Long.MAX_VALUE / 4) {
            throw new IllegalArgumentException("idleNs is " + idleNs + "; the limits are 1 and " + Long.MAX_VALUE / 4);
        }
        this.idleNs = idleNs;
        schedule();
    }

    /** The receive buffer that the kernel gave, in bytes; 0 if the connection is closed. */
    public int receiveBufferBytes() {
        return option(StandardSocketOptions.SO_RCVBUF);
    }

    /** The send buffer that the kernel gave, in bytes; 0 if the connection is closed. */
    public int sendBufferBytes() {
        return option(StandardSocketOptions.SO_SNDBUF);
    }

    private int option(SocketOption<Integer> option) {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            return 0;
        }
    }

    /** As {@link #send(byte[], int, int)}, all of the array. */
    public boolean send(byte[] octets) {
        return send(octets, 0, octets.length);
    }

    /**
     * Queues bytes, all or none. They are copied, and leave in the order in which threads come here.
     *
     * @return false if a limit was met, or nothing can be sent any more; counted by cause
     */
    public boolean send(byte[] octets, int offset, int length) {
        return send(octets, 0, octets, offset, length);
    }

    /**
     * As the other, with bytes in front: both are queued, or neither is, and nothing comes between them.
     *
     * @param head an array with what goes first
     * @param headLength how many bytes of it go, from index 0
     */
    public boolean send(byte[] head, int headLength, byte[] octets, int offset, int bytes) {
        int length = Math.addExact(headLength, bytes);
        ConnectionBudget budget = loop.budget();
        synchronized (queue) {
            if (stage == Stage.CLOSED || wishes != 0) {
                budget.count(ConnectionCounter.SEND_AFTER_CLOSE);
                return false;
            }
            if ((long) queue.length() + length > loop.limits().queuedBytes()) {
                isRefusedSend = true;
                budget.count(ConnectionCounter.SEND_QUEUE_FULL);
                return false;
            }
            if (!budget.takeQueued(length)) {
                isRefusedSend = true;
                budget.count(ConnectionCounter.SEND_QUEUES_FULL);
                return false;
            }
            queue.append(head, 0, headLength);
            queue.append(octets, offset, bytes);
            queuedInAllBytes = queuedInAllBytes + length;
        }
        schedule();
        return true;
    }

    /** Finishes sending once everything queued has left; the peer sees the end of the stream, and may go on sending. */
    public void finishSending() {
        wish(FINISH_SENDING);
    }

    /**
     * Closes the connection in order: everything queued leaves, this side finishes sending, the peer has
     * {@link ConnectionTimeouts#finishNs} to do the same. What it sends meanwhile is discarded and counted.
     */
    public void closeAfterSending() {
        wish(FINISH_SENDING | CLOSE_AFTER_SENDING);
    }

    /** Closes the connection at once; what is queued is lost. */
    public void close() {
        wish(CLOSE);
    }

    private void wish(int more) {
        WISHES.getAndBitwiseOr(this, more);
        schedule();
    }

    /**
     * Runs something on the thread of the connection's loop, after what runs there now.
     *
     * @throws RejectedExecutionException if the loop has ended
     */
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public String toString() {
        return "connection " + id + (isOutgoing ? " to " : " from ") + remote;
    }

    // ---- for the loop

    /** Has the loop look at it in this turn or the next. */
    void schedule() {
        if (SCHEDULED.compareAndSet(this, false, true)) {
            loop.schedule(this);
        }
    }

    /** Whatever is asked from now on schedules the connection again. */
    void beginService() {
        scheduled = false;
    }

    boolean isCloseAsked() {
        return (wishes & CLOSE) != 0;
    }

    boolean isCloseAfterSendingAsked() {
        return (wishes & CLOSE_AFTER_SENDING) != 0;
    }

    /** Whether nothing more will be queued and this side is to finish. */
    boolean isFinishAsked() {
        return (wishes & FINISH_SENDING) != 0;
    }

    /** Copies what is to be sent next. */
    void peek(ByteBuffer to) {
        synchronized (queue) {
            queue.peek(to);
        }
    }

    boolean isQueueEmpty() {
        synchronized (queue) {
            return queue.isEmpty();
        }
    }

    /** Removes bytes that were taken over by the kernel, or by TLS; returns whether refused senders should be notified. */
    boolean discard(int bytes) {
        loop.budget().giveBackQueued(bytes);
        synchronized (queue) {
            queue.discard(bytes);
            boolean isRoom = isRefusedSend && queue.length() <= loop.limits().queuedBytes() / 2;
            isRefusedSend &= !isRoom;
            return isRoom;
        }
    }

    /** Everything taken so far, but for what is still queued, has been handed to the kernel. */
    void markSent() {
        synchronized (queue) {
            sentBytes = queuedInAllBytes - queue.length();
        }
    }

    /** Ends the taking of bytes and gives all memory back. */
    void release() {
        synchronized (queue) {
            stage = Stage.CLOSED;
            loop.budget().giveBackQueued(queue.length());
            queue.clear();
        }
        loop.budget().takeUnread(-unread.length());
        unread.discard(unread.length());
    }
}
