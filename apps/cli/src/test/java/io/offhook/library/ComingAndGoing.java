package io.offhook.library;

import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.write.PacketWriter;
import io.offhook.pcap.PacketSink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets of flows that come and go, one after the other a little: UDP, TCP that ends, TCP that is left open with a hole,
 * datagrams in fragments of which one in four stays incomplete.
 */
public final class ComingAndGoing {
    private static final int PACKETS_PER_FLOW = 10;
    /** Flows that have packets at the same time. */
    private static final int ABREAST = 100;

    private static final long PACKET_NS = 100_000;
    private static final long PAUSE_NS = 2_000_000_000L;
    private static final long FIRST_NS = 1_800_000_000_000_000_000L;

    private final PacketWriter writer = new PacketWriter();
    private final int packets;

    /** @param packets in all, a multiple of 1,000 */
    public ComingAndGoing(int packets) {
        this.packets = packets;
    }

    /** Nanoseconds from the first packet to where the next lot begins, after a pause in which flows become idle. */
    long spanNs() {
        return packets * PACKET_NS + PAUSE_NS;
    }

    public void write(PacketSink sink) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(2048);
            for (int i = 0; i < packets; i++) {
                int flow = i / (ABREAST * PACKETS_PER_FLOW) * ABREAST + i % ABREAST;
                int length = packet(memory, flow, i / ABREAST % PACKETS_PER_FLOW);
                sink.write(memory, 0, length, length, FIRST_NS + i * PACKET_NS, LinkType.ETHERNET);
            }
        }
    }

    private int packet(MemorySegment memory, int flow, int number) {
        writer.begin(memory, 0).ethernet(0x020000000001L, 0x020000000002L);
        int port = 1024 + flow % 60_000;
        return switch (flow % 5) {
            case 0 -> fragment(memory, flow, number);
            case 1, 2 -> ipv4(flow).udp(port, 4000).zeros(40 + flow % 100).finish();
            case 3 -> segment(flow, port, number, number == PACKETS_PER_FLOW - 1);
            default -> segment(flow, port, number == 1 ? 2 : number, false);
        };
    }

    private PacketWriter ipv4(int flow) {
        return writer.ipv4(0x0a000000L + flow, 0xc0000201L);
    }

    /** Datagrams of three fragments; of the flow's last only the first one comes. */
    private int fragment(MemorySegment memory, int flow, int number) {
        int part = number % 3;
        int length = ipv4(flow).udp(4000, 4000).zeros(56).finish();
        NetworkOrder.putU16(memory, 14 + 4, number / 3);
        NetworkOrder.putU16(memory, 14 + 6, (part == 2 ? 0 : 0x2000) | part * 8);
        return length;
    }

    /** SYN, then 50 bytes each: of every second flow the third and fourth have changed places. */
    private int segment(int flow, int port, int number, boolean isFin) {
        int place = flow % 2 == 0 && (number == 3 || number == 4) ? 7 - number : number;
        long sequence = flow * 1000L + (place == 0 ? 0 : 1 + 50L * (place - 1));
        int flags = number == 0 ? TcpView.SYN : isFin ? TcpView.FIN | TcpView.ACK : TcpView.ACK;
        return ipv4(flow)
                .tcp(port, 80, sequence & 0xffff_ffffL, 1, flags)
                .zeros(number == 0 ? 0 : 50)
                .finish();
    }
}
