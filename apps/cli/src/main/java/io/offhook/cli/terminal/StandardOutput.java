package io.offhook.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Standard output as bytes, buffered into large writes. Distinguishes a closed pipe from other write errors. */
final class StandardOutput extends OutputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private final OutputStream direct;
    private BufferedOutputStream out;
    private @Nullable QueuedOutput queue;

    StandardOutput(OutputStream out) {
        direct = out;
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    /** Lets a separate thread write until {@link #endQueue}. */
    void beginQueue() throws IOException {
        flush();
        queue = new QueuedOutput(direct);
        out = new BufferedOutputStream(queue, BUFFER_BYTES);
    }

    /** Waits until queued output is written. */
    void endQueue() throws IOException {
        try (QueuedOutput _ = queue) {
            out.flush();
        } catch (IOException e) {
            throw reported(e);
        } finally {
            queue = null;
            out = new BufferedOutputStream(direct, BUFFER_BYTES);
        }
    }

    /** Whether output is still queued. */
    boolean isBehind() {
        QueuedOutput current = queue;
        return current != null && current.isBehind();
    }

    @Override
    public void write(int octet) throws IOException {
        try {
            out.write(octet);
        } catch (IOException e) {
            throw reported(e);
        }
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        try {
            out.write(octets, offset, length);
        } catch (IOException e) {
            throw reported(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw reported(e);
        }
    }

    private static IOException reported(IOException e) {
        return OutputClosedException.isClosedPipe(e) ? new OutputClosedException(e) : e;
    }
}
