import io.offhook.live.packetsocket.IpSniffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the IP packets that an interface receives, by {@link IpSniffer}: INTERFACE FILTER; ends by SIGINT. */
public final class SnifferPeer {
    public static void main(String[] args) throws InterruptedException {
        AtomicLong packets = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        IpSniffer sniffer = IpSniffer.on(args[0])
                .incoming((source, destination, packet) -> {
                    packets.incrementAndGet();
                    bytes.addAndGet(packet.remaining());
                })
                .filter(args[1])
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            sniffer.close();
            System.out.println(packets.get());
        }));
        new CountDownLatch(1).await();
    }
}
