package io.offhook.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What happens on the connections of a loop: they are established, bytes are read and passed on, connections close. Sending
 * is {@link ConnectionOutput}. The buffers are shared, as each is empty when the loop turns to another connection.
 */
final class ConnectionTraffic {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int READS_PER_TURN = 4;

    private final ConnectionLoop loop;
    private final ByteBuffer input = ByteBuffer.allocate(BUFFER_BYTES);
    private final TlsBuffers tlsBuffers = new TlsBuffers();
    private final ConnectionOutput output;

    ConnectionTraffic(ConnectionLoop loop) {
        this.loop = loop;
        output = new ConnectionOutput(loop, this, tlsBuffers);
    }

    // ---- events

    void ready(Connection connection, int operations) {
        try {
            if ((operations & SelectionKey.OP_CONNECT) != 0) {
                finishConnect(connection);
            }
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                output.flush(connection);
            }
            if ((operations & SelectionKey.OP_READ) != 0 && connection.stage != Connection.Stage.CLOSED) {
                read(connection);
            }
        } catch (IOException e) {
            fail(connection, e);
        }
    }

    private void finishConnect(Connection connection) {
        try {
            connection.channel.finishConnect();
        } catch (IOException e) {
            close(connection, CloseCause.CONNECT_FAILED, e.getMessage());
            return;
        }
        SelectionKey key = connection.key;
        if (key != null) {
            key.interestOps(SelectionKey.OP_READ);
        }
        established(connection);
    }

    /** TCP is established. */
    void established(Connection connection) {
        connection.findLocal();
        connection.sinceNs = loop.nowNs();
        connection.receivedNs = loop.nowNs();
        TlsLayer tls = connection.tls;
        if (tls == null) {
            open(connection);
        } else {
            connection.stage = Connection.Stage.HANDSHAKING;
            loop.watch(connection);
            resume(connection, tls);
        }
    }

    /** What the handshake had to compute is computed. */
    void taskEnded(Connection connection) {
        TlsLayer tls = connection.tls;
        if (connection.stage != Connection.Stage.CLOSED && tls != null) {
            tls.taskEnded();
            resume(connection, tls);
        }
    }

    private void resume(Connection connection, TlsLayer tls) {
        try {
            proceed(connection, tls, tls.resume(tlsBuffers, plaintext(connection)));
            if (connection.isEndPending && connection.stage != Connection.Stage.CLOSED) {
                endOfStream(connection);
            }
        } catch (IOException e) {
            fail(connection, e);
        }
    }

    private boolean open(Connection connection) {
        try {
            if (connection.tls != null) {
                loop.budget().count(ConnectionCounter.HANDSHAKES);
                if (!connection.handler.acceptsPeer(connection, connection.peerCertificates())) {
                    close(connection, CloseCause.PEER_REFUSED, null);
                    return false;
                }
            }
            connection.stage = Connection.Stage.OPEN;
            loop.watch(connection);
            connection.handler.opened(connection);
        } catch (RuntimeException e) {
            handlerFailed(connection, e);
            return false;
        }
        connection.schedule(); // something may have been queued before
        return connection.isOpen();
    }

    /** Does what other threads, or handlers, have asked for. */
    void service(Connection connection) {
        if (connection.stage == Connection.Stage.CLOSED) {
            return;
        }
        if (connection.isCloseAsked()) {
            close(connection, CloseCause.CLOSED_HERE, null);
            return;
        }
        if (connection.stage == Connection.Stage.OPEN) {
            try {
                if (!ConnectionOutput.isWaitingForKernel(connection)) {
                    output.flush(connection);
                }
                if (connection.isOutputFinished) {
                    output.finish(connection); // closing may have been asked for later than finishing
                }
            } catch (IOException e) {
                fail(connection, e);
            }
        }
        loop.watch(connection);
    }

    // ---- receiving

    private void read(Connection connection) throws IOException {
        for (int i = 0; i < READS_PER_TURN; i++) {
            input.clear();
            int count = connection.channel.read(input);
            if (count < 0) {
                endOfStream(connection);
                return;
            }
            if (count == 0) {
                return;
            }
            connection.receivedNs = loop.nowNs();
            long received = connection.receivedBytes + count;
            connection.receivedBytes = received;
            loop.budget().count(ConnectionCounter.RECEIVED_BYTES, count);
            if (!take(connection, count) || count < input.capacity()) {
                return;
            }
        }
    }

    /** TCP has ended, whatever TLS has said before. */
    private void endOfStream(Connection connection) throws IOException {
        TlsLayer tls = connection.tls;
        if (tls != null && tls.isTaskRunning()) {
            // what arrived before the end has not been looked at
            connection.isEndPending = true;
            stopReading(connection);
        } else {
            inputEnded(connection, tls != null);
        }
    }

    private static void stopReading(Connection connection) {
        SelectionKey key = connection.key;
        if (key != null) {
            key.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    /** Returns whether more is wanted. */
    private boolean take(Connection connection, int count) throws IOException {
        TlsLayer tls = connection.tls;
        if (connection.isCloseAfterSendingAsked() && connection.stage == Connection.Stage.OPEN) {
            loop.budget().count(ConnectionCounter.DISCARDED_BYTES, count);
            return true;
        }
        if (tls == null) {
            return deliver(connection, input.array(), 0, count);
        }
        return proceed(connection, tls, tls.received(input.array(), 0, count, tlsBuffers, plaintext(connection)));
    }

    private TlsLayer.Plaintext plaintext(Connection connection) {
        return new TlsLayer.Plaintext() {
            @Override
            public boolean established() {
                return open(connection);
            }

            @Override
            public boolean received(byte[] octets, int offset, int length) {
                return deliver(connection, octets, offset, length);
            }
        };
    }

    private boolean proceed(Connection connection, TlsLayer tls, TlsLayer.Progress progress) throws IOException {
        if (connection.stage == Connection.Stage.CLOSED) {
            tls.release();
            return false;
        }
        if (progress == TlsLayer.Progress.TASK) {
            loop.runHandshake(connection, tls);
        }
        output.flush(connection);
        if (tls.heldBytes() > loop.limits().unreadBytes()) {
            close(connection, CloseCause.UNREAD_LIMIT, null);
            return false;
        }
        if (progress == TlsLayer.Progress.CLOSED) {
            inputEnded(connection, false);
            return false;
        }
        noteUnread(connection, false);
        return progress != TlsLayer.Progress.STOPPED && connection.isOpen();
    }

    /** Passes bytes to the handler behind those that it left; returns whether to go on. */
    private boolean deliver(Connection connection, byte[] octets, int offset, int length) {
        int limit = loop.limits().unreadBytes();
        HeldOctets unread = connection.unread;
        int at = offset;
        int end = offset + length;
        boolean isConsuming = false;
        while (at < end) {
            if (connection.isCloseAsked() || connection.isCloseAfterSendingAsked()) {
                loop.budget().count(ConnectionCounter.DISCARDED_BYTES, end - at);
                return connection.isOpen();
            }
            if (unread.length() > 0) {
                int bytes = Math.min(end - at, limit - unread.length());
                if (bytes == 0 || !hold(connection, octets, at, bytes)) {
                    close(connection, CloseCause.UNREAD_LIMIT, null);
                    return false;
                }
                at += bytes;
                int consumed = received(connection, unread.octets(), 0, unread.length());
                if (consumed < 0) {
                    return false;
                }
                isConsuming |= consumed > 0;
                loop.budget().takeUnread(-consumed);
                unread.discard(consumed);
            } else {
                int bytes = Math.min(end - at, limit);
                int consumed = received(connection, octets, at, bytes);
                if (consumed < 0) {
                    return false;
                }
                isConsuming |= consumed > 0;
                at += consumed;
                int left = bytes - consumed;
                if (left > 0 && !hold(connection, octets, at, left)) {
                    close(connection, CloseCause.UNREAD_LIMIT, null);
                    return false;
                }
                at += left;
            }
        }
        noteUnread(connection, isConsuming);
        return true;
    }

    private boolean hold(Connection connection, byte[] octets, int offset, int length) {
        if (!loop.budget().takeUnread(length)) {
            return false;
        }
        connection.unread.append(octets, offset, length);
        return true;
    }

    /** Calls the handler; -1 if the connection was closed because of what it did. */
    private int received(Connection connection, byte[] octets, int offset, int length) {
        try {
            int consumed = connection.handler.received(connection, octets, offset, length);
            if (consumed >= 0 && consumed <= length) {
                return consumed;
            }
            throw new IllegalStateException("the handler consumed " + consumed + " of " + length + " bytes");
        } catch (RuntimeException e) {
            handlerFailed(connection, e);
            return -1;
        }
    }

    private void noteUnread(Connection connection, boolean isConsuming) {
        TlsLayer tls = connection.tls;
        boolean isUnread = connection.unread.length() > 0 || tls != null && tls.heldBytes() > 0;
        if (!isUnread) {
            connection.unreadSinceNs = -1;
        } else if (isConsuming || connection.unreadSinceNs < 0) {
            connection.unreadSinceNs = loop.nowNs();
            loop.watch(connection);
        }
    }

    private void inputEnded(Connection connection, boolean isTruncated) throws IOException {
        if (connection.isInputFinished) {
            return;
        }
        connection.isInputFinished = true;
        stopReading(connection);
        if (connection.stage != Connection.Stage.OPEN) {
            close(connection, CloseCause.HANDSHAKE_FAILED, "the peer closed the connection during the handshake");
            return;
        }
        int left = connection.unread.length();
        loop.budget().count(ConnectionCounter.DISCARDED_BYTES, left);
        loop.budget().takeUnread(-left);
        connection.unread.discard(left);
        connection.unreadSinceNs = -1;
        if (!connection.isCloseAfterSendingAsked()) {
            if (isTruncated) {
                loop.budget().count(ConnectionCounter.TLS_TRUNCATED);
            }
            try {
                connection.handler.peerFinished(connection);
            } catch (RuntimeException e) {
                handlerFailed(connection, e);
                return;
            }
        }
        if (connection.isOutputFinished) {
            output.finish(connection);
        }
    }

    // ---- ends

    /** The earliest time at which the connection is to be closed if nothing happens. */
    long deadlineNs(Connection connection) {
        ConnectionTimeouts timeouts = loop.timeouts();
        return switch (connection.stage) {
            case CONNECTING -> connection.sinceNs + timeouts.connectNs();
            case HANDSHAKING -> connection.sinceNs + timeouts.handshakeNs();
            case OPEN, CLOSED -> {
                long first = connection.receivedNs + connection.idleNs;
                first = Math.min(first, end(connection.unreadSinceNs, timeouts.unreadNs()));
                first = Math.min(first, end(connection.stalledSinceNs, timeouts.stallNs()));
                yield Math.min(first, end(connection.finishSinceNs, timeouts.finishNs()));
            }
        };
    }

    private static long end(long sinceNs, long timeNs) {
        return sinceNs < 0 ? Long.MAX_VALUE : sinceNs + timeNs;
    }

    /** Why a connection is to be closed whose {@link #deadlineNs} has passed. */
    CloseCause overdue(Connection connection) {
        ConnectionTimeouts timeouts = loop.timeouts();
        long deadlineNs = deadlineNs(connection);
        return switch (connection.stage) {
            case CONNECTING -> CloseCause.CONNECT_TIMEOUT;
            case HANDSHAKING -> CloseCause.HANDSHAKE_TIMEOUT;
            case OPEN, CLOSED -> {
                if (deadlineNs == end(connection.finishSinceNs, timeouts.finishNs())) {
                    yield CloseCause.CLOSED_HERE;
                }
                if (deadlineNs == end(connection.stalledSinceNs, timeouts.stallNs())) {
                    yield CloseCause.PEER_READS_SLOWLY;
                }
                boolean isUnread = deadlineNs == end(connection.unreadSinceNs, timeouts.unreadNs());
                yield isUnread ? CloseCause.PEER_SENDS_SLOWLY : CloseCause.IDLE;
            }
        };
    }

    /** Has the handler begin the end. */
    void drain(Connection connection) {
        if (connection.stage != Connection.Stage.OPEN) {
            connection.closeAfterSending(); // it has not seen the beginning
            return;
        }
        try {
            connection.handler.draining(connection);
        } catch (RuntimeException e) {
            handlerFailed(connection, e);
        }
    }

    private void fail(Connection connection, IOException e) {
        TlsLayer tls = connection.tls;
        if (tls != null && connection.stage == Connection.Stage.CLOSED) {
            tls.release();
            return;
        }
        if (!(e instanceof SSLException) || tls == null) {
            close(connection, CloseCause.RESET, e.getMessage());
            return;
        }
        output.alert(connection, tls);
        close(connection, tls.isEstablished() ? CloseCause.TLS_FAILED : CloseCause.HANDSHAKE_FAILED, e.getMessage());
    }

    void handlerFailed(Connection connection, RuntimeException e) {
        loop.budget().count(ConnectionCounter.HANDLER_FAILURES);
        close(connection, CloseCause.HANDLER_FAILED, e.toString());
    }

    /** Ends the connection, once; its handler is notified. */
    void close(Connection connection, CloseCause cause, @Nullable String detail) {
        if (connection.stage == Connection.Stage.CLOSED) {
            return;
        }
        connection.release();
        TlsLayer tls = connection.tls;
        if (tls != null) {
            tls.release();
        }
        loop.budget().countClosed(cause);
        loop.forget(connection);
        try {
            connection.handler.closed(connection, cause, detail);
        } catch (RuntimeException e) {
            loop.budget().count(ConnectionCounter.HANDLER_FAILURES);
        }
    }
}
