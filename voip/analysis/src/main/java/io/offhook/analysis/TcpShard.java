package io.offhook.analysis;

import io.offhook.calls.event.LossTimes;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.SipPacket;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpSegment;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PlacedCount;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipStreamCounters;
import io.offhook.sip.SipTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connections of one shard: reassembles their streams, assigns each to the protocol that recognizes it, and
 * keeps the SIP messages found until the end of the round. An exception costs the direction of the connection in which
 * it happened, and no other. Single-threaded.
 */
final class TcpShard implements TcpStreamHandler, StreamProtocol.StreamOutput {
    /** A shard's part of {@link TcpLimits#DEFAULT}. */
    private static final TcpLimits LIMITS = new TcpLimits(
            TcpLimits.DEFAULT.connections() / Shards.TCP * 2,
            TcpLimits.DEFAULT.bytesPerStream(),
            TcpLimits.DEFAULT.bytesHeld() / Shards.TCP,
            TcpLimits.DEFAULT.segmentsHeld(),
            TcpLimits.DEFAULT.segmentsWaiting(),
            TcpLimits.DEFAULT.holdTimeNs(),
            TcpLimits.DEFAULT.idleTimeoutNs());

    private final TcpStreams streams;
    private final TcpSegment at = new TcpSegment();
    private final RoundMemory memory;
    private final TlsStreams tls;
    private final CarrierStreams carriers;
    private final SipStreams sip = new SipStreams();
    /** The protocols that are asked before {@link #sip}. */
    private final StreamProtocol[] protocols;

    private final Failures failures;
    private final @Nullable TcpTrace trace;
    private final List<SipPacket> messages = new ArrayList<>();
    private final LossTimes captureLosses = new LossTimes();

    /**
     * @param protocols asked before the built-in ones
     * @param opener opens TLS; or null
     * @param failures counts the exceptions
     */
    TcpShard(
            Arena arena,
            List<StreamProtocol> protocols,
            @Nullable TlsOpener opener,
            Failures failures,
            boolean isTraced) {
        tls = new TlsStreams(sip, opener);
        streams = new TcpStreams(LIMITS, this);
        memory = new RoundMemory(arena);
        carriers = new CarrierStreams(memory);
        this.failures = failures;
        trace = isTraced ? new TcpTrace() : null;
        List<StreamProtocol> all = new ArrayList<>(protocols);
        all.add(tls);
        all.add(carriers);
        this.protocols = all.toArray(StreamProtocol[]::new);
    }

    /** Processes the segments of a batch. */
    void accept(SegmentEvents events, FrameBatch batch) {
        long[] rows = events.rows();
        for (int row = 0; row < events.end(); row += SegmentEvents.WIDTH) {
            segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row, null);
        }
    }

    /** Processes the segments of a batch and, in the order of their frames, those that came in fragments. */
    void accept(SegmentEvents events, FrameBatch batch, SegmentEvents late, FragmentStage fragments) {
        long[] rows = events.rows();
        long[] lateRows = late.rows();
        int row = 0;
        for (int lateRow = 0; lateRow < late.end(); lateRow += SegmentEvents.WIDTH) {
            long number = lateRows[lateRow + SegmentEvents.FRAME];
            for (; row < events.end() && rows[row + SegmentEvents.FRAME] < number; row += SegmentEvents.WIDTH) {
                segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row, null);
            }
            int chunk = FrameDecoder.IN_MEMORY - (int) lateRows[lateRow + SegmentEvents.FRAME_INDEX];
            segment(fragments.memory().segment(chunk), lateRows, lateRow, fragments);
        }
        for (; row < events.end(); row += SegmentEvents.WIDTH) {
            segment(batch.segmentOf((int) rows[row + SegmentEvents.FRAME_INDEX]), rows, row, null);
        }
    }

    /** @param fragments the fragments that it came in; otherwise null */
    private void segment(MemorySegment segment, long[] rows, int row, @Nullable FragmentStage fragments) {
        long ports = rows[row + SegmentEvents.PORTS];
        long lengths = rows[row + SegmentEvents.PAYLOAD_LENGTHS];
        at.source(rows[row + SegmentEvents.SOURCE_HIGH], rows[row + SegmentEvents.SOURCE_LOW], (int) ports >>> 16);
        at.destination(
                rows[row + SegmentEvents.DESTINATION_HIGH],
                rows[row + SegmentEvents.DESTINATION_LOW],
                (int) ports & 0xffff);
        at.captured(rows[row + SegmentEvents.TIMESTAMP], rows[row + SegmentEvents.FRAME], (int)
                rows[row + SegmentEvents.SCOPE]);
        try {
            at.bytes(
                    segment,
                    rows[row + SegmentEvents.TCP_OFFSET],
                    rows[row + SegmentEvents.PAYLOAD_OFFSET],
                    (int) (lengths >>> 32),
                    (int) lengths);
            if (trace != null) {
                trace.packet(at, fragments);
            }
            streams.segment(at);
        } catch (RuntimeException e) { // readers are contained where they are called: this one is of the segment itself
            RunEndedException.throwIf(false, e);
            failures.add(Failures.Kind.CONNECTION, e, at.frameNumber(), at.timestampNs());
        }
    }

    /** Ends all streams; bytes held behind a hole are read first. */
    void flush() {
        streams.flush();
    }

    /** The messages that this round completed, in the order in which they were completed. */
    List<SipPacket> messages() {
        return messages;
    }

    void endRound() {
        messages.clear();
        carriers.found().clear();
        memory.clear();
        if (trace != null) {
            trace.endRound();
        }
    }

    TcpStreams streams() {
        return streams;
    }

    /** The trace of its messages; null unless traced. */
    @Nullable
    TcpTrace trace() {
        return trace;
    }

    /** The packets of connections that its trace gave up; none unless traced. */
    PlacedCount untraced() {
        return trace == null ? new PlacedCount() : trace.untraced();
    }

    /** The first protocol that can start here wins; text may be the middle of a SIP message. */
    @Override
    public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
        boolean waits = false;
        for (StreamProtocol protocol : protocols) {
            Pickup pickup = pickup(protocol, segment, payloadOffset, payloadLength);
            if (pickup == Pickup.NOW) {
                return pickup;
            }
            waits |= pickup == Pickup.WAIT;
        }
        Pickup pickup = pickup(sip, segment, payloadOffset, payloadLength);
        return pickup == Pickup.IGNORE && waits ? Pickup.WAIT : pickup;
    }

    private Pickup pickup(StreamProtocol protocol, MemorySegment segment, long offset, int length) {
        try {
            return protocol.pickup(segment, offset, length);
        } catch (RuntimeException e) {
            failures.add(Failures.Kind.CONNECTION, e, at.frameNumber(), at.timestampNs());
            return Pickup.IGNORE;
        }
    }

    @Override
    public void data(
            TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        boolean goesOn = false;
        Direction direction = (Direction) stream.attachment();
        try {
            if (direction == null) {
                StreamProtocol protocol = protocol(segment, offset, length);
                direction = new Direction(protocol.begin(stream, this), trace != null);
                stream.attachment(direction);
            }
            if (direction.positions != null) {
                direction.positions.add(length, frameNumber);
            }
            goesOn = direction.reader.data(segment, offset, length, timestampNs, frameNumber);
        } catch (RuntimeException e) {
            RunEndedException.throwIf(false, e);
            failures.add(Failures.Kind.CONNECTION, e, frameNumber, timestampNs);
            end(direction, frameNumber, timestampNs);
        }
        if (!goesOn) {
            stream.ignore();
            if (trace != null) {
                trace.other(stream);
            }
        }
    }

    private StreamProtocol protocol(MemorySegment segment, long offset, int length) {
        for (StreamProtocol protocol : protocols) {
            if (pickup(protocol, segment, offset, length) == Pickup.NOW) {
                return protocol;
            }
        }
        return sip;
    }

    @Override
    public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
        if (stream.isGapAcknowledged()) {
            long reportedNs = stream.reportedTimestampNs();
            captureLosses.add(Math.min(reportedNs, timestampNs), Math.max(reportedNs, timestampNs));
        }
        Direction direction = (Direction) stream.attachment();
        if (direction == null) {
            return;
        }
        if (direction.positions != null) {
            direction.positions.skip(missingBytes);
        }
        try {
            direction.reader.gap(missingBytes, timestampNs, frameNumber);
        } catch (RuntimeException e) {
            failures.add(Failures.Kind.CONNECTION, e, frameNumber, timestampNs);
            end(direction, frameNumber, timestampNs);
            stream.ignore();
        }
    }

    @Override
    public void end(TcpStream stream, End reason) {
        end((Direction) stream.attachment(), stream.reportedFrameNumber(), stream.reportedTimestampNs());
    }

    /** Lets a reader release what it holds, after a failure too. */
    private void end(@Nullable Direction direction, long frameNumber, long timestampNs) {
        if (direction != null) {
            try {
                direction.reader.end();
            } catch (RuntimeException e) {
                failures.add(Failures.Kind.CONNECTION, e, frameNumber, timestampNs);
            }
        }
    }

    @Override
    public void message(TcpStream stream, StreamMessage message, SipTransport transport) {
        memory.copy(message.octets(), message.offset(), message.length());
        SipPacket packet = new SipPacket(
                SipMessageView.callIdHash(message.octets(), message.offset(), message.length()),
                new PacketContext(message.timestampNs(), message.frameNumber(), stream.source(), stream.destination()),
                transport,
                -1,
                memory.segment(memory.chunk()),
                memory.offset(),
                message.length());
        messages.add(packet);
        Direction direction = (Direction) stream.attachment();
        if (trace != null && direction != null && direction.positions != null) {
            trace.message(packet, stream, direction.positions, message);
        }
    }

    /** The times of bytes that were sent and acknowledged, but not captured. */
    LossTimes captureLosses() {
        return captureLosses;
    }

    /** Protocols that carry packets of others, and what was found in them. */
    CarrierStreams carriers() {
        return carriers;
    }

    TlsStreams tls() {
        return tls;
    }

    SipStreamCounters counters() {
        return sip.counters();
    }

    void close() {
        streams.close();
    }

    /** One direction of a connection, and what reads it. */
    private static final class Direction {
        private final StreamReader reader;
        private final TcpTrace.@Nullable Positions positions;

        Direction(StreamReader reader, boolean isTraced) {
            this.reader = reader;
            positions = isTraced ? new TcpTrace.Positions() : null;
        }
    }
}
