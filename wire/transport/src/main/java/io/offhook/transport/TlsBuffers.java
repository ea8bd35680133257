package io.offhook.transport;

import java.nio.ByteBuffer;

/** The buffers that all TLS connections of a loop share, as each is empty again when the loop turns to another. */
final class TlsBuffers {
    private static final int MOST_PLAIN = 16 << 10;

    private ByteBuffer plain = ByteBuffer.allocate(0);
    private ByteBuffer record = ByteBuffer.allocate(0);
    private final ByteBuffer toEncrypt = ByteBuffer.allocate(MOST_PLAIN);
    private boolean isRoom;

    /** For decrypted bytes, empty. */
    ByteBuffer plain(int size) {
        if (plain.capacity() < size) {
            plain = ByteBuffer.allocate(size);
        }
        return plain.clear();
    }

    void growPlain() {
        plain = ByteBuffer.allocate(2 * plain.capacity());
    }

    /** For a record to be sent, empty. */
    ByteBuffer record(int size) {
        if (record.capacity() < size) {
            record = ByteBuffer.allocate(size);
        }
        return record.clear();
    }

    void growRecord() {
        record = ByteBuffer.allocate(2 * record.capacity());
    }

    /** For bytes to be encrypted, empty. */
    ByteBuffer toEncrypt() {
        return toEncrypt.clear();
    }

    /** Notes that refused senders have room again. */
    void noteRoom(boolean isRoom) {
        this.isRoom |= isRoom;
    }

    /** Whether they have, once. */
    boolean takeRoom() {
        boolean taken = isRoom;
        isRoom = false;
        return taken;
    }
}
