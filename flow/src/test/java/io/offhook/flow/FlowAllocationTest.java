package io.offhook.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A packet of a known flow costs no allocation, whatever its protocol, VLANs and tunnels. */
class FlowAllocationTest {
    private static final Endpoint A6 = CommunityIdTest.endpoint("2001:db8::1", 1000);
    private static final Endpoint B6 = CommunityIdTest.endpoint("2001:db8::2", 2000);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void allocatesNothingForPacketsOfKnownFlows() {
        FlowWire wire = new FlowWire();
        run(wire, 3000);
        long before = threads.getCurrentThreadAllocatedBytes();
        long work = run(wire, 3000);
        long withTable = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(work).isEqualTo(3000 * 9);
        // making the frames takes some; the same without the table tells how much
        before = threads.getCurrentThreadAllocatedBytes();
        runWithoutTable(wire, 3000);
        long withoutTable = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(withTable - withoutTable).isLessThan(20_000);
        assertThat(wire.table.count(FlowCounter.FLOWS)).isEqualTo(8);
    }

    private static long run(FlowWire wire, int rounds) {
        wire.isWithoutTable = false;
        return packets(wire, rounds);
    }

    private static void runWithoutTable(FlowWire wire, int rounds) {
        wire.isWithoutTable = true;
        packets(wire, rounds);
    }

    private static long packets(FlowWire wire, int rounds) {
        long packets = wire.frameNumber;
        long sequence = 1001;
        List<Integer> vlans = List.of(7, 9);
        for (int i = 0; i < rounds; i++) {
            wire.udp(FlowWire.CLIENT, FlowWire.SERVER, 100);
            wire.udp(A6, B6, 100);
            wire.client(sequence, FlowWire.ACK, 5001, 500);
            wire.server(5001, FlowWire.ACK, sequence + 500, 0);
            wire.icmp(FlowWire.CLIENT, FlowWire.SERVER, 8, 0);
            wire.vlans = vlans;
            wire.udp(FlowWire.SERVER, FlowWire.CLIENT, 100);
            wire.vlans = List.of();
            wire.outerSource = 1;
            wire.outerDestination = 2;
            wire.udp(FlowWire.SERVER, FlowWire.CLIENT, 100);
            wire.vni = 42;
            wire.udp(FlowWire.SERVER, FlowWire.CLIENT, 100);
            wire.vni = 0;
            wire.outerSource = 0;
            wire.other(A6, B6, 89);
            sequence += 500;
        }
        return Objects.checkIndex((int) (wire.frameNumber - packets), Integer.MAX_VALUE);
    }
}
