package io.offhook.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Output that a separate thread writes, so that a capturing thread does not wait for a busy disk or a stalled reader, such as
 * a pager. A caller waits only while {@value #MOST_BYTES} bytes are queued.
 *
 * <p>A write error is thrown by the next call. Apart from the writing thread, single-threaded.
 */
final class QueuedOutput extends OutputStream {
    /** The size of the queue: about 8,000 calls as JSON, or one second of packets at the highest printing speed. */
    static final int MOST_BYTES = 16 << 20;

    private final OutputStream target;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isClosed;
    private @Nullable IOException unwritable;

    /** @param target receives the output; flushed, but not closed */
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
            failed(new IOException(
                    e.toString(), e)); // for example out of memory; otherwise a caller would wait for ever
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

    /** Has no effect and does not wait: queued output is being written. */
    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            throwUnwritable();
        } finally {
            lock.unlock();
        }
    }

    /** Whether output is still queued. */
    boolean isBehind() {
        lock.lock();
        try {
            return waitingBytes > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything is written, and ends the thread. */
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

    /** Throws a new exception each time, because an exception cannot suppress itself in try-with-resources. */
    private void throwUnwritable() throws IOException {
        IOException thrown = unwritable;
        if (thrown != null) {
            throw new IOException(thrown.getMessage(), thrown);
        }
    }
}
