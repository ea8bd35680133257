package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.rtp.RtcpProtocol;
import io.offhook.rtp.RtpProtocol;
import io.offhook.sip.SipProtocol;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Payloads of calls: bytes built outside of this project and read back with tshark. */
class CallProtocolsTest {
    private final ApplicationRecognizer recognizer = CallProtocols.recognizer();

    @ParameterizedTest
    @CsvSource({
        "UDP, 40000, 40002, rtp, 80000007000000a0112233440000000000000000000000000000000000000000",
        "UDP, 40001, 40003, rtcp, 80c9000111223344",
        "UDP, 5060, 5060, sip, "
                + "4f5054494f4e53207369703a626f62406578616d706c652e6f7267205349502f322e300d0a43616c6c2d49443a20310d0a0d0a",
        "TCP, 5060, 40000, sip, 5349502f322e3020323030204f4b0d0a43616c6c2d49443a20310d0a0d0a",
        "UDP, 5060, 5060, payload, 0d0a0d0a",
        "UDP, 53, 40000, dns, 000101000001000000000000000001",
    })
    void namesWhatItIs(LayerType transport, int source, int destination, String label, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        Protocol named = recognizer.recognize(transport, segment, 0, bytes.length, bytes.length, source, destination);

        assertThat(named).extracting(Protocol::label).isEqualTo(label);
    }

    @Test
    void isWhatTheDocumentLists() throws IOException {
        String text = Files.readString(Path.of("../../docs/PROTOCOLS.md"));
        List<String> listed = Pattern.compile("(?m)^\\| `(\\w+)` \\| `(\\w+)`")
                .matcher(text.substring(text.indexOf("## Protocols of calls")))
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();

        assertThat(listed).containsExactly("sip SipProtocol", "rtcp RtcpProtocol", "rtp RtpProtocol");
        assertThat(List.of(new SipProtocol(), new RtcpProtocol(), new RtpProtocol()))
                .extracting(
                        protocol -> protocol.label() + " " + protocol.getClass().getSimpleName())
                .isEqualTo(listed);
    }

    @Test
    void writesALineAboutAMessage() {
        byte[] bytes = "SIP/2.0 200 OK\r\nCSeq: 7 INVITE\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        Protocol named = Objects.requireNonNull(
                recognizer.recognize(LayerType.UDP, segment, 0, bytes.length, bytes.length, 5060, 5060));
        SafeText line = new SafeText();

        assertThat(named.summarize(recognizer.message(), line)).isTrue();
        assertThat(line).hasToString("SIP/2.0 200 OK (INVITE)");
    }
}
