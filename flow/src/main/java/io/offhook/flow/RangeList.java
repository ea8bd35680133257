package io.offhook.flow;

import java.lang.foreign.MemorySegment;

/**
 * Bytes kept out of order: ranges of positions that do not overlap, in ascending order, each in a block of a {@link
 * BlockPool}. What a position holds stays, and later bytes for it are left out, unless it was made to {@link #giveWay}.
 *
 * <p>A range can be <em>absent</em>: positions that are known to exist and whose bytes were not captured.
 */
final class RangeList {
    static final int NONE = BlockPool.NONE;

    private final BlockPool pool;
    private int first = NONE;
    private int last = NONE;
    private int count;
    private long bytes;

    RangeList(BlockPool pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /** How many ranges there are; as many blocks are taken. */
    int count() {
        return count;
    }

    /** How many positions the ranges have, absent ones included. */
    long bytes() {
        return bytes;
    }

    /** The block of the lowest range, or {@link #NONE}. */
    int first() {
        return first;
    }

    /** The lowest position of all; there is one. */
    long firstStart() {
        return pool.start(first);
    }

    /** The position behind the highest one; there is one. */
    long lastEnd() {
        return pool.end(last);
    }

    /**
     * Keeps the bytes of those positions from {@code start} on that hold none yet.
     *
     * @return how many bytes of the range need a place and found none, as the pool is at its limit; 0 when all is well
     */
    int insert(long start, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
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
     * Marks those positions from {@code start} on that hold no bytes as absent.
     *
     * @return whether all of them have their mark; false when the pool is at its limit
     */
    boolean insertAbsent(long start, int length, long timestampNs, long frameNumber) {
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

    /** Whether any position from {@code start} to before {@code end} has a place in the list. */
    boolean overlaps(long start, long end) {
        int block = firstEndingAfter(start);
        return start < end && block != NONE && pool.start(block) < end;
    }

    /** Whether every position from {@code start} to before {@code end} has a place in the list. */
    boolean covers(long start, long end) {
        long position = start;
        for (int block = firstEndingAfter(start); position < end; block = pool.next(block)) {
            if (block == NONE || pool.start(block) > position) {
                return false;
            }
            position = pool.end(block);
        }
        return true;
    }

    /** Whether the bytes kept from {@code start} on, as far as they are there, are those given. */
    boolean holds(long start, MemorySegment segment, long offset, int length) {
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

    /** Whether the positions from {@code start} to before {@code end} are exactly what one frame brought. */
    boolean isOneInsertion(long start, long end) {
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
     * Lets those bytes go that are to give way to a later fragment or segment, from {@code start} to before {@code end}.
     * Where the pool has no room for the rest of a range that is cut in two, the range stays.
     *
     * @param isSegment whether the rules for TCP segments hold, not those for IP fragments
     */
    void giveWay(long start, long end, OverlapPolicy policy, boolean isSegment) {
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

    /** The last block of the bytes that lie together and came with the same frame. */
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

    /** Takes the positions from {@code start} to before {@code end} out of a block. Returns whether nothing of it is left. */
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

    /** Makes two blocks of one, the second of which begins at {@code position}. */
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

    /** Takes the lowest range out of the list. Its block stays taken until it is released to the pool. */
    int removeFirst() {
        int block = first;
        first = pool.next(block);
        if (first == NONE) {
            last = NONE;
        }
        count--;
        bytes -= pool.length(block);
        return block;
    }

    /** Gives all blocks back. */
    void clear() {
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
