package io.offhook.cluster.event;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Octets that never change, compared by their values. */
public final class Octets {
    /** None. */
    public static final Octets EMPTY = new Octets(new byte[0]);

    /** Octets that {@link #toString} shows. */
    private static final int SHOWN = 16;

    private final byte[] values;

    private Octets(byte[] values) {
        this.values = values;
    }

    /** A copy of an array. */
    public static Octets of(byte[] octets) {
        return of(octets, 0, octets.length);
    }

    /**
     * A copy of a part of an array.
     *
     * @throws IndexOutOfBoundsException if the array does not have it
     */
    public static Octets of(byte[] octets, int offset, int length) {
        if (length == 0) {
            return EMPTY;
        }
        Objects.checkFromIndexSize(offset, length, octets.length);
        return new Octets(Arrays.copyOfRange(octets, offset, offset + length));
    }

    /** How many there are. */
    public int size() {
        return values.length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return values.length == 0;
    }

    /** A copy. */
    public byte[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Octets that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** The number of octets, and the first ones in hexadecimal. */
    @Override
    public String toString() {
        String shown = HexFormat.of().formatHex(values, 0, Math.min(SHOWN, values.length));
        return values.length + " octets " + shown + (values.length > SHOWN ? "..." : "");
    }
}
