package io.offhook.flow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.AllocatedBytes;
import io.offhook.flow.FlowWire;
import io.offhook.packet.Endpoint;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A packet of a known flow costs no allocation, whatever its protocol, VLANs and tunnels. */
class FlowAllocationTest {
    private static final Endpoint A6 = CommunityIdTest.endpoint("2001:db8::1", 1000);
    private static final Endpoint B6 = CommunityIdTest.endpoint("2001:db8::2", 2000);

    private static final int ROUNDS = 100;
    private static final int FRAMES_PER_ROUND = 9;

    private int added;

    @Test
    void allocatesNothingForPacketsOfKnownFlows() {
        List<MemorySegment> frames = new ArrayList<>();
        FlowWire wire = new FlowWire();
        wire.isWithoutTable = true;
        wire.recorded = frames;
        packets(wire, AllocatedBytes.RUNS * ROUNDS);
        assertThat(frames).hasSize(AllocatedBytes.RUNS * ROUNDS * FRAMES_PER_ROUND);
        long least = AllocatedBytes.leastOf(() -> add(wire, frames, added + ROUNDS * FRAMES_PER_ROUND));
        assertThat(least).isLessThan(AllocatedBytes.OF_ASKING);
        assertThat(wire.table.count(FlowCounter.PACKETS)).isEqualTo(frames.size());
        assertThat(wire.table.count(FlowCounter.FLOWS)).isEqualTo(8);
    }

    private void add(FlowWire wire, List<MemorySegment> frames, int to) {
        for (; added < to; added++) {
            MemorySegment frame = frames.get(added);
            int length = (int) frame.byteSize();
            wire.walker.walk(frame, 0, length, length, LinkType.ETHERNET);
            wire.table.add(wire.walker, length, FlowWire.START_NS + added * FlowWire.MS, added + 1);
        }
    }

    private static void packets(FlowWire wire, int rounds) {
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
    }
}
