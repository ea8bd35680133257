package io.offhook.examples;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.tcp.StreamWindow;
import io.offhook.flow.tcp.StreamWindowHandler;
import io.offhook.flow.tcp.StreamWindowLimits;
import io.offhook.flow.tcp.StreamWindows;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Prints the lines that TCP connections carry, in order and without retransmissions, also if they span segments: {@code
 * FollowTcpStream FILE}.
 */
public final class FollowTcpStream {
    /** The longest line; longer data is printed without waiting for its end. */
    private static final StreamWindowLimits LIMITS = new StreamWindowLimits(1 << 16, 1024, 64L << 20);

    private FollowTcpStream() {}

    public static void main(String[] args) {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        // copies what spans segments; with a mapped file that is read whole, Holding.REFERENCE would copy nothing
        try (StreamWindows windows = new StreamWindows(LIMITS, Holding.COPY, new Printer());
                TcpStreams streams = new TcpStreams(TcpLimits.DEFAULT, OverlapPolicy.FIRST, Holding.COPY, windows);
                PacketSource source = CaptureFiles.open(args[0])) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    streams.segment(walker, batch.timestampNs(i), batch.number(i));
                }
            }
            streams.flush();
        }
    }

    /** Takes whole lines out of the window, and leaves the beginning of the next one there. */
    private static final class Printer implements StreamWindowHandler {
        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return Pickup.NOW; // the capture may have begun in the middle
        }

        @Override
        public void data(TcpStream stream, StreamWindow window) {
            long at = window.start();
            for (long end = lineEnd(window, at); end >= 0; end = lineEnd(window, at)) {
                print(stream, window, at, end);
                at = end + 1;
            }
            window.release(at);
        }

        private static long lineEnd(StreamWindow window, long from) {
            return window.bytes().indexOf('\n', from, window.end() - from);
        }

        private static void print(TcpStream stream, StreamWindow window, long from, long to) {
            byte[] line = new byte[(int) (to - from)];
            window.bytes().copyTo(from, line, 0, line.length);
            String frame = from < to ? ", frame " + window.frameNumberAt(from) : "";
            System.out.println(stream + frame + ": " + new String(line, StandardCharsets.ISO_8859_1).strip());
        }

        @Override
        public void gap(TcpStream stream, StreamWindow window, long missingBytes) {
            print(stream, window, window.start(), window.end());
            System.out.println(stream + ": " + missingBytes + " bytes were not captured");
        }

        @Override
        public void overflow(TcpStream stream, StreamWindow window) {
            print(stream, window, window.start(), window.end());
        }

        @Override
        public void end(TcpStream stream, StreamWindow window, End reason) {
            print(stream, window, window.start(), window.end());
            System.out.println(stream + " ended: " + reason);
        }
    }
}
