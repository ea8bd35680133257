package io.offhook.live;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Frames that tests send, and how those that came are compared with them. */
public final class TestFrames {
    public static final int IPV4 = 0x0800;

    private static final long PATIENCE_NS = 30_000_000_000L;

    private TestFrames() {}

    /** Ethernet frames of many sizes, their content random but for the type. */
    public static List<byte[]> frames(int count, int etherType) {
        return frames(count, etherType, 60, 1514);
    }

    /** As {@link #frames(int, int)}, of sizes in bytes. */
    public static List<byte[]> frames(int count, int etherType, int shortest, int longest) {
        Random random = new Random(count);
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] frame = new byte[shortest + random.nextInt(longest - shortest + 1)];
            random.nextBytes(frame);
            frame[0] = 2;
            frame[6] = 2;
            frame[12] = (byte) (etherType >>> 8);
            frame[13] = (byte) etherType;
            frames.add(frame);
        }
        return frames;
    }

    /** Frames as text that a failure can be read by: number, length, hash. */
    public static List<String> reported(List<byte[]> frames) {
        List<String> lines = new ArrayList<>();
        for (byte[] frame : frames) {
            lines.add(lines.size() + ": " + frame.length + " " + Arrays.hashCode(frame));
        }
        return lines;
    }

    /** Copies of a batch's frames. */
    public static List<byte[]> bytes(FrameBatch batch) {
        List<byte[]> got = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            got.add(batch.segmentOf(i)
                    .asSlice(batch.offset(i), batch.capturedLength(i))
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        return got;
    }

    /** All that comes until the source ends. */
    public static List<byte[]> drain(PacketSource source, FrameBatch... batches) {
        List<byte[]> got = new ArrayList<>();
        int turn = 0;
        while (source.next(batches[turn])) {
            got.addAll(bytes(batches[turn]));
            turn = (turn + 1) % batches.length;
        }
        return got;
    }

    /** What comes until something holds, or half a minute is over: devices hand frames over when their turn comes. */
    public static List<byte[]> until(BooleanSupplier holds, PacketSource source, FrameBatch... batches) {
        List<byte[]> got = new ArrayList<>();
        int turn = 0;
        long startNs = System.nanoTime();
        while (!holds.getAsBoolean() && System.nanoTime() - startNs < PATIENCE_NS && source.next(batches[turn])) {
            got.addAll(bytes(batches[turn]));
            turn = (turn + 1) % batches.length;
        }
        return got;
    }

    /** Sends frames. */
    public interface Sender {
        void send(List<byte[]> frames) throws Exception;
    }

    /**
     * Bytes that the calling thread allocates while it reads 2,000 frames, the least of six rounds: one allocation a frame is
     * in all of them, what the JVM links or a clock needs now and then is not.
     */
    public static long allocatedByReading(PacketSource source, Sender sender) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<byte[]> sent = frames(2_000, IPV4);
        FrameBatch[] batches = {new FrameBatch(64), new FrameBatch(64)};
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 6; round++) {
            sender.send(sent);
            long before = threads.getCurrentThreadAllocatedBytes();
            int delivered = 0;
            for (int turn = 0; delivered < sent.size(); turn ^= 1) {
                if (!source.next(batches[turn])) {
                    throw new AssertionError("the source ended");
                }
                delivered += batches[turn].count();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    /** The sockets, wake-ups and BPF objects that this process has open. */
    public static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(TestFrames::isOfASource).count();
        }
    }

    private static boolean isOfASource(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("socket:") || target.startsWith("anon_inode:");
        } catch (IOException e) {
            return false; // closed since it was listed
        }
    }
}
