import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.Pcaps;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.TcpPacket;
import org.pcap4j.packet.UdpPacket;

/** pcap4j as its samples use it: a handle, a packet, {@code get(TcpPacket.class)}. FILE ROUNDS PACKETS */
public final class Pcap4jPeer {
    public static void main(String[] args) throws Exception {
        long most = Long.parseLong(args[2]);
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            long packets = 0;
            long tcp = 0;
            long udp = 0;
            long ports = 0;
            try (PcapHandle handle = Pcaps.openOffline(args[0])) {
                for (Packet packet = handle.getNextPacket(); packet != null; packet = handle.getNextPacket()) {
                    UdpPacket u = packet.get(UdpPacket.class);
                    TcpPacket t = u == null ? packet.get(TcpPacket.class) : null;
                    if (u != null) {
                        udp++;
                        ports += u.getHeader().getSrcPort().valueAsInt() + u.getHeader().getDstPort().valueAsInt();
                    } else if (t != null) {
                        tcp++;
                        ports += t.getHeader().getSrcPort().valueAsInt() + t.getHeader().getDstPort().valueAsInt();
                    }
                    if (++packets == most) {
                        break;
                    }
                }
            }
            System.out.println(packets + " " + tcp + " " + udp + " " + ports + " " + (System.nanoTime() - startNs));
        }
    }
}
