package io.offhook.cluster.spool;

import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.Octets;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An event in a segment, least significant octets first:
 *
 * <pre>
 *  0  length of all behind octet 8, 32 bits
 *  4  CRC-32C (RFC 3720, B.4) of all behind octet 8, 32 bits
 *  8  partition, 32 bits
 * 12  incarnation, 64 bits
 * 20  sequence, 64 bits
 * 28  key, 64 bits
 * 36  time, nanoseconds since the epoch, 64 bits
 * 44  the event
 * </pre>
 */
final class EventRecord {
    /** Octets before the event. */
    static final int HEAD = 44;

    private static final int CHECKED_FROM = 8;
    private static final int LEAST = HEAD - CHECKED_FROM;
    private static final int MOST = LEAST + Limits.EVENT;

    private EventRecord() {}

    /** An event as it is in a segment. */
    static byte[] write(SpooledEvent event) {
        byte[] octets = event.octets().toArray();
        ByteBuffer record = ByteBuffer.allocate(HEAD + octets.length).order(ByteOrder.LITTLE_ENDIAN);
        record.position(CHECKED_FROM);
        record.putInt(event.partition());
        record.putLong(event.incarnation());
        record.putLong(event.sequence());
        record.putLong(event.key());
        record.putLong(event.atNs());
        record.put(octets);
        record.putInt(0, LEAST + octets.length);
        record.putInt(4, crc(record.array(), CHECKED_FROM, LEAST + octets.length));
        return record.array();
    }

    /** Octets of the record that begins at the buffer's position: -1 if that cannot be one, 0 if its length is not there yet. */
    static int size(ByteBuffer buffer) {
        if (buffer.remaining() < CHECKED_FROM) {
            return 0;
        }
        int length = buffer.getInt(buffer.position());
        return length < LEAST || length > MOST ? -1 : CHECKED_FROM + length;
    }

    /** Reads the record of a size that begins at the buffer's position, and goes behind it; null if it is broken. */
    static @Nullable SpooledEvent read(ByteBuffer buffer, int size) {
        int start = buffer.position();
        if (buffer.getInt(start + 4)
                != crc(buffer.array(), buffer.arrayOffset() + start + CHECKED_FROM, size - CHECKED_FROM)) {
            return null;
        }
        buffer.position(start + CHECKED_FROM);
        int partition = buffer.getInt();
        long incarnation = buffer.getLong();
        long sequence = buffer.getLong();
        long key = buffer.getLong();
        long atNs = buffer.getLong();
        Octets octets = Octets.of(buffer.array(), buffer.arrayOffset() + start + HEAD, size - HEAD);
        buffer.position(start + size);
        return new SpooledEvent(partition, incarnation, sequence, key, atNs, octets);
    }

    private static int crc(byte[] octets, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(octets, offset, length);
        return (int) crc.getValue();
    }
}
