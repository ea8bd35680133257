package io.offhook.analysis;

import io.offhook.flow.tcp.TcpStream;
import io.offhook.packet.PlacedCount;
import java.util.function.BiConsumer;

/**
 * Opens the TLS streams of one shard of connections, with keys that somebody has. Used by one thread at a time. Streams that
 * it does not open are reported as encrypted.
 */
public interface TlsOpener {
    /**
     * Begins to read one direction of a connection, from its first record on. The reader that is returned receives bytes as
     * captured, and is no longer called once it wants no more.
     *
     * @param plain receives the data of the application, in order: in calls of {@link StreamReader#data} by the reader that
     *     is returned, with native memory that is borrowed until the call returns. It wants no more after it returned false,
     *     and must be ended
     */
    StreamReader open(TcpStream stream, StreamReader plain);

    /** Reports what could not be opened, by names of docs/OUTPUT.md. */
    void counters(BiConsumer<String, PlacedCount> to);
}
