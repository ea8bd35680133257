package io.offhook.transport;

import java.nio.ByteBuffer;

/** The buffers that all TLS connections of a loop share, as each is empty again when the loop turns to another. */
final class TlsBuffers {
    private static final int MOST_PLAIN = 16 << 10;

    private byte[] plainOctets = {};
    private ByteBuffer plain = ByteBuffer.wrap(plainOctets);
    private byte[] recordOctets = {};
    private ByteBuffer record = ByteBuffer.wrap(recordOctets);
    private final ByteBuffer toEncrypt = ByteBuffer.allocate(MOST_PLAIN);
    private boolean isRoom;

    /** For decrypted bytes, empty. */
    ByteBuffer plain(int size) {
        if (plainOctets.length < size) {
            plainOctets = new byte[size];
            plain = ByteBuffer.wrap(plainOctets);
        }
        return plain.clear();
    }

    /** What is behind {@link #plain}. */
    byte[] plainOctets() {
        return plainOctets;
    }

    void growPlain() {
        plain(2 * plainOctets.length);
    }

    /** For a record to be sent, empty. */
    ByteBuffer record(int size) {
        if (recordOctets.length < size) {
            recordOctets = new byte[size];
            record = ByteBuffer.wrap(recordOctets);
        }
        return record.clear();
    }

    /** What is behind {@link #record}. */
    byte[] recordOctets() {
        return recordOctets;
    }

    void growRecord() {
        record(2 * recordOctets.length);
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
