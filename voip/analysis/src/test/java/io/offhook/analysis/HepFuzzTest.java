package io.offhook.analysis;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.application.HepReader;
import io.offhook.testkit.traffic.Octets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Any octets at all as HEP: nothing may throw, and nothing may be read beyond them. */
class HepFuzzTest {
    private static final String SIP =
            "INVITE sip:bob@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1\r\n"
                    + "From: <sip:alice@192.0.2.1>;tag=1\r\nTo: <sip:bob@192.0.2.2>\r\nCall-ID: fuzz@192.0.2.1\r\n"
                    + "CSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n";
    private static final String RTCP = "{\"type\":200,\"ssrc\":1,\"report_count\":1,\"sender_information\":"
            + "{\"ntp_timestamp_sec\":3880000000,\"ntp_timestamp_usec\":1,\"rtp_timestamp\":160,\"packets\":50,\"octets\":8000},"
            + "\"report_blocks\":[{\"source_ssrc\":2,\"fraction_lost\":1,\"packets_lost\":3,\"highest_seq_no\":70000,"
            + "\"ia_jitter\":8,\"lsr\":0,\"dlsr\":0}]}";
    private static final String QUALITY =
            "{\"CORRELATION_ID\":\"fuzz@192.0.2.1\",\"RTP_SIP_CALL_ID\":\"fuzz@192.0.2.1\","
                    + "\"SSRC\":\"0xdeadbeef\",\"SRC_IP\":\"192.0.2.1\",\"SRC_PORT\":4000,\"DST_IP\":\"192.0.2.2\",\"DST_PORT\":4002,"
                    + "\"PACKET_LOSS\":3,\"EXPECTED_PK\":500,\"JITTER\":2.5,\"MOS\":4.1,\"RFACTOR\":90,\"TYPE\":\"PERIODIC\"}";

    private static final Arena ARENA = Arena.ofAuto();

    private final BatchEvents events = new BatchEvents();
    private final RoundMemory memory = new RoundMemory(ARENA);
    private final HepPackets plain = new HepPackets();
    private final HepPackets withMemory = new HepPackets(new HepDocuments(memory));
    private final HepReader reader = new HepReader();
    /** What was read, so that nothing of it can be left out. */
    long sink;

    @FuzzTest
    void readsAnyHep(byte[] octets) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment packet = arena.allocate(Math.max(1, octets.length));
            MemorySegment.copy(octets, 0, packet, ValueLayout.JAVA_BYTE, 0, octets.length);
            packet = packet.asSlice(0, octets.length); // what is read beyond it throws
            if (HepReader.isLikely(packet, 0, octets.length) && HepReader.isWhole(packet, 0, octets.length)) {
                sink++;
            }
            if (reader.read(packet, 0, octets.length)) {
                readAll(octets.length);
            }
            boolean isDone = plain.packet(packet, 0, octets.length, 1, 1, events);
            if (!isDone && !withMemory.packet(packet, 0, octets.length, 1, 1, events)) {
                throw new AssertionError("it has memory, and wants some");
            }
            events.clear();
            memory.clear();
        }
    }

    private void readAll(int length) {
        sink += reader.source().port() + reader.destination().port() + reader.agent() + reader.timestampNs();
        sink += reader.nodeName().length() + reader.correlationId().length();
        sink += reader.authenticationKey().length() + reader.version() + reader.protocol();
        if (reader.payloadLength() < 0 || reader.payloadOffset() + reader.payloadLength() > length) {
            throw new AssertionError("a payload past the packet");
        }
    }

    private static Octets chunk(Octets to, int type, byte[] value) {
        return to.u16(0).u16(type).u16(6 + value.length).bytes(value);
    }

    private static byte[] version3(int type, int payloadChunk, byte[] payload) {
        Octets chunks = new Octets();
        chunk(chunks, 0x01, new byte[] {2});
        chunk(chunks, 0x02, new byte[] {17});
        chunk(chunks, 0x03, new byte[] {(byte) 192, 0, 2, 1});
        chunk(chunks, 0x04, new byte[] {(byte) 192, 0, 2, 2});
        chunk(chunks, 0x07, new byte[] {19, (byte) 196});
        chunk(chunks, 0x08, new byte[] {19, (byte) 197});
        chunk(chunks, 0x09, new Octets().u32(1_795_000_000L).toArray());
        chunk(chunks, 0x0a, new Octets().u32(999_999).toArray());
        chunk(chunks, 0x0b, new byte[] {(byte) type});
        chunk(chunks, 0x0c, new Octets().u32(2001).toArray());
        chunk(chunks, 0x0e, ascii("secret"));
        chunk(chunks, 0x11, ascii("fuzz@192.0.2.1"));
        chunk(chunks, payloadChunk, payload);
        return new Octets()
                .text("HEP3")
                .u16(6 + chunks.length())
                .bytes(chunks.toArray())
                .toArray();
    }

    private static byte[] version2(byte[] payload) {
        return new Octets()
                .u8(2)
                .u8(28)
                .u8(2)
                .u8(17)
                .u16(5060)
                .u16(5061)
                .u32(0xc0000201L)
                .u32(0xc0000202L)
                .u32(1)
                .u32(2)
                .u32(0x01000000L)
                .bytes(payload)
                .toArray();
    }

    private static byte[] compressed(byte[] payload) {
        Deflater deflater = new Deflater();
        deflater.setInput(payload);
        deflater.finish();
        byte[] to = new byte[payload.length + 64];
        int length = deflater.deflate(to);
        deflater.end();
        return Arrays.copyOf(to, length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Found by {@link #readsPacketsWithDamagedOctets}: where the texts of a longer one were, there may be nothing. */
    @Test
    void hasNoTextsOfThePacketBefore() {
        readsAnyHep(version3(1, 0x0f, ascii(SIP)));
        readsAnyHep(version2(new byte[1]));
    }

    @Test
    void readsPacketsWithDamagedOctets() {
        Random random = new Random(17);
        List<byte[]> seeds = List.of(
                version3(1, 0x0f, ascii(SIP)),
                version3(5, 0x0f, ascii(RTCP)),
                version3(34, 0x0f, ascii(QUALITY)),
                version3(35, 0x10, compressed(ascii(QUALITY))),
                version3(1, 0x10, compressed(ascii(SIP))),
                version3(1, 0x10, compressed(new byte[1 << 20])),
                version3(
                        4,
                        0x0f,
                        new Octets()
                                .u16(0x8008)
                                .u16(1)
                                .u32(160)
                                .u32(1)
                                .bytes(new byte[160])
                                .toArray()),
                version2(ascii(SIP)));
        for (int i = 0; i < 10_000; i++) {
            byte[] seed = seeds.get(random.nextInt(seeds.size()));
            byte[] octets = Arrays.copyOf(seed, random.nextInt(8) == 0 ? random.nextInt(seed.length + 9) : seed.length);
            for (int change = random.nextInt(6); change > 0 && octets.length > 0; change--) {
                int span = random.nextBoolean() ? Math.min(octets.length, 120) : octets.length;
                octets[random.nextInt(span)] = (byte) random.nextInt(256);
            }
            readsAnyHep(octets);
        }
    }
}
