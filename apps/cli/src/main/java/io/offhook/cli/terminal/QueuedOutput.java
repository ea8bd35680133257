package io.offhook.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Output that a thread of its own writes: who takes packets from the wire must not wait for a disk that is busy or for a
 * reader who stands still, such as a pager. Only once {@value #MOST_BYTES} bytes wait does he who writes wait as well.
 *
 * <p>What could not be written is thrown by the next call. Single-threaded but for that thread.
 */
final class QueuedOutput extends OutputStream {
    /** Some 8,000 calls as JSON, or a second of packets as fast as they can be printed. */
    static final int MOST_BYTES = 16 << 20;

    private final OutputStream target;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isClosed;
    private @Nullable IOException unwritable;

    /** @param target is flushed, but not closed */
    QueuedOutput(OutputStream target) {
        this.target = target;
        Thread.ofPlatform().daemon().name("offhook-output").start(this::write);
    }

    private void write() {
        try {
            for (byte[] octets = next(); octets != null; octets = next()) {
                target.write(octets);
                target.flush();
                written(octets.length);
            }
        } catch (IOException e) {
            failed(e);
        } catch (RuntimeException | Error e) {
            failed(new IOException(e.toString(), e)); // no memory, say: who waits for room would wait for ever
        }
    }

    private byte @Nullable [] next() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !isClosed) {
                changed.awaitUninterruptibly();
            }
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    private void written(int bytes) {
        lock.lock();
        try {
            waitingBytes -= bytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void failed(IOException thrown) {
        lock.lock();
        try {
            unwritable = thrown;
            waiting.clear();
            waitingBytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        byte[] copy = Arrays.copyOfRange(octets, offset, offset + length);
        lock.lock();
        try {
            awaitAtMost(Math.max(0, MOST_BYTES - length));
            waiting.add(copy);
            waitingBytes += length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for nothing: what was written is on its way. */
    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            throwUnwritable();
        } finally {
            lock.unlock();
        }
    }

    /** Whether something is still to be written. */
    boolean isBehind() {
        lock.lock();
        try {
            return waitingBytes > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all is written, and ends the thread. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
            awaitAtMost(0);
        } finally {
            lock.unlock();
        }
    }

    private void awaitAtMost(long bytes) throws IOException {
        throwUnwritable();
        while (waitingBytes > bytes) {
            changed.awaitUninterruptibly();
            throwUnwritable();
        }
    }

    /** Another one each time: the same twice, out of a block and out of its close, is what Java refuses to suppress. */
    private void throwUnwritable() throws IOException {
        IOException thrown = unwritable;
        if (thrown != null) {
            throw new IOException(thrown.getMessage(), thrown);
        }
    }
}
