package io.offhook.flow.tcp;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.state.BlockPool;
import io.offhook.flow.state.Counts;
import io.offhook.flow.state.PacketTime;
import io.offhook.flow.state.RangeList;
import java.util.function.Consumer;

/**
 * Orders the bytes of single streams. Bytes in sequence are reported in place; early ones are held behind the hole
 * before them until the hole is filled or given up. A hole is given up if:
 *
 * <ul>
 *   <li>the hold time ({@link TcpLimits#holdTimeNs()}) has passed since the first segment behind it arrived, or since
 *       it shrank, by the time of the stream's own packets; or twice that by the time of other packets and of the
 *       packet that fills it;
 *   <li>the receiver acknowledged its bytes, so that nobody will send them again, and
 *       {@link #SEGMENTS_AFTER_ACKNOWLEDGED} further segments of the connection have arrived: only the capture lost
 *       them;
 *   <li>a limit on held bytes is reached; for the limit on all streams, the stream that has waited longest gives up its
 *       hole.
 * </ul>
 *
 * <p>A reported position keeps its byte. For held positions, the {@link OverlapPolicy} decides which byte counts.
 */
final class TcpReassembly {
    /** How many segments after its acknowledgment a segment may still arrive, if the capture swaps packets. */
    static final int SEGMENTS_AFTER_ACKNOWLEDGED = 4;

    private final TcpLimits limits;
    private final OverlapPolicy policy;
    private final TcpStreamHandler handler;
    private final Counts<TcpCounter> counts;
    private final Consumer<TcpStream> finished;
    private final BlockPool pool;
    private final HoleQueue queue = new HoleQueue();

    /** @param finished notified when all bytes of a stream before its FIN were reported */
    TcpReassembly(
            TcpLimits limits,
            OverlapPolicy policy,
            Holding holding,
            TcpStreamHandler handler,
            Counts<TcpCounter> counts,
            Consumer<TcpStream> finished) {
        this.limits = limits;
        this.policy = policy;
        this.handler = handler;
        this.counts = counts;
        this.finished = finished;
        pool = new BlockPool(limits.bytesHeld(), holding);
    }

    BlockPool pool() {
        return pool;
    }

    /** Gives up holes that have waited for twice the hold time. */
    void expire(long timestampNs) {
        TcpStream stream = queue.longest();
        if (stream != null) {
            long limitNs = PacketTime.twice(limits.holdTimeNs());
            while (stream != null && PacketTime.isApart(timestampNs, stream.holeTimestampNs, limitNs)) {
                giveUpHole(stream);
                stream = queue.longest();
            }
        }
    }

    /**
     * Gives up holes of the stream that have waited too long, by the time of one of the connection's own packets. A
     * packet that fills the hole, retransmitted after a long time, may arrive as late as packets of other connections
     * allow.
     *
     * @param isOfStream whether the segment belongs to the stream, not to the other direction
     */
    void expire(TcpStream stream, TcpSegment s, boolean isOfStream) {
        long limitNs = isOfStream && fills(stream, s) ? PacketTime.twice(limits.holdTimeNs()) : limits.holdTimeNs();
        while (stream.isQueued && PacketTime.isApart(s.timestampNs, stream.holeTimestampNs, limitNs)) {
            giveUpHole(stream);
        }
    }

    /** Whether a segment carries the first bytes of the hole. */
    private static boolean fills(TcpStream stream, TcpSegment s) {
        long start = stream.positionOf(s.dataSequence());
        return !stream.waiting && start <= stream.position && start + s.wireLength > stream.position;
    }

    /** Handles the payload of a segment. */
    void accept(TcpStream stream, TcpSegment s) {
        if (s.dataSequence() == stream.nextSequence
                && !stream.isQueued
                && s.length == s.wireLength
                && stream.finPosition == TcpStream.NOWHERE) {
            report(stream, s, 0, s.length);
            return;
        }
        if (s.length < s.wireLength) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.CAPTURED_SHORT);
        }
        boolean fills = stream.isQueued && fills(stream, s);
        acceptSlowly(stream, s);
        settle(stream);
        if (fills && stream.isQueued) { // the rest of the hole, or the next one: the sender is filling it
            queue.leave(stream);
            queue.join(stream, s.timestampNs);
        }
    }

    /** Holds the first payload of a stream, and what follows, until its start is known. */
    void await(TcpStream stream, TcpSegment s) {
        stream.waiting = true;
        queue.join(stream, s.timestampNs);
        accept(stream, s);
    }

    /** Sets the start of a stream that was waiting for it; the start is not behind the lowest byte held. */
    void begin(TcpStream stream, int sequence) {
        stream.waiting = false;
        stream.position = stream.positionOf(sequence);
        stream.startPosition = stream.position;
        stream.nextSequence = sequence;
        reportHeld(stream);
        settle(stream);
    }

    /** Notes that the sender ends the stream at this sequence number. */
    void finish(TcpStream stream, TcpSegment s) {
        long position = stream.positionOf(s.endSequence());
        if (stream.finPosition == TcpStream.NOWHERE && (stream.waiting || position >= stream.position)) {
            stream.finPosition = position;
            stream.finTimestampNs = s.timestampNs;
            stream.finFrameNumber = s.frameNumber;
            settle(stream);
        }
    }

    /** Notes a segment of the connection, in either direction; the receiver's segments show what it has. */
    void observe(TcpStream stream, TcpSegment s, boolean fromReceiver) {
        if (!stream.isQueued || stream.waiting) {
            return;
        }
        if (stream.segmentsSinceAcknowledged > 0) {
            stream.segmentsSinceAcknowledged++;
            if (stream.segmentsSinceAcknowledged > SEGMENTS_AFTER_ACKNOWLEDGED) {
                giveUpHole(stream);
            }
        } else if (fromReceiver && s.hasAcknowledgment() && stream.positionOf(s.acknowledgment) >= endOfHole(stream)) {
            stream.segmentsSinceAcknowledged = 1;
        }
    }

    /** Reports everything that is held, with the holes in between, and holds nothing afterwards. */
    void release(TcpStream stream) {
        while (stream.isQueued && !stream.isDone()) {
            giveUpHole(stream);
        }
        drop(stream);
    }

    /** Drops everything that is held. */
    void drop(TcpStream stream) {
        RangeList held = stream.held;
        if (held != null) {
            held.clear();
        }
        queue.leave(stream);
    }

    private void acceptSlowly(TcpStream stream, TcpSegment s) {
        int sequence = s.dataSequence();
        if (stream.waiting) {
            hold(stream, s, stream.positionOf(sequence));
            return;
        }
        // giving up a hole moves the stream on, so the position of the segment is evaluated again
        while (!stream.isDone()) {
            long position = stream.positionOf(sequence);
            long end = Math.min(position + s.wireLength, stream.finPosition);
            if (end <= stream.position) {
                countOld(stream, s, position);
                return;
            }
            if (position <= stream.position) {
                acceptInTurn(stream, s, position, end);
                return;
            }
            if (hasRoom(stream, s)) {
                hold(stream, s, position);
                return;
            }
        }
    }

    private void countOld(TcpStream stream, TcpSegment s, long position) {
        if (s.wireLength == 1 && position == stream.position - 1) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.KEEP_ALIVES);
        } else if (position < stream.startPosition
                || position < stream.gapEnd && position + s.wireLength > stream.gapStart) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.LATE);
        } else {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.RETRANSMITTED);
        }
    }

    /** Handles a segment that begins at or before the next byte and ends after it. */
    private void acceptInTurn(TcpStream stream, TcpSegment s, long position, long end) {
        long captured = Math.min(position + s.length, end);
        RangeList held = stream.held;
        boolean overlaps = position < stream.position || held != null && held.overlaps(stream.position, end);
        if (overlaps) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.OVERLAPPING);
            if (held != null) {
                held.giveWay(stream.position, end, policy, true);
            }
        }
        while (stream.position < captured && !stream.isDone()) {
            long to = held == null || held.isEmpty() ? captured : Math.min(captured, held.firstStart());
            report(stream, s, (int) (stream.position - position), (int) (to - stream.position));
            reportHeld(stream);
        }
        while (stream.position < end && !stream.isDone()) {
            // the capture cut the rest, and will cut a retransmission as well
            long to = held == null || held.isEmpty() ? end : Math.min(end, held.firstStart());
            gap(stream, to - stream.position, s.timestampNs, s.frameNumber, false);
            reportHeld(stream);
        }
    }

    private void hold(TcpStream stream, TcpSegment s, long position) {
        RangeList held = stream.held;
        if (held == null) {
            held = new RangeList(pool);
            stream.held = held;
        }
        long end = position + s.wireLength;
        if (held.covers(position, end)
                && (policy == OverlapPolicy.FIRST || held.holds(position, s.memory, s.payload, s.length))) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.RETRANSMITTED);
            return;
        }
        boolean overlaps = held.overlaps(position, end);
        counts.addAt(s.frameNumber, s.timestampNs, overlaps ? TcpCounter.OVERLAPPING : TcpCounter.OUT_OF_ORDER);
        held.giveWay(position, end, policy, true);
        int unheld = held.insert(position, s.memory, s.payload, s.length, s.timestampNs, s.frameNumber);
        if (unheld > 0) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.UNHELD_BYTES, unheld);
        }
        if (s.wireLength > s.length) {
            held.insertAbsent(position + s.length, s.wireLength - s.length, s.timestampNs, s.frameNumber);
        }
        if (!stream.isQueued) {
            queue.join(stream, s.timestampNs);
        }
        if (stream.waiting && held.count() >= limits.segmentsWaiting()) {
            giveUpHole(stream);
        }
    }

    /** Whether a segment can be held. If not, a hole has been given up, and the bytes behind it were reported. */
    private boolean hasRoom(TcpStream stream, TcpSegment s) {
        RangeList held = stream.held;
        if (held != null
                && !held.isEmpty()
                && (held.bytes() + s.wireLength > limits.bytesPerStream() || held.count() >= limits.segmentsHeld())) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.GAPS_FORCED);
            giveUpHole(stream);
            return false;
        }
        TcpStream longest = queue.longest();
        if (longest != null && !pool.hasRoomFor(s.length, 1)) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.GAPS_FORCED);
            giveUpHole(longest);
            return false;
        }
        return true;
    }

    /** The end position of the hole that the stream waits for. */
    private static long endOfHole(TcpStream stream) {
        RangeList held = stream.held;
        return held == null || held.isEmpty() ? stream.finPosition : held.firstStart();
    }

    /** Continues after the first hole. */
    private void giveUpHole(TcpStream stream) {
        RangeList held = stream.held;
        if (held != null && !held.isEmpty()) {
            long start = held.firstStart();
            if (stream.waiting) {
                begin(stream, stream.nextSequence + (int) (start - stream.position));
                return;
            }
            if (!stream.isDone()) {
                int block = held.first();
                boolean acknowledged = stream.segmentsSinceAcknowledged > 0;
                gap(stream, start - stream.position, pool.timestampNs(block), pool.frameNumber(block), acknowledged);
                reportHeld(stream);
            }
        } else if (stream.waiting) {
            stream.waiting = false;
        } else if (stream.finPosition != TcpStream.NOWHERE && !stream.isDone()) {
            boolean acknowledged = stream.segmentsSinceAcknowledged > 0;
            gap(
                    stream,
                    stream.finPosition - stream.position,
                    stream.finTimestampNs,
                    stream.finFrameNumber,
                    acknowledged);
        }
        settle(stream);
    }

    /** Reports held bytes that are now in sequence. */
    private void reportHeld(TcpStream stream) {
        RangeList held = stream.held;
        if (held == null) {
            return;
        }
        while (!stream.isDone() && !held.isEmpty() && held.firstStart() <= stream.position) {
            int block = held.removeFirst();
            int length = (int) Math.min(pool.length(block), stream.finPosition - stream.position);
            if (length > 0 && pool.isAbsent(block)) {
                gap(stream, length, pool.timestampNs(block), pool.frameNumber(block), false);
            } else if (length > 0) {
                stream.advance(length, pool.frameNumber(block), pool.timestampNs(block));
                counts.add(TcpCounter.BYTES, length);
                handler.data(
                        stream,
                        pool.segment(block),
                        pool.offset(block),
                        length,
                        pool.timestampNs(block),
                        pool.frameNumber(block));
            }
            pool.release(block);
        }
    }

    private void report(TcpStream stream, TcpSegment s, int skipped, int length) {
        if (length > 0) {
            stream.advance(length, s.frameNumber, s.timestampNs);
            counts.add(TcpCounter.BYTES, length);
            handler.data(stream, s.memory, s.payload + skipped, length, s.timestampNs, s.frameNumber);
        }
    }

    private void gap(TcpStream stream, long missing, long timestampNs, long frameNumber, boolean acknowledged) {
        if (missing > 0) {
            stream.skip(missing, acknowledged);
            if (acknowledged) {
                counts.addBetween(
                        stream.reportedFrameNumber(),
                        frameNumber,
                        stream.reportedTimestampNs(),
                        timestampNs,
                        TcpCounter.GAPS_ACKNOWLEDGED);
            }
            counts.addAt(frameNumber, timestampNs, TcpCounter.GAPS);
            counts.addAt(frameNumber, timestampNs, TcpCounter.MISSING_BYTES, missing);
            handler.gap(stream, missing, timestampNs, frameNumber);
        }
    }

    /** Called after a change: ends the stream, removes it from the queue, or lets it wait for its next hole. */
    private void settle(TcpStream stream) {
        if (stream.isDone()) {
            drop(stream);
            return;
        }
        RangeList held = stream.held;
        boolean holdsNothing = held == null || held.isEmpty();
        if (!stream.waiting && stream.position >= stream.finPosition) {
            drop(stream);
            finished.accept(stream);
        } else if (holdsNothing && !stream.waiting && stream.finPosition == TcpStream.NOWHERE) {
            queue.leave(stream);
        } else if (!stream.isQueued || !stream.waiting && stream.position != stream.holePosition) {
            queue.leave(stream);
            queue.join(stream, held == null || held.isEmpty() ? stream.finTimestampNs : pool.timestampNs(held.first()));
        }
    }
}
