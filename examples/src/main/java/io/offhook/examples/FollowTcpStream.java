package io.offhook.examples;

import io.offhook.flow.TcpLimits;
import io.offhook.flow.TcpStream;
import io.offhook.flow.TcpStreamHandler;
import io.offhook.flow.TcpStreams;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.PacketWalker;
import io.offhook.pcap.CaptureFiles;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Prints what TCP connections carry, in order, without repeats: {@code FollowTcpStream FILE}. */
public final class FollowTcpStream {
    private FollowTcpStream() {}

    public static void main(String[] args) {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(args[0]);
                TcpStreams streams = new TcpStreams(TcpLimits.DEFAULT, new Printer())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    streams.segment(walker, batch.timestampNs(i), batch.number(i));
                }
            }
            streams.flush();
        }
    }

    /** Is told of the bytes of each direction as they fall into place. */
    private static final class Printer implements TcpStreamHandler {
        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return Pickup.NOW; // the capture may have begun in the middle
        }

        @Override
        public void data(
                TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            System.out.println("--- " + stream + ", frame " + frameNumber);
            System.out.println(new String(bytes, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
            System.out.println("--- " + stream + ": " + missingBytes + " bytes were not captured");
        }

        @Override
        public void end(TcpStream stream, End reason) {
            System.out.println("--- " + stream + " ended: " + reason);
        }
    }
}
