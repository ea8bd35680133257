package io.offhook.pcap.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The first file of a series, created with the first write. Data that precedes the packets is buffered, so by then the
 * first packet, whose time is part of the name, is known. Closing creates the file even if nothing was written.
 */
final class FirstFile implements WritableByteChannel {
    private final FileSeries series;
    private long timestampNs;
    private boolean isMade;
    private @Nullable WritableByteChannel file;

    /** @param timestampNs the time for the name if the file has to be created before {@link #begin} */
    FirstFile(FileSeries series, long timestampNs) {
        this.series = series;
        this.timestampNs = timestampNs;
    }

    /** Sets the time of the first packet. */
    void begin(long timestampNs) {
        this.timestampNs = timestampNs;
    }

    private @Nullable WritableByteChannel file() {
        if (!isMade) {
            isMade = true; // even if it fails: there is no second attempt
            file = series.next(timestampNs);
        }
        return file;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        WritableByteChannel made = file();
        if (made == null) {
            throw new ClosedChannelException();
        }
        return made.write(source);
    }

    @Override
    public boolean isOpen() {
        return !isMade || file != null && file.isOpen();
    }

    @Override
    public void close() throws IOException {
        WritableByteChannel made = file();
        if (made != null) {
            made.close();
        }
    }
}
