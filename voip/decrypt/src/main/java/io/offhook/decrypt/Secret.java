package io.offhook.decrypt;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import javax.crypto.SecretKey;

/**
 * Key material in native memory. For the JDK's ciphers it is a key: they take a copy of the bytes, which they overwrite, and
 * keep what they derive from it. It is never shown and cannot be serialized.
 */
final class Secret implements SecretKey {
    private static final long serialVersionUID = 1;

    private final transient MemorySegment bytes;
    private final transient MemorySegment slot;

    /** @param slot what its memory allocated, of which it is the first part */
    Secret(MemorySegment bytes, MemorySegment slot) {
        this.bytes = bytes;
        this.slot = slot;
    }

    int length() {
        return (int) bytes.byteSize();
    }

    MemorySegment slot() {
        return slot;
    }

    /** Overwrites it with the bytes of an array from an index on, as many as it has. */
    void put(byte[] from, int at) {
        MemorySegment.copy(from, at, bytes, ValueLayout.JAVA_BYTE, 0, length());
    }

    /** Copies it into an array, which its caller overwrites. */
    void get(byte[] to, int at) {
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, to, at, length());
    }

    boolean isSame(Secret other) {
        return bytes.byteSize() == other.bytes.byteSize() && bytes.mismatch(other.bytes) < 0;
    }

    @Override
    public String getAlgorithm() {
        return "AES";
    }

    @Override
    public String getFormat() {
        return "RAW";
    }

    /** A copy, which its caller overwrites. */
    @Override
    public byte[] getEncoded() {
        byte[] copy = new byte[length()];
        get(copy, 0);
        return copy;
    }

    @Override
    public void destroy() {
        bytes.fill((byte) 0);
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException("a secret");
    }

    /** "secret of 16 bytes". */
    @Override
    public String toString() {
        return "secret of " + length() + " bytes";
    }
}
