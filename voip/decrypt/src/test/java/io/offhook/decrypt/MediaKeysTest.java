package io.offhook.decrypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.Payload;
import io.offhook.calls.StreamReport;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.rtp.PayloadOpener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls between two baresip 1.0.0, with SDES and with DTLS-SRTP, whose secrets a library that was loaded before OpenSSL
 * wrote. What their payloads must be was computed by another implementation (Python with the package cryptography).
 */
class MediaKeysTest {
    /** SHA-256 of the payloads of a stream, one behind the other, by SSRC. */
    private static final Map<Long, String> SDES = Map.of(
            0x0defc62aL, "b70c0d50a27522408ea90f94d1b623141ab60e8a2cb2f5fbdf3c40f04770d7fe",
            0x9d7e883fL, "b70c0d50a27522408ea90f94d1b623141ab60e8a2cb2f5fbdf3c40f04770d7fe");

    private static final Map<Long, String> DTLS = Map.of(
            0x33bd40a6L, "d45862377a0bd3f1ce7339878fc59185cedb2d0d1189a19694ca0e5d6ec0f8ea",
            0x3d4a3cb3L, "68f7569c4b640a92dd22f4096b74abd5739ea5b782dbd43e3b300c07648cb29a");

    @TempDir
    private Path folder;

    @Test
    void opensStreamsWithTheKeysOfSdp() {
        try (DecryptionKeys none = DecryptionKeys.ofCapture()) {
            assertThat(digests("sdes.pcap", none)).isEqualTo(SDES);
        }
    }

    @Test
    void opensStreamsWithTheKeysOfDtls() throws IOException {
        Path log = Files.write(folder.resolve("keys"), PcapBytes.resource("dtls.keys"));
        try (DecryptionKeys keys = DecryptionKeys.open(log, null)) {
            assertThat(digests("dtls.pcap", keys)).isEqualTo(DTLS);
        }
        try (DecryptionKeys none = DecryptionKeys.ofCapture()) {
            assertThat(digests("dtls.pcap", none)).isEmpty();
        }
    }

    @Test
    void opensStreamsWithTheKeysOfAFile() throws IOException {
        StringBuilder lines = new StringBuilder("# keys\n\n");
        for (String[] key : keysOf("sdes.pcap")) {
            lines.append("any ").append(key[0]).append(' ').append(key[1]).append("\r\n");
        }
        Path file = Files.writeString(folder.resolve("srtp.keys"), lines);
        // without its SIP, no Call-ID and no a=crypto
        PcapBytes media = PcapBytes.of("sdes.pcap");
        media.records()
                .removeIf(
                        record -> new String(record, java.nio.charset.StandardCharsets.ISO_8859_1).contains("SIP/2.0"));
        try (DecryptionKeys keys = DecryptionKeys.open(null, file)) {
            assertThat(digests(media.write(folder), keys)).isEqualTo(SDES);
        }
    }

    @Test
    void saysThatAKeyIsWrong() throws IOException {
        Path file = Files.writeString(
                folder.resolve("srtp.keys"),
                "any AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj|2^20|1:4\n"
                        + "any AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj\n");
        Path capture = PcapBytes.of("dtls.pcap").write(folder);
        try (DecryptionKeys keys = DecryptionKeys.open(null, file)) {
            assertThat(digests(capture, keys)).isEmpty();
        }
    }

    @Test
    void saysWhichLineOfAKeyFileIsWrongAndNotWhatIsInIt() throws IOException {
        String secret = "d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSo";
        for (String line : List.of(
                "any AES_CM_128_HMAC_SHA1_80 inline:" + secret,
                "any NO_SUCH_SUITE inline:" + secret + "j",
                "ssrc x AES_CM_128_HMAC_SHA1_80 inline:" + secret + "j",
                "at 192.0.2.1 AES_CM_128_HMAC_SHA1_80 inline:" + secret + "j",
                "any AES_CM_128_HMAC_SHA1_80 inline:" + secret + "j KDR=3",
                "any AES_CM_128_HMAC_SHA1_80 " + secret + "j",
                secret)) {
            Path file = Files.writeString(folder.resolve("srtp.keys"), "# a comment\n" + line + "\n");
            assertThatThrownBy(() -> DecryptionKeys.open(null, file))
                    .isInstanceOf(KeyFileException.class)
                    .hasMessageContaining("line 2")
                    .hasMessageNotContaining(secret)
                    .hasNoCause();
        }
        assertThatThrownBy(() -> DecryptionKeys.open(folder.resolve("absent"), null))
                .isInstanceOf(KeyFileException.class);
        assertThatThrownBy(() -> DecryptionKeys.open(null, folder.resolve("absent")))
                .isInstanceOf(KeyFileException.class);
    }

    @Test
    void showsNoKey() throws IOException {
        Path log = Files.write(folder.resolve("keys"), PcapBytes.resource("dtls.keys"));
        String[] key = keysOf("sdes.pcap").getFirst();
        Path file = Files.writeString(folder.resolve("srtp.keys"), "any " + key[0] + " " + key[1] + "\n");
        Path capture = PcapBytes.of("sdes.pcap").write(folder);
        try (DecryptionKeys keys = DecryptionKeys.open(log, file);
                PacketSource source = open(capture);
                MediaKeys media = MediaKeys.find(source, keys, 1)) {
            try (SrtpOpener opener =
                    media.opener(analysed(capture).calls().getFirst().streams().getFirst())) {
                assertThat(keys + " " + media + " " + opener + " " + keys.log())
                        .doesNotContain(key[1].substring(7, 20))
                        .matches("[A-Za-z0-9 ,:]+");
            }
        }
        try (SecretMemory memory = new SecretMemory()) {
            Secret secret = memory.take("0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(secret).hasToString("secret of 16 bytes");
            assertThat(SrtpKey.of(SrtpSuite.AES_CM_128_HMAC_SHA1_80, secret).toString())
                    .isEqualTo("key of AES_CM_128_HMAC_SHA1_80");
        }
    }

    @Test
    void overwritesSecrets() {
        byte[] bytes = {1, 2, 3, 4};
        SecretMemory memory = new SecretMemory();
        Secret freed = memory.take(bytes);
        assertThat(bytes).containsOnly(0);
        memory.free(freed);
        assertThat(freed.getEncoded()).containsOnly(0);
        memory.close();
        assertThatThrownBy(freed::getEncoded).isInstanceOf(IllegalStateException.class);
    }

    private Map<Long, String> digests(String name, DecryptionKeys keys) {
        return digests(PcapBytes.of(name).write(folder), keys);
    }

    private static AnalysisResult analysed(Path capture) {
        try (PacketSource source = open(capture)) {
            return Analysis.run(source, AnalysisOptions.defaults().withRtpHeuristic(true));
        }
    }

    private static PacketSource open(Path capture) {
        return CaptureFiles.open(List.of(capture.toString()), InputStream.nullInputStream());
    }

    /** Of each stream that is opened: all its packets are. */
    private static Map<Long, String> digests(Path capture, DecryptionKeys keys) {
        AnalysisResult result = analysed(capture);
        Map<Long, SrtpOpener> openers = new HashMap<>();
        try (PacketSource source = open(capture);
                MediaKeys media = MediaKeys.find(source, keys, 2)) {
            assertThat(media.defect()).isNull();
            List<StreamReport> streams = new java.util.ArrayList<>(result.streams());
            result.calls().forEach(call -> streams.addAll(call.streams()));
            assertThat(streams).hasSize(2);
            for (StreamReport stream : streams) {
                SrtpOpener opener = media.opener(stream);
                if (opener != null) {
                    openers.put(stream.ssrc(), opener);
                }
            }
        }
        Map<Long, String> digests = new TreeMap<>();
        try (PacketSource source = open(capture)) {
            Payloads payloads = new Payloads(openers);
            new FrameLoop(source, 64).run(payloads);
            payloads.digests.forEach(
                    (ssrc, digest) -> digests.put(ssrc, HexFormat.of().formatHex(digest.digest())));
        }
        openers.forEach((ssrc, opener) -> {
            assertThat(opener.isKeyWrong()).isEqualTo(!digests.containsKey(ssrc));
            assertThat(opener.closed()).isEqualTo(opener.isKeyWrong() ? opener.closed() : 0);
            opener.close();
        });
        return digests;
    }

    /** Digests the payloads of opened packets. */
    private static final class Payloads implements FrameSink {
        final Map<Long, MessageDigest> digests = new HashMap<>();
        private final Map<Long, SrtpOpener> openers;
        private final MemorySegment opened = Arena.ofAuto().allocate(1 << 16);

        Payloads(Map<Long, SrtpOpener> openers) {
            this.openers = openers;
        }

        @Override
        public void frame(DecodedFrame frame) {
            if (frame.payload() != Payload.RTP) {
                return;
            }
            PacketWalker layers = frame.layers();
            long ssrc = NetworkOrder.u32(layers.segment(), layers.payloadOffset() + 8);
            SrtpOpener opener = openers.get(ssrc);
            if (opener == null) {
                return;
            }
            int length = opener.open(layers.segment(), layers.payloadOffset(), layers.payloadLength(), opened);
            if (length != PayloadOpener.CLOSED) {
                digests.computeIfAbsent(ssrc, _ -> Ciphers.digest("SHA-256"))
                        .update(opened.asSlice(12, length - 12).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    private static List<String[]> keysOf(String name) {
        String text = new String(PcapBytes.resource(name), java.nio.charset.StandardCharsets.ISO_8859_1);
        return Pattern.compile("a=crypto:\\d+ (\\S+) (inline:[A-Za-z0-9+/=]+)")
                .matcher(text)
                .results()
                .map(found -> new String[] {found.group(1), found.group(2)})
                .toList();
    }
}
