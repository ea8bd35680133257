package io.offhook.cluster.file;

import io.offhook.cluster.codec.EventReader;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Limits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of events. An event that cannot be used is counted, and the next one is read; where a length cannot be right, or the
 * file ends within an event, reading ends, and {@link #fault} says why. The content never makes it throw. For one thread.
 */
public final class EventFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    /** Bits of a length: more octets than these need is no length. */
    private static final int MOST_BITS = 28;

    private final InputStream in;
    private final EventReader reader = new EventReader();
    private long position;
    private @Nullable String fault;
    private byte[] octets = new byte[BUFFER];

    /** @param in is closed with this */
    public EventFile(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER);
    }

    /**
     * The next event that can be used.
     *
     * @return null at the end, or where the file is damaged
     * @throws IOException if the file cannot be read
     */
    public @Nullable Event next() throws IOException {
        while (fault == null) {
            long beginning = position;
            int length = length();
            if (length < 0) {
                return null;
            }
            if (length > Limits.EVENT) {
                fault = "at octet " + beginning + " an event would have " + length + " octets, more than "
                        + Limits.EVENT;
                return null;
            }
            if (octets.length < length) {
                octets = new byte[Math.max(length, Math.min(Limits.EVENT, octets.length * 2))];
            }
            int read = in.readNBytes(octets, 0, length);
            position += read;
            if (read < length) {
                fault = "it ends within the event at octet " + beginning;
                return null;
            }
            if (reader.read(octets, 0, length).isEvent()) {
                return reader.event();
            }
        }
        return null;
    }

    /** -1 at the end, or without a length. */
    private int length() throws IOException {
        long beginning = position;
        int length = 0;
        for (int bits = 0; bits < MOST_BITS; bits += 7) {
            int octet = in.read();
            if (octet < 0) {
                if (position > beginning) {
                    fault = "it ends within the length at octet " + beginning;
                }
                return -1;
            }
            position++;
            length |= (octet & 0x7f) << bits;
            if (octet < 0x80) {
                return length;
            }
        }
        fault = "at octet " + beginning + " there is no length of an event";
        return -1;
    }

    /** Why reading ended before the end; null if it did not. */
    public @Nullable String fault() {
        return fault;
    }

    /** How many events ended with a status so far. */
    public long count(EventStatus status) {
        return reader.count(status);
    }

    /** Octets read. */
    public long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
