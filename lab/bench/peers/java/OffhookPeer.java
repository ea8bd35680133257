import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.PacketSource;

/**
 * Offhook, one thread: a source, a batch, a walker that stops at TCP or UDP; or, told "all", one that lists all layers.
 * FILE ROUNDS PACKETS [all]
 */
public final class OffhookPeer {
    private final FrameBatch batch = new FrameBatch(4096);
    private final PacketWalker walker = new PacketWalker();
    private long packets;
    private long tcp;
    private long udp;
    private long ports;

    public static void main(String[] args) {
        long most = Long.parseLong(args[2]);
        boolean all = args.length > 3;
        OffhookPeer peer = new OffhookPeer();
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            peer.packets = peer.tcp = peer.udp = peer.ports = 0;
            peer.read(args[0], most, all);
            long tookNs = System.nanoTime() - startNs;
            System.out.println(peer.packets + " " + peer.tcp + " " + peer.udp + " " + peer.ports + " " + tookNs);
        }
    }

    private void read(String file, long most, boolean all) {
        try (PacketSource source = CaptureFiles.open(file)) {
            while (packets < most && source.next(batch)) {
                int count = (int) Math.min(batch.count(), most - packets);
                packets += count;
                if (all) {
                    listAll(count);
                } else {
                    stopAtTransport(count);
                }
            }
        }
    }

    private void stopAtTransport(int count) {
        PacketWalker walker = this.walker;
        FrameBatch batch = this.batch;
        for (int i = 0; i < count; i++) {
            walker.walk(
                    batch.segmentOf(i),
                    batch.offset(i),
                    batch.capturedLength(i),
                    batch.wireLength(i),
                    batch.linkType(i),
                    LayerSet.TCP_OR_UDP);
            add(walker);
        }
    }

    private void listAll(int count) {
        PacketWalker walker = this.walker;
        FrameBatch batch = this.batch;
        for (int i = 0; i < count; i++) {
            walker.walk(batch, i);
            add(walker);
        }
    }

    private void add(PacketWalker walker) {
        int transport = walker.transport();
        if (transport < 0) {
            return;
        }
        LayerType type = walker.layerType(transport);
        if (type == LayerType.UDP) {
            udp++;
        } else if (type == LayerType.TCP) {
            tcp++;
        } else {
            return;
        }
        ports += walker.sourcePort() + walker.destinationPort();
    }
}
