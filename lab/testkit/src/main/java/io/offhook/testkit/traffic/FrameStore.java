package io.offhook.testkit.traffic;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * Frames outside the Java heap, 24 bytes of it beside the bytes of each: millions of them need no larger heap. At most
 * 2^31 - 1. The memory goes with the store. Single-threaded.
 */
final class FrameStore {
    private static final int FIRST_CHUNK_BYTES = 1 << 16;
    private static final int LARGEST_CHUNK_BYTES = 1 << 24;

    private final Arena arena = Arena.ofAuto();
    private final List<MemorySegment> chunks = new ArrayList<>();
    private MemorySegment chunk = MemorySegment.NULL;
    private int used;
    private long[] times = new long[64];
    /** The chunk in the high half, the offset in it in the low one. */
    private long[] places = new long[64];
    /** The link type in the high half, the length in the low one. */
    private long[] shapes = new long[64];

    private int count;

    int count() {
        return count;
    }

    void add(long timeNs, int linkType, byte[] frame) {
        if (count == times.length) {
            int more = count + (count >> 1);
            times = Arrays.copyOf(times, more);
            places = Arrays.copyOf(places, more);
            shapes = Arrays.copyOf(shapes, more);
        }
        if (chunks.isEmpty() || used + frame.length > chunk.byteSize()) {
            long bytes = Math.clamp(chunk.byteSize() * 2, FIRST_CHUNK_BYTES, LARGEST_CHUNK_BYTES);
            chunk = arena.allocate(Math.max(bytes, frame.length));
            chunks.add(chunk);
            used = 0;
        }
        MemorySegment.copy(frame, 0, chunk, ValueLayout.JAVA_BYTE, used, frame.length);
        times[count] = timeNs;
        places[count] = (long) (chunks.size() - 1) << 32 | used;
        shapes[count] = (long) linkType << 32 | frame.length;
        used += frame.length;
        count++;
    }

    private Frame frame(int index) {
        byte[] bytes = new byte[(int) shapes[index]];
        MemorySegment from = chunks.get((int) (places[index] >>> 32));
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, places[index] & 0xffff_ffffL, bytes, 0, bytes.length);
        return new Frame(times[index], (int) (shapes[index] >>> 32), bytes, bytes.length);
    }

    /**
     * The frames by time, those of one time in the order in which they were added. Each is made when it is asked for: a list
     * to go over once.
     */
    List<Frame> byTime() {
        return new InOrder(order());
    }

    private final class InOrder extends AbstractList<Frame> implements RandomAccess {
        private final int[] order;

        InOrder(int[] order) {
            this.order = order;
        }

        @Override
        public Frame get(int index) {
            return frame(order[index]);
        }

        @Override
        public int size() {
            return order.length;
        }
    }

    /** A merge sort, as it keeps the order of equal times and needs no object a frame. */
    private int[] order() {
        int[] order = new int[count];
        Arrays.setAll(order, index -> index);
        int[] merged = new int[count];
        for (long width = 1; width < count; width *= 2) {
            for (long from = 0; from < count; from += 2 * width) {
                int middle = (int) Math.min(from + width, count);
                merge(order, merged, (int) from, middle, (int) Math.min(from + 2 * width, count));
            }
            int[] swapped = order;
            order = merged;
            merged = swapped;
        }
        return order;
    }

    private void merge(int[] from, int[] to, int start, int middle, int end) {
        if (middle == end || times[from[middle - 1]] <= times[from[middle]]) {
            System.arraycopy(from, start, to, start, end - start);
            return;
        }
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean takesLeft = left < middle && (right == end || times[from[left]] <= times[from[right]]);
            to[at] = takesLeft ? from[left++] : from[right++];
        }
    }
}
