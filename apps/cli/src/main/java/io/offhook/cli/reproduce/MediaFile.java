package io.offhook.cli.reproduce;

import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.file.PcapWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes a track as a pcap file that sipp plays: Ethernet, IPv4 and UDP of our own around each packet, since sipp reads nothing
 * else. It takes from them only how far a port is above the lowest one.
 */
final class MediaFile {
    private static final int HEADERS = 14 + 20 + 8;
    private static final int FIRST_PORT = 6000;
    private static final int LOOPBACK = 0x7f00_0001;
    private static final long EPOCH_NS = 1_000_000_000L;

    private MediaFile() {}

    /** Creates the file, or replaces it. */
    static void write(Path file, Track track, MediaLines media) {
        try (PcapWriter writer = PcapWriter.create(file, CaptureFormat.PCAP, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(0xffff);
            for (Track.Packet packet : track.packets()) {
                int length = frame(frame, packet, media.offset(packet.line()));
                writer.write(frame, 0, length, length, EPOCH_NS + packet.atNs(), LinkType.ETHERNET);
            }
        }
    }

    private static int frame(MemorySegment frame, Track.Packet packet, int offset) {
        int udpLength = 8 + packet.octets().length;
        ByteBuffer headers = ByteBuffer.allocate(HEADERS);
        headers.position(12).putShort((short) 0x0800);
        headers.putShort((short) 0x4500).putShort((short) (20 + udpLength)).putInt(0x4000);
        headers.put((byte) 64)
                .put((byte) 17)
                .putShort((short) 0)
                .putInt(LOOPBACK)
                .putInt(LOOPBACK);
        headers.putShort(24, checksum(headers.array()));
        short port = (short) (FIRST_PORT + offset);
        headers.putShort(port).putShort(port).putShort((short) udpLength).putShort((short) 0);
        MemorySegment.copy(headers.array(), 0, frame, ValueLayout.JAVA_BYTE, 0, HEADERS);
        MemorySegment.copy(packet.octets(), 0, frame, ValueLayout.JAVA_BYTE, HEADERS, packet.octets().length);
        return HEADERS + packet.octets().length;
    }

    /** The checksum of the IPv4 header, whose own field is 0. */
    private static short checksum(byte[] headers) {
        int sum = 0;
        for (int i = 14; i < 34; i += 2) {
            sum += (headers[i] & 0xff) << 8 | headers[i + 1] & 0xff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~((sum & 0xffff) + (sum >>> 16));
    }
}
