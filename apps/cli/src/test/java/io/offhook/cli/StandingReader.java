package io.offhook.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Output whose reader reads only when told to, as a pager does: until then writing waits. */
public final class StandingReader extends OutputStream {
    /** More than any test writes; a semaphore can be given it several times. */
    private static final int ALL = 1 << 28;

    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final Semaphore wanted = new Semaphore(0);
    private volatile @Nullable IOException failure;

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        wanted.acquireUninterruptibly(length);
        IOException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        synchronized (read) {
            read.write(octets, offset, length);
        }
    }

    /** Reads so many bytes more as they come. */
    public void read(int bytes) {
        wanted.release(bytes);
    }

    public void readAll() {
        wanted.release(ALL);
    }

    /** From now on, writing fails. */
    public void failWith(IOException thrown) {
        failure = thrown;
        readAll();
    }

    public String text() {
        synchronized (read) {
            return read.toString(StandardCharsets.UTF_8);
        }
    }
}
