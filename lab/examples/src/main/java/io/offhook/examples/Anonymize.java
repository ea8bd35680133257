package io.offhook.examples;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.edit.CryptoPan;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapNgWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Copies a capture and replaces its addresses; common prefixes are preserved: {@code Anonymize IN OUT.pcapng}. The key is
 * not stored, so nobody can reverse the mapping; payloads stay as they are.
 */
public final class Anonymize {
    private static final int MOST_BYTES = 1 << 18;

    private Anonymize() {}

    public static void main(String[] args) {
        byte[] key = new byte[CryptoPan.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        PacketAnonymizer anonymizer = new PacketAnonymizer(new CryptoPan(key), true);
        FrameBatch batch = new FrameBatch(4096);
        try (Arena arena = Arena.ofConfined();
                PacketSource source = CaptureFiles.open(args[0]);
                PcapNgWriter out = PcapNgWriter.create(Path.of(args[1]))) {
            MemorySegment packet = arena.allocate(MOST_BYTES);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    int length = Math.min(batch.capturedLength(i), MOST_BYTES);
                    MemorySegment.copy(batch.segmentOf(i), batch.offset(i), packet, 0, length);
                    anonymizer.anonymize(packet, 0, length, batch.wireLength(i), batch.linkType(i));
                    out.write(packet, 0, length, batch.wireLength(i), batch.timestampNs(i), batch.linkType(i));
                }
            }
        }
        System.out.println(anonymizer.packetsChanged() + " packets have other addresses");
    }
}
