package io.offhook.cluster.operator;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key of one operator, as an engine keeps it: octets by name, lists, maps, and timers by event time. What is
 * returned are copies.
 */
public interface Keep {
    /** A value; null if there is none. */
    byte @Nullable [] value(String name);

    /** Sets a value. */
    void put(String name, byte[] octets);

    /** A list, in the order in which it was appended to. */
    List<byte[]> list(String name);

    /** Appends to a list. */
    void append(String name, byte[] octets);

    /** Removes a list. */
    void removeList(String name);

    /** All entries of a map. */
    Map<String, byte[]> map(String name);

    /** An entry of a map; null if there is none. */
    byte @Nullable [] entry(String name, String of);

    /** Sets an entry of a map. */
    void put(String name, String of, byte[] octets);

    /** Removes an entry of a map, if it is there. */
    void remove(String name, String of);

    /** Has {@link Operator#timer} called once, when nothing earlier than a time is to be expected any more. */
    void timer(long atNs);

    /** Nothing earlier than this is to be expected, nanoseconds since the epoch; Long.MAX_VALUE at the end of all events. */
    long watermarkNs();

    /** Removes everything. */
    void clear();

    /** A number that was put; or another one if there is none. */
    default long number(String name, long otherwise) {
        byte[] octets = value(name);
        return octets == null ? otherwise : ByteBuffer.wrap(octets).getLong();
    }

    /** Sets a value of 8 octets. */
    default void put(String name, long number) {
        put(name, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /** Sets the one timer of a key that is used by this; an earlier one stays. */
    default void due(long atNs) {
        if (atNs < number("due", Long.MAX_VALUE)) {
            put("due", atNs);
            timer(atNs);
        }
    }

    /** Whether a timer is the one that was set last by {@link #due}; none is set then. */
    default boolean isDue(long atNs) {
        boolean isDue = atNs == number("due", Long.MAX_VALUE);
        if (isDue) {
            put("due", Long.MAX_VALUE);
        }
        return isDue;
    }
}
