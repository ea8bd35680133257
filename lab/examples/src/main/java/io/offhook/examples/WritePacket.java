package io.offhook.examples;

import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import io.offhook.packet.write.PacketWriter;
import io.offhook.pcap.file.PcapNgWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Builds a packet, with lengths and checksums, and writes it to a file: {@code WritePacket OUT.pcapng}. */
public final class WritePacket {
    private WritePacket() {}

    public static void main(String[] args) {
        try (Arena arena = Arena.ofConfined();
                PcapNgWriter file = PcapNgWriter.create(Path.of(args[0]))) {
            MemorySegment memory = arena.allocate(2048);
            int length = new PacketWriter()
                    .begin(memory, 0)
                    .ethernet(0x020000000001L, 0x020000000002L)
                    .vlan(100)
                    .ipv4(0xc0000201L, 0xc6336402L, ip -> ip.dscp(46))
                    .udp(5060, 5060)
                    .text("OPTIONS sip:bob@198.51.100.2 SIP/2.0\r\nContent-Length: 0\r\n\r\n")
                    .finish();
            file.write(memory, 0, length, length, 1_790_000_000_000_000_000L, LinkType.ETHERNET);
            System.out.println(length + " bytes to " + MacAddress.text(0x020000000002L) + " in " + args[0]);
        }
    }
}
