package io.offhook.examples;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureMemory;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Delivers packets with their recorded timing, at a multiple of the speed: {@code ReplayAsLive FILE SPEED}. */
public final class ReplayAsLive {
    private static final long MOST_BYTES = 1L << 30;

    private ReplayAsLive() {}

    public static void main(String[] args) {
        double speed = Double.parseDouble(args[1]);
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(256);
        try (CaptureMemory memory = CaptureMemory.load(List.of(args[0]), MOST_BYTES);
                PacketSource source = memory.replay()) {
            long startNs = System.nanoTime();
            long firstNs = -1;
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    firstNs = firstNs < 0 ? batch.timestampNs(i) : firstNs;
                    waitUntil(startNs + (long) ((batch.timestampNs(i) - firstNs) / speed));
                    walker.walk(batch, i);
                    System.out.printf(
                            "%.6f s: %d bytes, port %d to %d%n",
                            (batch.timestampNs(i) - firstNs) / 1e9,
                            batch.wireLength(i),
                            walker.sourcePort(),
                            walker.destinationPort());
                }
            }
        }
    }

    private static void waitUntil(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
