import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IllegalPacket;
import org.pcap4j.packet.IllegalRawDataException;
import org.pcap4j.packet.Packet;

/**
 * pcap4j on packets in memory: each is parsed, and its layers gone through as the library's iterator does. A header counts
 * that is one by {@code getHeader()}; of each the length is asked. Unread is a packet of which a layer was illegal.
 * FILE ROUNDS PASSES
 */
public final class Pcap4jScan {
    public static void main(String[] args) throws IOException {
        List<byte[]> held = packets(Path.of(args[0]));
        for (int round = Integer.parseInt(args[1]); round > 0; round--) {
            long startNs = System.nanoTime();
            long[] found = new long[4];
            for (int pass = Integer.parseInt(args[2]); pass > 0; pass--) {
                for (byte[] bytes : held) {
                    scan(bytes, found);
                }
            }
            long tookNs = System.nanoTime() - startNs;
            if (found[3] == 0) {
                throw new IllegalStateException("no header had a length");
            }
            System.out.println(found[0] + " " + found[1] + " " + found[2] + " " + tookNs);
        }
    }

    private static void scan(byte[] bytes, long[] found) {
        found[0]++;
        boolean illegal = false;
        try {
            for (Packet packet : EthernetPacket.newPacket(bytes, 0, bytes.length)) {
                Packet.Header header = packet.getHeader();
                if (packet instanceof IllegalPacket) {
                    illegal = true;
                } else if (header != null) {
                    found[1]++;
                    found[3] += header.length();
                }
            }
        } catch (IllegalRawDataException | RuntimeException e) {
            illegal = true;
        }
        if (illegal) {
            found[2]++;
        }
    }

    /** Of a classic little-endian pcap file. */
    private static List<byte[]> packets(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> packets = new ArrayList<>();
        for (int at = 24; at < bytes.capacity(); ) {
            byte[] packet = new byte[bytes.getInt(at + 8)];
            bytes.get(at + 16, packet);
            packets.add(packet);
            at += 16 + packet.length;
        }
        return packets;
    }
}
