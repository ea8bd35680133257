package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.tls.TlsHello;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Octets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS is recognised by its first bytes, and SIP in it by port, protocol or server name. */
class TlsStreamsTest {
    private static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a00000a, 40_000);
    private static final Endpoint SIPS = Endpoint.ofIpv4(0x0a000001, 5061);
    private static final Endpoint HTTPS = Endpoint.ofIpv4(0x0a000001, 443);

    private final TlsStreams streams = new TlsStreams();
    private long frame;

    /** A hello with the extensions named; "" leaves one out. */
    private static byte[] hello(boolean client, String serverName, String... protocols) {
        Octets extensions = new Octets().u16(10).u16(4).u16(2).u16(29); // supported groups: something else first
        if (!serverName.isEmpty()) {
            byte[] name = serverName.getBytes(StandardCharsets.US_ASCII);
            extensions
                    .u16(0)
                    .u16(name.length + 5)
                    .u16(name.length + 3)
                    .u8(0)
                    .u16(name.length)
                    .bytes(name);
        }
        if (protocols.length > 0) {
            Octets list = new Octets();
            for (String protocol : protocols) {
                list.u8(protocol.length()).text(protocol);
            }
            extensions.u16(16).u16(list.length() + 2).u16(list.length()).bytes(list.toArray());
        }
        Octets body = new Octets().u16(0x0303).bytes(new byte[32]).u8(8).bytes(new byte[8]);
        if (client) {
            body.u16(4).u16(0x1301).u16(0x1302).u8(1).u8(0);
        } else {
            body.u16(0x1301).u8(0);
        }
        body.u16(extensions.length()).bytes(extensions.toArray());
        Octets handshake = new Octets().u8(client ? 1 : 2).u24(body.length()).bytes(body.toArray());
        return record(22, handshake.toArray());
    }

    private static byte[] record(int type, byte[] content) {
        return new Octets()
                .u8(type)
                .u16(0x0301)
                .u16(content.length)
                .bytes(content)
                .toArray();
    }

    private static MemorySegment memory(byte[] bytes) {
        // of exactly this size, so that reading beyond it fails
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    private void see(Endpoint source, Endpoint destination, byte[] bytes) {
        frame++;
        assertThat(TlsHello.isRecord(memory(bytes), 0, bytes.length)).isTrue();
        streams.see(source, destination, memory(bytes), 0, bytes.length, frame * 1000, frame);
    }

    private void assertStreams(int tls, int signalling) {
        assertThat(streams.streams().count()).isEqualTo(tls);
        assertThat(streams.signalling().count()).isEqualTo(signalling);
    }

    @Test
    void countEachConnectionOnce() {
        see(CLIENT, SIPS, hello(true, ""));
        see(SIPS, CLIENT, hello(false, ""));
        see(CLIENT, SIPS, record(23, new byte[100]));
        see(CLIENT.withPort(40_001), SIPS, record(23, new byte[100]));
        see(HTTPS, CLIENT, hello(false, "", "h2"));
        see(CLIENT, HTTPS, hello(true, "example.com", "h2", "http/1.1"));
        assertStreams(3, 2);
        assertThat(streams.signalling().firstFrame()).isEqualTo(1);
        assertThat(streams.signalling().lastFrame()).isEqualTo(4);
        assertThat(TlsStreams.servers(List.of(streams)))
                .containsExactly(new EncryptedSignalling(SIPS, 2, 1, 4, 1000, 4000));
    }

    @Test
    void nameTheServerWhoeverIsSeenFirst() {
        see(SIPS, CLIENT, record(23, new byte[40])); // in mid-stream
        see(SIPS.withPort(5063), CLIENT, hello(false, "", "sip/2"));
        assertThat(TlsStreams.servers(List.of(streams)))
                .extracting(EncryptedSignalling::server)
                .containsExactly(SIPS, SIPS.withPort(5063));
    }

    @ParameterizedTest
    @CsvSource({
        "'', sip/2, true",
        "'', sip, true",
        "'', h2, false",
        "'', '', false",
        "sip.example.com, '', true",
        "SIPS.example.com, '', true",
        "sip03.example.com, '', true",
        "sip.example.com, sip/2, true",
        "sip.example.com, http/1.1, false", // its web page
        "example.com, '', false",
        "sipcalls.example.com, '', false",
        "sip, '', false",
        "www.sip.example.com, '', false"
    })
    void areForSipByWhatTheHelloNames(String serverName, String protocol, boolean sip) {
        byte[] hello = protocol.isEmpty() ? hello(true, serverName) : hello(true, serverName, protocol);
        see(CLIENT, HTTPS, hello);
        assertStreams(1, sip ? 1 : 0);
    }

    @Test
    void becomeSipWhereTheOtherDirectionSaysSo() {
        see(HTTPS, CLIENT, hello(false, ""));
        assertStreams(1, 0);
        see(CLIENT, HTTPS, hello(true, "", "sip/2"));
        see(HTTPS, CLIENT, hello(false, ""));
        assertStreams(1, 1);
        assertThat(TlsStreams.servers(List.of(streams)))
                .extracting(EncryptedSignalling::server)
                .containsExactly(HTTPS);
    }

    @Test
    void areNotSeenInOtherBytes() {
        for (byte[] bytes : List.of(
                "INVITE sip:bob@example.com SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {22, 3, 1, 0, 5}, // no more than the header
                new byte[] {22, 3, 1, 0, 5, 16, 0, 0, 1, 9}, // in the middle of a handshake
                new byte[] {23, 3, 5, 0, 5, 1, 2, 3, 4, 5}, // no such version
                new byte[] {23, 3, 3, 0, 0, 1, 2, 3}, // empty
                new byte[] {23, 3, 3, (byte) 0x50, 0, 1, 2}, // too long
                new byte[] {20, 3, 3, 0, 2, 1, 1},
                new byte[] {24, 3, 3, 0, 2, 1, 1}, // heartbeat
                new byte[] {22, (byte) 0xfe, (byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1})) { // DTLS
            assertThat(TlsHello.isRecord(memory(bytes), 0, bytes.length)).isFalse();
        }
        assertThat(TlsHello.isRecord(memory(new byte[] {20, 3, 3, 0, 1, 1}), 0, 6))
                .isTrue();
        assertThat(TlsHello.isRecord(memory(new byte[] {21, 3, 3, 0, 2, 2, 40}), 0, 7))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areReadHoweverShortTheHelloIs(boolean client) {
        byte[] whole = hello(client, "sip.example.com", "h2", "sip/2");
        TlsHello hello = new TlsHello();
        for (int length = 6; length <= whole.length; length++) {
            hello.read(memory(Arrays.copyOf(whole, length)), 0, length);
            assertThat(hello.isClient()).isEqualTo(client);
        }
        assertThat(hello.isSip()).isTrue();
    }

    @Test
    void areReadWhateverIsInThem() {
        Random random = new Random(3);
        TlsHello hello = new TlsHello();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = hello(random.nextBoolean(), "sip.example.com", "sip/2");
            for (int changes = random.nextInt(6); changes >= 0; changes--) {
                bytes[3 + random.nextInt(bytes.length - 3)] = (byte) random.nextInt();
            }
            int length = 6 + random.nextInt(bytes.length - 5);
            MemorySegment memory = memory(Arrays.copyOf(bytes, length));
            if (TlsHello.isRecord(memory, 0, length)) {
                hello.read(memory, 0, length);
            }
        }
    }

    @Test
    void listABoundedNumberOfServers() {
        int servers = TlsStreams.MOST_SERVERS + 10;
        for (int i = 0; i < servers; i++) {
            see(CLIENT, Endpoint.ofIpv4(0x0b000000 + i, 5061), record(23, new byte[9]));
        }
        assertStreams(servers, servers);
        assertThat(TlsStreams.servers(List.of(streams))).hasSize(TlsStreams.MOST_SERVERS);
    }
}
