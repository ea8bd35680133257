import io.pkts.Pcap;
import io.pkts.packet.Packet;
import io.pkts.protocol.Protocol;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * pkts on a capture in memory: its loop hands out the packets, and from each the next one inside is asked for until there is
 * none. A header counts whose protocol it knows. Unread is a packet at which it threw. FILE ROUNDS PASSES
 */
public final class PktsScan {
    public static void main(String[] args) throws IOException {
        System.setErr(new PrintStream(OutputStream.nullOutputStream())); // where it prints the traces of what it catches itself
        byte[] capture = Files.readAllBytes(Path.of(args[0]));
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            long[] found = new long[3];
            for (int pass = Integer.parseInt(args[2]); pass > 0; pass--) {
                Pcap pcap = Pcap.openStream(new ByteArrayInputStream(capture));
                pcap.loop(packet -> {
                    scan(packet, found);
                    return true;
                });
                pcap.close();
            }
            long tookNs = System.nanoTime() - startNs;
            System.out.println(found[0] + " " + found[1] + " " + found[2] + " " + tookNs);
        }
    }

    private static void scan(Packet packet, long[] found) {
        found[0]++;
        try {
            for (Packet inside = packet.getNextPacket(); inside != null; inside = inside.getNextPacket()) {
                if (inside.getProtocol() != Protocol.UNKNOWN) {
                    found[1]++;
                }
            }
        } catch (IOException | RuntimeException e) {
            found[2]++;
        }
    }
}
