package io.offhook.hep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.packet.application.HepReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HepWriterTest {
    private static final byte[] OPTIONS = "OPTIONS sip:a@b SIP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static IpAddress address(String text) {
        return Objects.requireNonNull(IpAddress.parse(text));
    }

    private static HepPacket packet(String source, String destination) {
        IpAddress from = address(source);
        IpAddress to = address(destination);
        return new HepPacket()
                .source(from.high(), from.low(), 5060)
                .destination(to.high(), to.low(), 5080)
                .protocol(17)
                .timestampNs(1_700_000_000_123_456_789L)
                .payload(HepPayloadType.SIP, OPTIONS, 0, OPTIONS.length);
    }

    private static byte[] written(HepAgent agent, HepPacket packet) {
        HepWriter writer = new HepWriter(agent);
        byte[] out = new byte[writer.length(packet)];
        assertThat(writer.write(packet, out, 0)).isEqualTo(out.length);
        return out;
    }

    /** Reads from native memory, as captures and sockets have it. */
    private static HepReader read(byte[] octets, Arena arena) {
        MemorySegment segment = arena.allocate(Math.max(1, octets.length));
        segment.asByteBuffer().put(octets);
        HepReader reader = new HepReader();
        assertThat(reader.read(segment, 0, octets.length)).isTrue();
        return reader;
    }

    /** By the tables of the specification, by hand: "HEP3", the total, and chunks of vendor, type, length and value. */
    @Test
    void writesTheBytesOfTheSpecification() {
        byte[] out = written(new HepAgent(2001, "secret", "edge"), packet("192.0.2.1", "198.51.100.2"));

        assertThat(HexFormat.of().formatHex(out))
                .isEqualTo("48455033" + "0094"
                        + "0000" + "0001" + "0007" + "02"
                        + "0000" + "0002" + "0007" + "11"
                        + "0000" + "0003" + "000a" + "c0000201"
                        + "0000" + "0004" + "000a" + "c6336402"
                        + "0000" + "0007" + "0008" + "13c4"
                        + "0000" + "0008" + "0008" + "13d8"
                        + "0000" + "0009" + "000a" + "6553f100"
                        + "0000" + "000a" + "000a" + "0001e240"
                        + "0000" + "000b" + "0007" + "01"
                        + "0000" + "000c" + "000a" + "000007d1"
                        + "0000" + "000e" + "000c"
                        + HexFormat.of().formatHex("secret".getBytes(StandardCharsets.US_ASCII))
                        + "0000" + "0013" + "000a"
                        + HexFormat.of().formatHex("edge".getBytes(StandardCharsets.US_ASCII))
                        + "0000" + "000f" + "0021" + HexFormat.of().formatHex(OPTIONS));
    }

    @Test
    void isReadAsItWasWritten() {
        byte[] callId = "xxabc@host".getBytes(StandardCharsets.US_ASCII);
        byte[] report = "{\"a\":1}".getBytes(StandardCharsets.US_ASCII);
        HepPacket packet = packet("2001:db8::1", "2001:db8::2")
                .protocol(6)
                .payload(HepPayloadType.RTCP_JSON, report, 1, report.length - 2)
                .correlationId(callId, 2, callId.length - 2);
        try (Arena arena = Arena.ofConfined()) {
            HepReader reader = read(written(new HepAgent(4_294_967_295L, "", ""), packet), arena);

            assertThat(reader.version()).isEqualTo(3);
            assertThat(reader.protocol()).isEqualTo(6);
            assertThat(reader.payloadType()).isEqualTo(5);
            assertThat(reader.source()).isEqualTo(Endpoint.of("2001:db8::1", 5060));
            assertThat(reader.destination()).isEqualTo(Endpoint.of("2001:db8::2", 5080));
            assertThat(reader.timestampNs()).isEqualTo(1_700_000_000_123_456_000L);
            assertThat(reader.agent()).isEqualTo(4_294_967_295L);
            assertThat(reader.authenticationKey()).isEmpty();
            assertThat(reader.nodeName()).isEmpty();
            assertThat(reader.correlationId()).isEqualTo("abc@host");
            assertThat(reader.payloadLength()).isEqualTo(5);
        }
    }

    @Test
    void anyPacketIsReadAsItWasWritten() {
        Random random = new Random(5);
        for (int run = 0; run < 2000; run++) {
            byte[] payload = new byte[random.nextInt(3000)];
            random.nextBytes(payload);
            boolean isIpv6 = random.nextBoolean();
            HepPacket packet = packet(isIpv6 ? "2001:db8::9" : "192.0.2.9", random.nextBoolean() ? "::1" : "127.0.0.1")
                    .payload(HepPayloadType.LOG, payload, 0, payload.length)
                    .correlationId(payload, 0, random.nextInt(Math.min(payload.length, 50) + 1));
            try (Arena arena = Arena.ofConfined()) {
                byte[] out = written(new HepAgent(random.nextInt(1 << 20), run % 2 == 0 ? "k" : "", "n"), packet);
                HepReader reader = read(out, arena);
                assertThat(reader.payloadLength()).as("seed 5, run %d", run).isEqualTo(payload.length);
                assertThat(reader.payloadOffset()).isEqualTo(out.length - payload.length);
                assertThat(reader.nodeName()).isEqualTo("n");
                for (int cut = 0; cut < out.length; cut += 1 + random.nextInt(200)) {
                    assertThat(new HepReader().read(segment(arena, Arrays.copyOf(out, cut)), 0, cut))
                            .as("cut at %d", cut)
                            .isFalse();
                }
            }
        }
    }

    private static MemorySegment segment(Arena arena, byte[] octets) {
        MemorySegment segment = arena.allocate(Math.max(1, octets.length));
        segment.asByteBuffer().put(octets);
        return segment;
    }

    @Test
    void refusesWhatDoesNotFit() {
        HepPacket packet = packet("192.0.2.1", "192.0.2.2");
        HepWriter writer = new HepWriter(new HepAgent(1, "", ""));

        assertThatThrownBy(() -> writer.write(packet, new byte[100], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not fit");
        packet.payload(HepPayloadType.SIP, new byte[65_535], 0, 65_535);
        assertThatThrownBy(() -> writer.write(packet, new byte[100_000], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65535");
        assertThatThrownBy(() -> new HepAgent(1L << 32, "", "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HepAgent(1, "x".repeat(256), "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HepFeed feed = new HepFeed(new HepAgent(1, "key", "node"), 1 << 16);
        HepPacket packet = packet("192.0.2.1", "2001:db8::1").correlationId(OPTIONS, 0, 5);
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 20 && least > 0; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                feed.offer(packet);
                if (feed.peek() > 0) {
                    feed.release();
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
        assertThat(feed.dropped()).isZero();
    }
}
