package io.offhook.cluster.command;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Makes failures of an input distinguishable from those of the output. */
final class Unreadable extends FilterInputStream {
    /** The input cannot be read. */
    static final class Fault extends IOException {
        private static final long serialVersionUID = 1;

        Fault(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    Unreadable(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (IOException e) {
            throw new Fault(e);
        }
    }

    @Override
    public int read(byte[] octets, int offset, int length) throws IOException {
        try {
            return super.read(octets, offset, length);
        } catch (IOException e) {
            throw new Fault(e);
        }
    }
}
