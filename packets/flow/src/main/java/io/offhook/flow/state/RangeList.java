package io.offhook.flow.state;

import io.offhook.flow.OverlapPolicy;
import java.lang.foreign.MemorySegment;

/**
 * Bytes held out of order: disjoint ranges of positions in ascending order, each in a block of a {@link BlockPool}.
 * Bytes already held for a position are kept and later ones are ignored, unless {@link #giveWay} removed them first.
 *
 * <p>A range can be <em>absent</em>: positions that are known to exist but whose bytes were not captured.
 */
public final class RangeList {
    static final int NONE = BlockPool.NONE;

    private final BlockPool pool;
    private int first = NONE;
    private int last = NONE;
    private int count;
    private long bytes;

    public RangeList(BlockPool pool) {
        this.pool = pool;
    }

    public boolean isEmpty() {
        return first == NONE;
    }

    /** The number of ranges, each of which takes one block. */
    public int count() {
        return count;
    }

    /** The number of positions in all ranges, absent ones included. */
    public long bytes() {
        return bytes;
    }

    /** The block of the lowest range, or {@link #NONE}. */
    public int first() {
        return first;
    }

    /** The lowest position; the list must not be empty. */
    public long firstStart() {
        return pool.start(first);
    }

    /** The position after the highest one; the list must not be empty. */
    public long lastEnd() {
        return pool.end(last);
    }

    /**
     * Holds the bytes for those positions from {@code start} on that are not in the list.
     *
     * @return the number of bytes for which the pool had no room; 0 on success
     */
    public int insert(long start, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        long end = start + length;
        long position = start;
        int before = NONE;
        int after = first;
        if (last != NONE && lastEnd() <= start) {
            before = last;
            after = NONE;
        }
        while (position < end) {
            while (after != NONE && pool.end(after) <= position) {
                before = after;
                after = pool.next(after);
            }
            long limit = after == NONE ? end : Math.min(end, pool.start(after));
            while (position < limit) {
                int piece = pool.pieceLength(limit - position);
                int block = pool.keep(segment, offset + (position - start), piece);
                if (block == NONE) {
                    return (int) (end - position);
                }
                pool.describe(block, position, piece, false, timestampNs, frameNumber);
                link(before, block, after);
                before = block;
                position += piece;
            }
            if (after != NONE) {
                position = Math.max(position, pool.end(after));
            }
        }
        return 0;
    }

    /**
     * Marks those positions from {@code start} on that are not in the list as absent.
     *
     * @return whether all of them were marked; false if the pool is at its limit
     */
    public boolean insertAbsent(long start, int length, long timestampNs, long frameNumber) {
        long end = start + length;
        long position = start;
        int before = NONE;
        int after = first;
        while (position < end) {
            while (after != NONE && pool.end(after) <= position) {
                before = after;
                after = pool.next(after);
            }
            long limit = after == NONE ? end : Math.min(end, pool.start(after));
            if (position < limit) {
                int block = pool.take();
                if (block == NONE) {
                    return false;
                }
                pool.describe(block, position, (int) (limit - position), true, timestampNs, frameNumber);
                link(before, block, after);
                before = block;
            }
            position = after == NONE ? limit : Math.max(limit, pool.end(after));
        }
        return true;
    }

    /** Whether any position from {@code start} (inclusive) to {@code end} (exclusive) is in the list. */
    public boolean overlaps(long start, long end) {
        int block = firstEndingAfter(start);
        return start < end && block != NONE && pool.start(block) < end;
    }

    /** Whether every position from {@code start} (inclusive) to {@code end} (exclusive) is in the list. */
    public boolean covers(long start, long end) {
        long position = start;
        for (int block = firstEndingAfter(start); position < end; block = pool.next(block)) {
            if (block == NONE || pool.start(block) > position) {
                return false;
            }
            position = pool.end(block);
        }
        return true;
    }

    /** Whether the bytes held from {@code start} on, except absent ones, equal the given bytes. */
    public boolean holds(long start, MemorySegment segment, long offset, int length) {
        long end = start + length;
        for (int block = firstEndingAfter(start); block != NONE && pool.start(block) < end; block = pool.next(block)) {
            long from = Math.max(start, pool.start(block));
            long to = Math.min(end, pool.end(block));
            long kept = pool.offset(block) + (from - pool.start(block));
            long given = offset + (from - start);
            if (!pool.isAbsent(block)
                    && MemorySegment.mismatch(
                                    pool.segment(block), kept, kept + (to - from), segment, given, given + (to - from))
                            >= 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the positions from {@code start} (inclusive) to {@code end} (exclusive) are exactly those that one frame
     * carried.
     */
    public boolean isOneInsertion(long start, long end) {
        int block = firstEndingAfter(start);
        if (block == NONE || pool.start(block) != start) {
            return false;
        }
        long frame = pool.frameNumber(block);
        while (pool.end(block) < end) {
            block = pool.next(block);
            if (block == NONE || pool.frameNumber(block) != frame) {
                return false;
            }
        }
        int after = pool.next(block);
        return pool.end(block) == end
                && (after == NONE || pool.start(after) != end || pool.frameNumber(after) != frame);
    }

    private int firstEndingAfter(long position) {
        if (last == NONE || pool.end(last) <= position) {
            return NONE;
        }
        int block = first;
        while (pool.end(block) <= position) {
            block = pool.next(block);
        }
        return block;
    }

    /**
     * Removes the bytes between {@code start} (inclusive) and {@code end} (exclusive) that a later fragment or segment
     * replaces. If the pool has no room for the remainder of a range that would be split, the range is kept.
     *
     * @param isSegment whether the rules for TCP segments apply instead of those for IP fragments
     */
    public void giveWay(long start, long end, OverlapPolicy policy, boolean isSegment) {
        if (policy == OverlapPolicy.FIRST) {
            return;
        }
        int before = NONE;
        int block = first;
        while (block != NONE && pool.start(block) < end) {
            int last = lastOfInsertion(block);
            long from = pool.start(block);
            long to = pool.end(last);
            boolean gives = to > start
                    && (isSegment
                            ? policy.laterSegmentCounts(start, end, from, to)
                            : policy.laterFragmentCounts(start, end, from, to));
            int behind = pool.next(last);
            while (block != behind) {
                int after = pool.next(block);
                if (!gives || !cut(before, block, start, end)) {
                    before = block;
                }
                block = after;
            }
        }
    }

    /** The last of the adjacent blocks that came from the same frame. */
    private int lastOfInsertion(int block) {
        int last = block;
        int after = pool.next(last);
        while (after != NONE
                && pool.start(after) == pool.end(last)
                && pool.frameNumber(after) == pool.frameNumber(last)) {
            last = after;
            after = pool.next(last);
        }
        return last;
    }

    /**
     * Removes the positions from {@code start} (inclusive) to {@code end} (exclusive) from a block. Returns whether the
     * block is now empty.
     */
    private boolean cut(int before, int block, long start, long end) {
        long from = pool.start(block);
        long to = pool.end(block);
        if (to <= start || from >= end) {
            return false;
        }
        if (from >= start && to <= end) {
            unlink(before, block);
            return true;
        }
        if (from < start && to > end && !split(block, end)) {
            return false;
        }
        int cut;
        if (from < start) {
            cut = (int) (pool.end(block) - start);
            pool.cutBack(block, cut);
        } else {
            cut = (int) (end - from);
            pool.cutFront(block, cut);
        }
        bytes -= cut;
        return false;
    }

    /** Splits a block in two; the second begins at {@code position}. */
    private boolean split(int block, long position) {
        int length = (int) (pool.end(block) - position);
        boolean isAbsent = pool.isAbsent(block);
        int rest = isAbsent
                ? pool.take()
                : pool.keep(pool.segment(block), pool.offset(block) + (position - pool.start(block)), length);
        if (rest == NONE) {
            return false;
        }
        pool.describe(rest, position, length, isAbsent, pool.timestampNs(block), pool.frameNumber(block));
        pool.cutBack(block, length);
        bytes -= length;
        link(block, rest, pool.next(block));
        return true;
    }

    private void unlink(int before, int block) {
        int after = pool.next(block);
        if (before == NONE) {
            first = after;
        } else {
            pool.next(before, after);
        }
        if (after == NONE) {
            last = before;
        }
        count--;
        bytes -= pool.length(block);
        pool.release(block);
    }

    /** Removes the lowest range from the list and returns its block, which the caller must release to the pool. */
    public int removeFirst() {
        int block = first;
        first = pool.next(block);
        if (first == NONE) {
            last = NONE;
        }
        count--;
        bytes -= pool.length(block);
        return block;
    }

    /** Releases all blocks. */
    public void clear() {
        while (first != NONE) {
            pool.release(removeFirst());
        }
    }

    private void link(int before, int block, int after) {
        pool.next(block, after);
        if (before == NONE) {
            first = block;
        } else {
            pool.next(before, block);
        }
        if (after == NONE) {
            last = block;
        }
        count++;
        bytes += pool.length(block);
    }
}
