import io.pkts.Pcap;
import io.pkts.packet.TransportPacket;
import io.pkts.protocol.Protocol;

/** pkts as its README uses it: a loop, {@code hasProtocol}, {@code getPacket}. FILE ROUNDS PACKETS */
public final class PktsPeer {
    public static void main(String[] args) throws Exception {
        long most = Long.parseLong(args[2]);
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            long[] found = new long[4];
            Pcap pcap = Pcap.openStream(args[0]);
            pcap.loop(packet -> {
                boolean udp = packet.hasProtocol(Protocol.UDP);
                if (udp || packet.hasProtocol(Protocol.TCP)) {
                    TransportPacket transport =
                            (TransportPacket) packet.getPacket(udp ? Protocol.UDP : Protocol.TCP);
                    found[udp ? 2 : 1]++;
                    found[3] += transport.getSourcePort() + transport.getDestinationPort();
                }
                return ++found[0] < most;
            });
            pcap.close();
            System.out.println(found[0] + " " + found[1] + " " + found[2] + " " + found[3] + " " + (System.nanoTime() - startNs));
        }
    }
}
