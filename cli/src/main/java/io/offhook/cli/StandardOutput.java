package io.offhook.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The bytes of standard output, gathered into large writes. Tells apart a reader who left and a disk that is full. */
final class StandardOutput extends OutputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private final BufferedOutputStream out;

    StandardOutput(OutputStream out) {
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    @Override
    public void write(int octet) throws IOException {
        try {
            out.write(octet);
        } catch (IOException e) {
            throw told(e);
        }
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        try {
            out.write(octets, offset, length);
        } catch (IOException e) {
            throw told(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw told(e);
        }
    }

    private static IOException told(IOException e) {
        return OutputClosedException.isClosedPipe(e) ? new OutputClosedException(e) : e;
    }
}
