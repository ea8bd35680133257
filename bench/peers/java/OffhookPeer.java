import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.PacketWalker;
import io.offhook.pcap.CaptureFiles;
import io.offhook.pcap.PacketSource;
import java.util.List;

/** Offhook, one thread: a source, a batch, a walker. FILE ROUNDS PACKETS */
public final class OffhookPeer {
    public static void main(String[] args) {
        long most = Long.parseLong(args[2]);
        FrameBatch batch = new FrameBatch(4096);
        Counts counts = new Counts();
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            counts.packets = counts.tcp = counts.udp = counts.ports = 0;
            try (PacketSource source = CaptureFiles.open(List.of(args[0]))) {
                while (counts.packets < most && source.next(batch)) {
                    counts.add(batch, most);
                }
            }
            long tookNs = System.nanoTime() - startNs;
            System.out.println(counts.packets + " " + counts.tcp + " " + counts.udp + " " + counts.ports + " " + tookNs);
        }
    }

    private static final class Counts {
        private final PacketWalker walker = new PacketWalker();
        long packets;
        long tcp;
        long udp;
        long ports;

        void add(FrameBatch batch, long most) {
            long tcp = 0;
            long udp = 0;
            long ports = 0;
            int count = (int) Math.min(batch.count(), most - packets);
            for (int i = 0; i < count; i++) {
                walker.walk(
                        batch.segmentOf(i),
                        batch.offset(i),
                        batch.capturedLength(i),
                        batch.wireLength(i),
                        batch.linkType(i));
                int transport = walker.transport();
                if (transport >= 0) {
                    LayerType type = walker.layerType(transport);
                    if (type == LayerType.UDP) {
                        udp++;
                        ports += walker.sourcePort() + walker.destinationPort();
                    } else if (type == LayerType.TCP) {
                        tcp++;
                        ports += walker.sourcePort() + walker.destinationPort();
                    }
                }
            }
            packets += count;
            this.tcp += tcp;
            this.udp += udp;
            this.ports += ports;
        }
    }
}
