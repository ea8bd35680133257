package io.offhook.bench;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.flow.table.FlowLimits;
import io.offhook.flow.table.FlowTable;
import io.offhook.flow.tcp.StreamWindow;
import io.offhook.flow.tcp.StreamWindowHandler;
import io.offhook.flow.tcp.StreamWindowLimits;
import io.offhook.flow.tcp.StreamWindows;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpSegment;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of reassembly and flows, in ns per packet: TCP segments of {@value #CONNECTIONS} connections in order and swapped
 * in pairs, with and without analysis of their sequence numbers, and read through windows; packets walked and counted by
 * flow; datagrams of four fragments, copied and referenced. Frames have 1,514 bytes, in native memory larger than the
 * second-level cache.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class FlowBenchmark {
    static final int CONNECTIONS = 64;
    static final int FRAMES = 4096;

    private final TcpSegment segment = new TcpSegment();
    private static final int FRAME_BYTES = 1536;
    private static final int LENGTH = 1514;
    private static final int IP = 14;
    private static final int TCP = 34;
    private static final int PAYLOAD = 54;
    private static final int PAYLOAD_BYTES = LENGTH - PAYLOAD;
    private static final long V4 = 0xffff_0000_0000L;
    private static final long CLIENT = V4 | 0x0a00_0001;
    private static final long SERVER = V4 | 0x0a00_0002;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment frames = arena.allocate((long) FRAMES * FRAME_BYTES);
    private final Summing handler = new Summing();
    private final TcpStreams ordered = new TcpStreams(TcpLimits.DEFAULT, handler);
    private final TcpStreams analysed = new TcpStreams(TcpLimits.DEFAULT, handler);
    private final Records records = new Records();
    private final StreamWindows copiedWindows = new StreamWindows(StreamWindowLimits.DEFAULT, Holding.COPY, records);
    private final StreamWindows referencedWindows =
            new StreamWindows(StreamWindowLimits.DEFAULT, Holding.REFERENCE, records);
    private final TcpStreams windowedCopied = new TcpStreams(TcpLimits.DEFAULT, copiedWindows);
    private final TcpStreams windowedReferenced =
            new TcpStreams(TcpLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE, referencedWindows);
    private final TcpStreams swappedCopied = new TcpStreams(TcpLimits.DEFAULT, handler);
    private final TcpStreams swappedReferenced =
            new TcpStreams(TcpLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE, handler);
    private final FragmentTable copied = new FragmentTable(FragmentLimits.DEFAULT);
    private final FragmentTable referenced =
            new FragmentTable(FragmentLimits.DEFAULT, OverlapPolicy.FIRST, Holding.REFERENCE, null);
    private final FlowTable flows = new FlowTable(FlowLimits.DEFAULT, (flow, reason) -> {});
    private final PacketWalker walker = new PacketWalker();
    private long timestampNs = 1_700_000_000_000_000_000L;
    private long frameNumber;
    private int round;

    /** Created by JMH. */
    public FlowBenchmark() {
        analysed.analyse();
        for (int i = 0; i < FRAMES; i++) {
            long at = (long) i * FRAME_BYTES;
            NetworkOrder.putU16(frames, at + 12, 0x0800);
            NetworkOrder.putU16(frames, at + IP, 0x4500);
            NetworkOrder.putU16(frames, at + IP + 2, LENGTH - IP);
            NetworkOrder.putU16(frames, at + IP + 8, 64 << 8 | 6);
            NetworkOrder.putU32(frames, at + IP + 12, 0x0a00_0001);
            NetworkOrder.putU32(frames, at + IP + 16, 0x0a00_0002);
            NetworkOrder.putU16(frames, at + TCP, port(i));
            NetworkOrder.putU16(frames, at + TCP + 2, 5060);
            NetworkOrder.putU32(frames, at + TCP + 8, 1);
            NetworkOrder.putU16(frames, at + TCP + 12, 5 << 12 | 0x10);
            NetworkOrder.putU16(frames, at + TCP + 14, 60_000);
        }
    }

    private static int port(int frame) {
        return 10_000 + frame % CONNECTIONS;
    }

    /** Reads the first byte of the data that it receives. */
    private static final class Summing implements TcpStreamHandler {
        private long sum;

        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return Pickup.NOW;
        }

        @Override
        public void data(TcpStream stream, MemorySegment segment, long offset, int length, long ns, long number) {
            sum += length + NetworkOrder.u8(segment, offset);
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long ns, long number) {
            throw new IllegalStateException("a hole of " + missingBytes + " bytes at " + number);
        }

        @Override
        public void end(TcpStream stream, End reason) {}
    }

    /** Reads records of 1,000 bytes from a window; most of them span segments. */
    private static final class Records implements StreamWindowHandler {
        private static final int RECORD = 1000;

        private long sum;

        @Override
        public TcpStreamHandler.Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return TcpStreamHandler.Pickup.NOW;
        }

        @Override
        public void data(TcpStream stream, StreamWindow window) {
            long at = window.start();
            for (; window.end() - at >= RECORD; at += RECORD) {
                sum += window.bytes().bits64(at) + window.bytes().bits64(at + RECORD - 8);
            }
            window.release(at);
        }

        @Override
        public void gap(TcpStream stream, StreamWindow window, long missingBytes) {
            throw new IllegalStateException("a hole of " + missingBytes + " bytes");
        }

        @Override
        public void overflow(TcpStream stream, StreamWindow window) {
            throw new IllegalStateException("no room for " + window);
        }

        @Override
        public void end(TcpStream stream, StreamWindow window, TcpStreamHandler.End reason) {}
    }

    /** Segments in order, read as records through windows that copy the rest. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpInOrderWindowCopied() {
        return windowed(windowedCopied);
    }

    /** The same, by reference. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpInOrderWindowReferenced() {
        return windowed(windowedReferenced);
    }

    private long windowed(TcpStreams streams) {
        round++;
        for (int i = 0; i < FRAMES; i++) {
            segment(streams, i, i / CONNECTIONS);
        }
        return records.sum;
    }

    /** Segments in order. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpInOrder() {
        round++;
        for (int i = 0; i < FRAMES; i++) {
            segment(ordered, i, i / CONNECTIONS);
        }
        return handler.sum;
    }

    /** The same, with analysis of their sequence numbers. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpInOrderAnalysed() {
        round++;
        for (int i = 0; i < FRAMES; i++) {
            segment(analysed, i, i / CONNECTIONS);
        }
        return handler.sum;
    }

    /** Every second segment of a connection arrives before the first, and is copied. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpSwappedCopied() {
        return swapped(swappedCopied);
    }

    /** Every second segment of a connection arrives before the first, and is referenced. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long tcpSwappedReferenced() {
        return swapped(swappedReferenced);
    }

    private long swapped(TcpStreams streams) {
        round++;
        if (round == 1) { // the beginnings, so that nothing comes before them
            for (int i = 0; i < CONNECTIONS; i++) {
                segment(streams, i, -1);
            }
        }
        for (int i = 0; i < FRAMES; i++) {
            segment(streams, i, i / CONNECTIONS ^ 1);
        }
        return handler.sum;
    }

    /** @param turn which of this round's segments of the connection it is */
    private void segment(TcpStreams streams, int frame, int turn) {
        long at = (long) frame * FRAME_BYTES;
        int sequence = ((round - 1) * (FRAMES / CONNECTIONS) + turn) * PAYLOAD_BYTES;
        NetworkOrder.putU32(frames, at + TCP + 4, sequence & 0xffff_ffffL);
        timestampNs += 1000;
        segment.source(0, CLIENT, port(frame));
        segment.destination(0, SERVER, 5060);
        segment.captured(timestampNs, ++frameNumber, 0);
        segment.bytes(frames, at + TCP, at + PAYLOAD, PAYLOAD_BYTES, PAYLOAD_BYTES);
        streams.segment(segment);
    }

    /** Packets of 64 flows, walked and counted, with analysis of TCP's sequence numbers. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long flowsOfTcp() {
        round++;
        for (int i = 0; i < FRAMES; i++) {
            long at = (long) i * FRAME_BYTES;
            int sequence = ((round - 1) * (FRAMES / CONNECTIONS) + i / CONNECTIONS) * PAYLOAD_BYTES;
            NetworkOrder.putU32(frames, at + TCP + 4, sequence & 0xffff_ffffL);
            walker.walk(frames, at, LENGTH, LENGTH, LinkType.ETHERNET);
            timestampNs += 1000;
            flows.add(walker, LENGTH, timestampNs, ++frameNumber);
        }
        return flows.size();
    }

    /** Only the walk: its part of {@link #flowsOfTcp}. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long walkOnly() {
        long sum = 0;
        round++;
        for (int i = 0; i < FRAMES; i++) {
            long at = (long) i * FRAME_BYTES;
            NetworkOrder.putU32(frames, at + TCP + 4, (long) round * i & 0xffff_ffffL);
            walker.walk(frames, at, LENGTH, LENGTH, LinkType.ETHERNET);
            sum += walker.sourcePort();
        }
        return sum;
    }

    /** Datagrams of four fragments, copied. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long fragmentsCopied() {
        return fragments(copied);
    }

    /** Datagrams of four fragments, referenced, and read as stretches. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long fragmentsReferenced() {
        return fragments(referenced);
    }

    private long fragments(FragmentTable table) {
        int payload = 1480;
        long sum = 0;
        round++;
        for (int i = 0; i < FRAMES; i++) {
            long at = (long) i * FRAME_BYTES;
            int part = i & 3;
            NetworkOrder.putU16(frames, at + IP + 4, round * (FRAMES / 4) + i / 4 & 0xffff);
            NetworkOrder.putU16(frames, at + IP + 6, (part < 3 ? 0x2000 : 0) | part * payload / 8);
            timestampNs += 1000;
            if (table.add(frames, at + IP, LENGTH - IP, timestampNs, ++frameNumber, 0)
                    == FragmentTable.Result.COMPLETE) {
                sum += table.stretches().u8(20 + payload) + table.datagramLength();
            }
        }
        return sum;
    }

    /** Frees the memory. */
    @TearDown
    public void close() {
        ordered.close();
        analysed.close();
        swappedCopied.close();
        swappedReferenced.close();
        windowedCopied.close();
        windowedReferenced.close();
        copiedWindows.close();
        referencedWindows.close();
        copied.close();
        referenced.close();
        arena.close();
    }
}
