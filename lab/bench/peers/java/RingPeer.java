import io.offhook.live.libpcap.LibpcapOptions;
import io.offhook.live.libpcap.LibpcapSource;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.live.xdp.XdpMode;
import io.offhook.live.xdp.XdpOptions;
import io.offhook.live.xdp.XdpSource;
import io.offhook.packet.FrameBatch;
import java.lang.foreign.ValueLayout;

/**
 * Receives until SIGINT, by the ways to capture that Offhook has: afpacket|xdp-native|xdp-generic|pcap INTERFACE. The same
 * work as ring.c and xdp.c, with rings of the same size.
 */
public final class RingPeer {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    public static void main(String[] args) throws InterruptedException {
        LiveSource source = open(args[0], args[1]);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            source.stop();
            try {
                main.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        System.out.println("ready");
        FrameBatch[] batches = {new FrameBatch(4096), new FrameBatch(4096)};
        long packets = 0;
        long sum = 0;
        for (int turn = 0; source.next(batches[turn]); turn ^= 1) {
            packets += batches[turn].count();
            sum += sum(batches[turn]);
        }
        LiveCounts counts = source.counts();
        System.out.println(packets + " " + (counts.ringDrops() + counts.kernelDrops()) + " "
                + Long.toUnsignedString(sum));
        source.close();
    }

    private static long sum(FrameBatch batch) {
        long sum = 0;
        for (int i = 0; i < batch.count(); i++) {
            sum += batch.segmentOf(i).get(LONG, batch.offset(i));
        }
        return sum;
    }

    private static LiveSource open(String way, String name) {
        return switch (way) {
            case "afpacket" -> PacketSocketSource.open(PacketSocketOptions.of(name), "");
            case "pcap" -> LibpcapSource.open(LibpcapOptions.of(name), "");
            default ->
                XdpSource.open(
                        XdpOptions.of(name)
                                .withMode(way.equals("xdp-native") ? XdpMode.NATIVE : XdpMode.GENERIC),
                        "");
        };
    }
}
