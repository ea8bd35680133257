package io.offhook.pcap.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The first file of a series, made once something is written to it: what comes before packets is buffered first, and by
 * then it is known which packet is the first, whose time the name tells. Closing makes the file where nothing was written.
 */
final class FirstFile implements WritableByteChannel {
    private final FileSeries series;
    private long timestampNs;
    private boolean isMade;
    private @Nullable WritableByteChannel file;

    /** @param timestampNs for the name, where the file has to be made before {@link #begin} */
    FirstFile(FileSeries series, long timestampNs) {
        this.series = series;
        this.timestampNs = timestampNs;
    }

    /** The first packet is of then. */
    void begin(long timestampNs) {
        this.timestampNs = timestampNs;
    }

    private @Nullable WritableByteChannel file() {
        if (!isMade) {
            isMade = true; // also where it fails: then there is none
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
