package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.checksum.InternetChecksum;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class WalkAllocationTest {
    private final PacketWalker walker = new PacketWalker();
    private final IcmpError error = new IcmpError();

    @Test
    void walksWithoutAllocation() {
        List<GoldenFrame> frames = GoldenFrame.all();
        MemorySegment[] segments = frames.stream().map(GoldenFrame::segment).toArray(MemorySegment[]::new);
        int[] linkTypes = frames.stream().mapToInt(GoldenFrame::linkType).toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long sum = 0;
        for (int round = 0; round < 3_000; round++) {
            sum += walkAll(segments, linkTypes);
        }

        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int round = 0; round < 200; round++) {
                sum += walkAll(segments, linkTypes);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }

        assertThat(sum).isNotZero();
        // asking for the figure may itself allocate a little; 200 rounds of a hundred frames may not add to it
        assertThat(least).isLessThan(1_000);
    }

    private long walkAll(MemorySegment[] segments, int[] linkTypes) {
        long sum = 0;
        for (int i = 0; i < segments.length; i++) {
            int length = (int) segments[i].byteSize();
            walker.walk(segments[i], 0, length, length, linkTypes[i]);
            sum += walker.payloadLength() + walker.sourceLow() + walker.destinationHigh() + walker.sourcePort();
            sum += error.find(walker) ? 1 : 0;
            sum += InternetChecksum.transport(walker) == InternetChecksum.Verdict.CORRECT ? 1 : 0;
        }
        return sum;
    }
}
