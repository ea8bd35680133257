package io.offhook.proxy.line;

import java.io.IOException;
import java.io.OutputStream;

/** Where lines go: the standard error of the process, a file. One thread writes; {@link #reopen} is called by it as well. */
public interface LineOutput extends AutoCloseable {

    /** Writes bytes: whole lines, in UTF-8, each with its end. */
    void write(byte[] octets, int offset, int length) throws IOException;

    /** Makes what was written visible to others. */
    void flush() throws IOException;

    /** Goes on in a new file if the old one was moved away; what is no file has nothing to do. */
    default void reopen() throws IOException {}

    @Override
    void close() throws IOException;

    /** Lines to a stream, which is not closed. */
    static LineOutput of(OutputStream stream) {
        return new LineOutput() {
            @Override
            public void write(byte[] octets, int offset, int length) throws IOException {
                stream.write(octets, offset, length);
            }

            @Override
            public void flush() throws IOException {
                stream.flush();
            }

            @Override
            public void close() throws IOException {
                stream.flush();
            }
        };
    }
}
