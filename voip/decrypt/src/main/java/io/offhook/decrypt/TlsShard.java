package io.offhook.decrypt;

import io.offhook.analysis.StreamReader;
import io.offhook.analysis.TlsOpener;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.packet.PlacedCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.function.BiConsumer;

/** The TLS connections of one shard. Single-threaded. */
final class TlsShard implements TlsOpener, AutoCloseable {
    /** The most bytes of all connections that wait for the rest of a record, or for keys. */
    private static final long MOST_HELD = 8L << 20;

    private final KeyLog log;
    private final SecretMemory memory = new SecretMemory();
    private final IdentityHashMap<TcpStream, TlsDirection> directions = new IdentityHashMap<>();
    private final TlsCounters counters = new TlsCounters();
    /** What was opened on its way to who reads it; no secret, so that it is left to the collector. */
    private final MemorySegment plain = Arena.ofAuto().allocate(TlsRecords.LONGEST);

    private final byte[] opened = new byte[TlsRecords.LONGEST];
    private long held;

    TlsShard(KeyLog log) {
        this.log = log;
    }

    @Override
    public StreamReader open(TcpStream stream, StreamReader reader) {
        TcpStream reverse = stream.reverse();
        TlsDirection other = reverse == null ? null : directions.get(reverse);
        TlsConnection connection = other == null ? new TlsConnection(log, memory) : other.connection();
        TlsDirection direction = new TlsDirection(this, connection, stream, reader);
        connection.begin();
        if (other != null) {
            direction.pair(other);
            other.pair(direction);
        }
        directions.put(stream, direction);
        return direction;
    }

    void ended(TcpStream stream) {
        directions.remove(stream);
    }

    TlsCounters counts() {
        return counters;
    }

    MemorySegment plain() {
        return plain;
    }

    byte[] opened() {
        return opened;
    }

    /** Takes or gives back room for bytes held; false if there is none. */
    boolean hold(long bytes) {
        if (bytes > 0 && held + bytes > MOST_HELD) {
            return false;
        }
        held += bytes;
        return true;
    }

    @Override
    public void counters(BiConsumer<String, PlacedCount> to) {
        counters.report(to);
    }

    @Override
    public void close() {
        memory.close();
    }
}
