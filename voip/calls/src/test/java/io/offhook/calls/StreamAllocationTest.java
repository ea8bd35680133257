package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Media that goes on costs no memory: neither the events nor the streams, once they have grown to what they need. */
class StreamAllocationTest {
    private static final int PACKETS = 20_000;
    private static final List<Flow> FLOWS = List.of(
            Flow.of("10.1.0.1:4000", "10.1.0.2:5000", 1),
            Flow.of("10.1.0.2:5000", "10.1.0.1:4000", 2),
            new Flow(Addresses.v6(1, 4000), Addresses.v6(2, 5000), 3, 8, 0));

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final StreamTable table =
            new StreamTable(new MediaBindings(), MediaOptions.DEFAULT, 4096, 1 << 15, new PacketLog.Room(0));
    private final RtpRows events = new RtpRows();
    private int number;

    private void packets() {
        for (int i = 0; i < PACKETS; i++, number++) {
            for (int f = 0; f < FLOWS.size(); f++) {
                FLOWS.get(f).addTo(events, number, Scene.START_NS + number * 20L * Scene.MS, number * 3L + f);
            }
            if (i % 64 == 63) {
                table.accept(events);
                events.clear();
            }
        }
        table.accept(events);
        events.clear();
    }

    @Test
    void takesPacketsOfKnownStreamsWithoutAllocation() {
        packets();
        packets();
        long least = Long.MAX_VALUE;
        long thread = Thread.currentThread().threadId();
        for (int attempt = 0; attempt < 3; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            packets();
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(table.streams())
                .hasSize(3)
                .allSatisfy(stream -> assertThat(stream.statistics().packets()).isEqualTo(5L * PACKETS));
        assertThat(least).isLessThan(1_000);
    }
}
