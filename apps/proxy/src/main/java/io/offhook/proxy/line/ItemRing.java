package io.offhook.proxy.line;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring that many threads fill without waiting for each other, and one empties. A place is taken by a counter of
 * the room that is left, then numbered, then filled; the reader waits for the number that is next, so that order is that
 * of the numbers.
 */
final class ItemRing<T> {
    private final AtomicReferenceArray<@Nullable T> places;
    private final int mask;
    private final AtomicInteger room;
    private final AtomicLong tail = new AtomicLong();
    private long head;

    /** @param capacity a power of two */
    ItemRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is not a power of two");
        }
        places = new AtomicReferenceArray<>(capacity);
        mask = capacity - 1;
        room = new AtomicInteger(capacity);
    }

    /** @return false if it is full */
    boolean offer(T item) {
        if (room.getAndDecrement() <= 0) {
            room.incrementAndGet();
            return false;
        }
        // a reader makes room only after it emptied the place, so that the place of this number is empty
        places.setRelease((int) tail.getAndIncrement() & mask, item);
        return true;
    }

    /** The next item, or null if there is none yet; for one thread. */
    @Nullable
    T poll() {
        int place = (int) head & mask;
        T item = places.getAcquire(place);
        if (item != null) {
            places.setRelease(place, null);
            head++;
            room.incrementAndGet();
        }
        return item;
    }

    int capacity() {
        return mask + 1;
    }
}
