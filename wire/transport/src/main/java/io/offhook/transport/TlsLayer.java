package io.offhook.transport;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one connection (RFC 8446, RFC 5246): what arrived and is no whole record yet, and records that wait to be sent.
 * Used by the thread of the loop; only the tasks of a handshake, which compute for long, run elsewhere.
 */
final class TlsLayer {
    /** More is not encrypted in advance of the kernel taking it. */
    private static final int MOST_ENCRYPTED = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final HeldOctets input;
    /** Records to be sent. */
    final OctetQueue output;

    private boolean isTaskRunning;
    private volatile boolean isEstablished;

    /** What the program behind a connection does with decrypted bytes. */
    interface Plaintext {
        /** TLS is established; returns whether to go on. */
        boolean established();

        /** Returns whether to go on. */
        boolean received(byte[] octets, int offset, int length);
    }

    /** What came of bytes that were received. */
    enum Progress {
        /** More must arrive, or be sent, or a task must end. */
        WAITING,
        /** A task is to be run elsewhere, {@link #resume} after it. */
        TASK,
        /** The peer has closed its direction. */
        CLOSED,
        /** The program does not go on. */
        STOPPED
    }

    TlsLayer(SSLEngine engine, OctetPool pool) throws SSLException {
        this.engine = engine;
        input = new HeldOctets(pool);
        output = new OctetQueue(pool);
        engine.beginHandshake();
    }

    /** Bytes that arrived and are no whole record yet, or wait for a task. */
    int heldBytes() {
        return input.length();
    }

    /** Whether a task of the handshake runs, until which nothing is decrypted. */
    boolean isTaskRunning() {
        return isTaskRunning;
    }

    boolean isEstablished() {
        return isEstablished;
    }

    List<X509Certificate> peerCertificates() {
        if (!isEstablished) {
            return List.of();
        }
        try {
            List<X509Certificate> chain = new ArrayList<>();
            for (java.security.cert.Certificate certificate :
                    engine.getSession().getPeerCertificates()) {
                if (certificate instanceof X509Certificate x509) {
                    chain.add(x509);
                }
            }
            return List.copyOf(chain);
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // it sent none
        }
    }

    String security() {
        return isEstablished
                ? engine.getSession().getProtocol() + " " + engine.getSession().getCipherSuite()
                : "";
    }

    /** Decrypts what arrived, behind what was left before; keeps what is no whole record. */
    Progress received(byte[] octets, int offset, int length, TlsBuffers buffers, Plaintext to) throws SSLException {
        if (input.length() > 0 || isTaskRunning) {
            input.append(octets, offset, length);
            return resume(buffers, to);
        }
        ByteBuffer source = ByteBuffer.wrap(octets, offset, length);
        try {
            return advance(source, buffers, to);
        } finally {
            input.append(octets, source.position(), source.remaining());
        }
    }

    /** Goes on with what was kept, as at the beginning and after a task. */
    Progress resume(TlsBuffers buffers, Plaintext to) throws SSLException {
        if (isTaskRunning) {
            return Progress.WAITING;
        }
        ByteBuffer source = ByteBuffer.wrap(input.octets(), 0, input.length());
        try {
            return advance(source, buffers, to);
        } finally {
            input.discard(source.position());
        }
    }

    private Progress advance(ByteBuffer source, TlsBuffers buffers, Plaintext to) throws SSLException {
        while (true) {
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                refuseRenegotiation();
                isTaskRunning = true;
                return Progress.TASK;
            }
            if (status == HandshakeStatus.NEED_WRAP) {
                if (encrypt(NOTHING, buffers).getHandshakeStatus() == HandshakeStatus.FINISHED && !establish(to)) {
                    return Progress.STOPPED;
                }
                continue;
            }
            if (engine.isInboundDone()) {
                return Progress.CLOSED;
            }
            if (!source.hasRemaining() && status != HandshakeStatus.NEED_UNWRAP_AGAIN) {
                return Progress.WAITING;
            }
            Progress progress = decrypt(source, buffers, to);
            if (progress != null) {
                return progress;
            }
        }
    }

    /** @return null if there may be more to do */
    private @Nullable Progress decrypt(ByteBuffer source, TlsBuffers buffers, Plaintext to) throws SSLException {
        ByteBuffer plain = buffers.plain(engine.getSession().getApplicationBufferSize());
        SSLEngineResult result = engine.unwrap(source, plain);
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !establish(to)) {
            return Progress.STOPPED;
        }
        if (plain.position() > 0 && !to.received(buffers.plainOctets(), 0, plain.position())) {
            return Progress.STOPPED;
        }
        return switch (result.getStatus()) {
            case OK -> null;
            case BUFFER_UNDERFLOW -> Progress.WAITING;
            case BUFFER_OVERFLOW -> {
                buffers.growPlain();
                yield null;
            }
            // what must be answered is; then the loop above finds the inbound done
            case CLOSED -> engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP ? null : Progress.CLOSED;
        };
    }

    private boolean establish(Plaintext to) {
        if (isEstablished) {
            return true;
        }
        isEstablished = true;
        return to.established();
    }

    /** A second handshake is the peer's means to make us compute; TLS 1.3 has none. */
    private void refuseRenegotiation() throws SSLException {
        if (isEstablished && !"TLSv1.3".equals(engine.getSession().getProtocol())) {
            throw new SSLException("the peer asked for renegotiation, which is refused");
        }
    }

    /** What the handshake computes for long. To be run outside of the loop. */
    Runnable task() {
        return () -> {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
        };
    }

    void taskEnded() {
        isTaskRunning = false;
    }

    /** Encrypts what the connection has queued, as long as little is encrypted already; returns the bytes that TLS took. */
    int encryptQueued(Connection connection, TlsBuffers buffers) throws SSLException {
        int taken = 0;
        while (isEstablished && output.length() < MOST_ENCRYPTED && !engine.isOutboundDone()) {
            ByteBuffer plain = buffers.toEncrypt();
            connection.peek(plain);
            plain.flip();
            if (!plain.hasRemaining()) {
                break;
            }
            int bytes = encrypt(plain, buffers).bytesConsumed();
            if (bytes == 0) {
                break;
            }
            buffers.noteRoom(connection.discard(bytes));
            taken += bytes;
        }
        return taken;
    }

    /** Queues the notification that nothing more follows (RFC 8446, 6.1). */
    void closeOutput(TlsBuffers buffers) {
        engine.closeOutbound();
        try {
            while (!engine.isOutboundDone()) {
                SSLEngineResult result = encrypt(NOTHING, buffers);
                if (result.bytesProduced() == 0) {
                    return;
                }
            }
        } catch (SSLException e) {
            // before a handshake there may be nothing to notify of
        }
    }

    private SSLEngineResult encrypt(ByteBuffer plain, TlsBuffers buffers) throws SSLException {
        while (true) {
            ByteBuffer record = buffers.record(engine.getSession().getPacketBufferSize());
            SSLEngineResult result = engine.wrap(plain, record);
            output.append(buffers.recordOctets(), 0, record.position());
            if (result.getStatus() != SSLEngineResult.Status.BUFFER_OVERFLOW) {
                return result;
            }
            buffers.growRecord();
        }
    }

    boolean isOutputClosed() {
        return engine.isOutboundDone();
    }

    void release() {
        input.discard(input.length());
        output.clear();
    }
}
