package io.offhook.cluster.file;

import io.offhook.cluster.codec.EventWriter;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.probe.EventSink;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes events to a file, all to partition 0, so that they keep their order. Output that cannot be written is an {@link
 * UncheckedIOException}, which ends an analysis. For one thread at a time.
 */
public final class EventFileWriter implements EventSink, AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final String probe;
    private final long incarnation;
    private long sequence;
    private long octets;

    /**
     * A file without events.
     *
     * @param out is closed with this
     * @param probe its name, see {@link EventOrigin}
     * @param incarnation of this start of the probe, not 0
     */
    public EventFileWriter(OutputStream out, String probe, long incarnation) {
        EventOrigin first = new EventOrigin(probe, incarnation, 0, 1); // checks name and incarnation
        this.out = new BufferedOutputStream(out, BUFFER);
        this.probe = first.probe();
        this.incarnation = incarnation;
    }

    /** 1. */
    @Override
    public int partitions() {
        return 1;
    }

    @Override
    public boolean send(long atNs, long key, EventBody body) {
        byte[] event =
                EventWriter.write(new Event(new EventOrigin(probe, incarnation, 0, sequence + 1), atNs, key, body));
        sequence++;
        try {
            octets += writeVarint(event.length) + event.length;
            out.write(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    @Override
    public boolean sendTo(int partition, long atNs, EventBody body) {
        return send(atNs, 0, body);
    }

    private int writeVarint(int value) throws IOException {
        int rest = value;
        int written = 1;
        while (rest > 0x7f) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
            written++;
        }
        out.write(rest);
        return written;
    }

    /** Events written. */
    public long events() {
        return sequence;
    }

    /** Octets written, lengths included. */
    public long octets() {
        return octets;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
