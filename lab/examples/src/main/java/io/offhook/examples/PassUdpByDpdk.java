package io.offhook.examples;

import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.dpdk.EthPort;
import io.offhook.dpdk.EthPortOptions;
import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RegisteredThread;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;

/**
 * Forwards only UDP from one device of DPDK to another: {@code PassUdpByDpdk IN OUT SECONDS}. To try it, use
 * {@code net_pcap0,rx_pcap=calls.pcap net_pcap1,tx_pcap=udp.pcap 2}. For network cards, start EAL with
 * {@code EalOptions.hardware()}; ports are then named by PCI addresses.
 */
public final class PassUdpByDpdk {
    private static final int BURST = 32;

    private PassUdpByDpdk() {}

    public static void main(String[] args) {
        try (Eal eal = Eal.start(EalOptions.virtual().withDevices(args[0], args[1]));
                RegisteredThread _ = eal.registerThread()) {
            Mempool pool = eal.mempool("packets", 8191, 256, 2048);
            EthPort in = eal.port(0);
            EthPort out = eal.port(1);
            in.start(EthPortOptions.ofQueues(1, 1), pool);
            out.start(EthPortOptions.ofQueues(1, 1), pool);
            long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000L;
            long came = 0;
            long sent = 0;
            MbufArray received = new MbufArray(BURST);
            MbufArray passed = new MbufArray(BURST);
            while (System.nanoTime() < end) {
                came += in.rxQueue(0).receive(received);
                pick(received, passed);
                sent += out.txQueue(0).send(passed);
                passed.free(); // what the device had no room for is still ours
            }
            System.out.println(came + " packets came, " + sent + " of them UDP, which went on");
        }
    }

    private static final PacketWalker WALKER = new PacketWalker();
    private static final MbufView MBUF = new MbufView();

    /** Packets stay where the device wrote them; only their addresses move from one array to the other, or are freed. */
    private static void pick(MbufArray received, MbufArray passed) {
        int others = 0;
        for (int i = 0; i < received.count(); i++) {
            long mbuf = received.get(i);
            MBUF.wrap(mbuf);
            int length = MBUF.dataLength();
            WALKER.walk(MbufView.memory(), MBUF.dataAddress(), length, length, LinkType.ETHERNET);
            if (WALKER.has(LayerType.UDP)) {
                passed.add(mbuf);
            } else {
                received.set(others++, mbuf);
            }
        }
        received.truncate(others);
        received.free();
    }
}
