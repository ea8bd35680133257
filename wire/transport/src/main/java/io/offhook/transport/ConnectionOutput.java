package io.offhook.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import javax.net.ssl.SSLException;

/** The sending side of the connections of a loop: queued bytes are encrypted and written, directions finish. */
final class ConnectionOutput {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int WRITES_PER_TURN = 16;

    private final ConnectionLoop loop;
    private final ConnectionTraffic traffic;
    private final TlsBuffers tlsBuffers;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    ConnectionOutput(ConnectionLoop loop, ConnectionTraffic traffic, TlsBuffers tlsBuffers) {
        this.loop = loop;
        this.traffic = traffic;
        this.tlsBuffers = tlsBuffers;
    }

    /** Writes what is queued, as far as the kernel takes it. */
    void flush(Connection connection) throws IOException {
        boolean hasWritten = isWaitingForKernel(connection);
        for (int i = 0; i < WRITES_PER_TURN; i++) {
            fill(connection);
            if (!buffer.hasRemaining()) {
                allWritten(connection, hasWritten);
                return;
            }
            hasWritten = true;
            int count = connection.channel.write(buffer);
            connection.writtenBytes += count;
            loop.budget().count(ConnectionCounter.SENT_BYTES, count);
            taken(connection, count);
            if (buffer.hasRemaining()) {
                break;
            }
        }
        waitForKernel(connection);
    }

    /** Puts what is to be written next into the buffer. */
    private void fill(Connection connection) throws SSLException {
        buffer.clear();
        TlsLayer tls = connection.tls;
        if (tls == null) {
            connection.peek(buffer);
        } else {
            tls.encryptQueued(connection, tlsBuffers);
            if (tlsBuffers.takeRoom()) {
                notifyWritable(connection);
            }
            tls.output.peek(buffer);
        }
        buffer.flip();
    }

    private void taken(Connection connection, int count) {
        TlsLayer tls = connection.tls;
        if (tls != null) {
            tls.output.discard(count);
            if (tls.output.isEmpty()) {
                connection.markSent();
            }
        } else {
            boolean isRoom = connection.discard(count);
            connection.markSent();
            if (isRoom) {
                notifyWritable(connection);
            }
        }
    }

    private void notifyWritable(Connection connection) {
        try {
            connection.handler.writable(connection);
        } catch (RuntimeException e) {
            traffic.handlerFailed(connection, e);
        }
    }

    static boolean isWaitingForKernel(Connection connection) {
        SelectionKey key = connection.key;
        return key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    private void waitForKernel(Connection connection) {
        SelectionKey key = connection.key;
        if (key == null || !key.isValid()) {
            return;
        }
        key.interestOpsOr(SelectionKey.OP_WRITE);
        if (connection.stalledSinceNs < 0 || connection.writtenBytes >= connection.stallMark) {
            TlsLayer tls = connection.tls;
            int waiting = tls == null ? connection.queuedBytes() : tls.output.length();
            connection.stalledSinceNs = loop.nowNs();
            connection.stallMark = connection.writtenBytes + waiting;
            loop.watch(connection);
        }
    }

    private void allWritten(Connection connection, boolean hasWritten) throws IOException {
        SelectionKey key = connection.key;
        if (key == null || !key.isValid()) {
            return;
        }
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
        connection.stalledSinceNs = -1;
        if (connection.stage != Connection.Stage.OPEN) {
            return; // of a handshake
        }
        if (hasWritten) {
            try {
                connection.handler.drained(connection);
            } catch (RuntimeException e) {
                traffic.handlerFailed(connection, e);
                return;
            }
        }
        if (connection.isFinishAsked() && connection.isQueueEmpty()) {
            finishOutput(connection);
        }
    }

    private void finishOutput(Connection connection) throws IOException {
        if (connection.isOutputFinished) {
            return;
        }
        TlsLayer tls = connection.tls;
        if (tls != null && !tls.isOutputClosed()) {
            tls.closeOutput(tlsBuffers);
            if (!tls.output.isEmpty()) {
                flush(connection); // comes back here when it is written
                return;
            }
        }
        connection.isOutputFinished = true;
        connection.channel.shutdownOutput();
        finish(connection);
    }

    /** This side has finished sending: closes if the other has too, or gives it a time for it. */
    void finish(Connection connection) {
        if (connection.isInputFinished) {
            traffic.close(connection, CloseCause.FINISHED, null);
        } else if (connection.isCloseAfterSendingAsked() && connection.finishSinceNs < 0) {
            connection.finishSinceNs = loop.nowNs();
            loop.watch(connection);
        }
    }

    /** Sends what TLS has to say about a failure; if it does not get through, so be it. */
    void alert(Connection connection, TlsLayer tls) {
        try {
            tls.closeOutput(tlsBuffers);
            buffer.clear();
            tls.output.peek(buffer);
            buffer.flip();
            connection.channel.write(buffer);
        } catch (IOException ignored) {
            // the peer does not get it
        }
    }
}
