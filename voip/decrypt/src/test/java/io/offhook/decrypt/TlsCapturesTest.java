package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SIP in TLS as OpenSSL sent it: captures of s_client and s_server, and of OpenSSL in Python for WebSocket, with the key logs
 * that they wrote. What was sent is in client.txt and server.txt; tshark finds the same messages.
 */
class TlsCapturesTest {
    @TempDir
    private Path folder;

    /** Each message once, or more often where the text was sent again. */
    @ParameterizedTest
    @CsvSource({
        "gcm128, 1, 1",
        "gcm256, 1, 1",
        "chacha, 1, 1",
        "cbc-etm, 1, 1",
        "cbc-mte, 1, 1",
        "cbc384, 1, 1",
        "t13a, 1, 1",
        "t13b, 1, 1",
        "t13c, 1, 1",
        "ku13, 2, 1", // with a key update
        "reneg12, 2, 1", // with a second handshake in the connection
        "res12, 2, 2", // a second connection that resumes the session
        "res13, 2, 2"
    })
    void readsTheMessagesOf(String name, int sentByClient, int sentByServer) throws IOException {
        OpenedMessages opened = open(name);
        assertThat(String.join("", opened.requests))
                .isEqualTo(text("client.txt").repeat(sentByClient));
        assertThat(String.join("", opened.responses))
                .isEqualTo(text("server.txt").repeat(sentByServer));
        assertThat(opened.transports).containsExactly(SipTransport.TLS);
        assertThat(opened.counters).doesNotContainKeys("tlsStreams", "encryptedSignalling", "tlsWithoutKey");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wss12", "wss13"})
    void readsWebSocketFrames(String name) throws IOException {
        OpenedMessages opened = open(name);
        assertThat(String.join("", opened.requests)).isEqualTo(text("client.txt"));
        assertThat(String.join("", opened.responses)).isEqualTo(text("server.txt"));
        assertThat(opened.transports).containsExactly(SipTransport.WSS);
    }

    /** The first 400 bytes are early data of the second connection. */
    @Test
    void readsEarlyData() throws IOException {
        OpenedMessages opened = open("early13");
        String early = text("client.txt").substring(0, 400);
        String first = early.substring(0, early.indexOf("m=audio 4000 RTP/AVP 0\r\n") + 24);
        assertThat(opened.requests).contains(first).hasSize(7);
        assertThat(String.join("", opened.responses))
                .isEqualTo(text("server.txt").repeat(2));
    }

    @Test
    void knowsTheFramesOfMessages() {
        OpenedMessages opened = open("t13a");
        PcapBytes capture = PcapBytes.of("t13a.pcap");
        assertThat(opened.frames)
                .isNotEmpty()
                .allSatisfy(frame ->
                        assertThat(frame).isLessThanOrEqualTo(capture.records().size()));
        assertThat(opened.frames)
                .anySatisfy(frame -> assertThat(
                                PcapBytes.tcpPayload(capture.records().get((int) (frame - 1))))
                        .isGreaterThan(1000));
    }

    @Test
    void countsWhatItHasNoKeyFor() {
        try (DecryptionKeys keys = DecryptionKeys.ofCapture()) {
            OpenedMessages opened =
                    OpenedMessages.of(PcapBytes.of("gcm128.pcap").write(folder), keys);
            assertThat(opened.requests).isEmpty();
            assertThat(opened.counters)
                    .containsEntry("tlsStreams", 1L)
                    .containsEntry("encryptedSignalling", 1L)
                    .containsEntry("tlsWithoutKey", 2L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcm128", "chacha", "cbc-mte", "cbc-etm", "t13b"})
    void saysThatAKeyIsWrong(String name) throws IOException {
        String log = text(name + ".keys");
        StringBuilder wrong = new StringBuilder();
        for (String line : log.lines().toList()) {
            wrong.append(line, 0, line.length() - 1)
                    .append(line.endsWith("0") ? '1' : '0')
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("wrong.keys"), wrong.toString());
        try (DecryptionKeys keys = DecryptionKeys.open(file, null)) {
            OpenedMessages opened =
                    OpenedMessages.of(PcapBytes.of(name + ".pcap").write(folder), keys);
            assertThat(opened.requests).isEmpty();
            assertThat(opened.counters).containsEntry("tlsKeyWrong", 2L).containsEntry("tlsStreams", 1L);
        }
    }

    /** The hole is the first packet with data after the handshake: the messages after it are read. */
    @ParameterizedTest
    @ValueSource(strings = {"ku13", "reneg12", "wss12", "wss13"})
    void readsOnBehindAHole(String name) {
        PcapBytes capture = PcapBytes.of(name + ".pcap");
        int whole = open(name).requests.size();
        int most = 0;
        int holes = 0;
        for (int i = 0; i < capture.records().size(); i++) {
            if (PcapBytes.tcpPayload(capture.records().get(i)) > 250 && i > 10) {
                PcapBytes less = PcapBytes.of(name + ".pcap");
                less.records().remove(i);
                OpenedMessages opened = open(less, name);
                most = Math.max(most, opened.requests.size());
                holes += opened.counters.getOrDefault("tlsHoles", 0L).intValue();
                assertThat(opened.requests.size()).isLessThanOrEqualTo(whole);
            }
        }
        assertThat(holes).isPositive();
        assertThat(most).isPositive();
    }

    /** Whatever the bytes are: no exception is contained, and what is read was sent. */
    @ParameterizedTest
    @ValueSource(strings = {"gcm128", "cbc-mte", "cbc-etm", "chacha", "t13a", "ku13", "reneg12", "early13", "wss13"})
    void survivesDamage(String name) {
        Random random = new Random(name.hashCode());
        try (DecryptionKeys keys = DecryptionKeys.open(keyFile(name), null)) {
            for (int i = 0; i < 120; i++) {
                PcapBytes capture = PcapBytes.of(name + ".pcap");
                int changes = 1 + random.nextInt(4);
                for (int change = 0; change < changes; change++) {
                    int at = random.nextInt(capture.records().size());
                    byte[] record = capture.records().get(at);
                    switch (random.nextInt(4)) {
                        case 0 -> capture.records().remove(at);
                        case 1 ->
                            capture.records()
                                    .add(random.nextInt(capture.records().size()), record);
                        default -> {
                            int first = PcapBytes.RECORD_HEADER + 54;
                            if (record.length > first) {
                                record[first + random.nextInt(Math.min(record.length - first, 200))] =
                                        (byte) random.nextInt();
                            }
                        }
                    }
                }
                OpenedMessages.of(capture.write(folder), keys);
            }
        }
    }

    private OpenedMessages open(String name) {
        return open(PcapBytes.of(name + ".pcap"), name);
    }

    private OpenedMessages open(PcapBytes capture, String name) {
        try (DecryptionKeys keys = DecryptionKeys.open(keyFile(name), null)) {
            return OpenedMessages.of(capture.write(folder), keys);
        }
    }

    private Path keyFile(String name) {
        try {
            return Files.write(folder.resolve(name + ".keys"), PcapBytes.resource(name + ".keys"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(String name) {
        return new String(PcapBytes.resource(name), StandardCharsets.ISO_8859_1);
    }
}
