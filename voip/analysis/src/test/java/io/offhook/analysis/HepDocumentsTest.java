package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.hep.HepRtcp;
import io.offhook.packet.Endpoint;
import io.offhook.sip.VoiceQualityReport;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads of HEP that are compressed, or text, and the calls that agents assign media to. */
class HepDocumentsTest {
    private static final Endpoint AGENT = Endpoint.ofIpv4(0x0a636363, 34_567);
    private static final Endpoint COLLECTOR = Endpoint.ofIpv4(0x0a636301, 9060);
    private static final int PLAIN_CHUNK = 0x0f;
    private static final int COMPRESSED_CHUNK = 0x10;

    private static final List<Frame> PLAIN = new Traffic(11, 1000)
            .call(call -> call.rtcp(shape -> shape.intervalMs(1000)).completed(Party.CALLER, 4000))
            .capture()
            .frames();

    private static Octets chunk(Octets to, int type, byte[] value) {
        return to.u16(0).u16(type).u16(6 + value.length).bytes(value);
    }

    private static byte[] hep(Rewrapped.Datagram of, int type, int payloadChunk, byte[] payload, String correlation) {
        Octets chunks = new Octets();
        chunk(chunks, 0x01, new byte[] {2});
        chunk(chunks, 0x02, new byte[] {17});
        chunk(chunks, 0x03, new Octets().u32(of.source().low() & 0xffff_ffffL).toArray());
        chunk(
                chunks,
                0x04,
                new Octets().u32(of.destination().low() & 0xffff_ffffL).toArray());
        chunk(chunks, 0x07, new Octets().u16(of.source().port()).toArray());
        chunk(chunks, 0x08, new Octets().u16(of.destination().port()).toArray());
        chunk(chunks, 0x09, new Octets().u32(of.timestampNs() / 1_000_000_000).toArray());
        chunk(
                chunks,
                0x0a,
                new Octets().u32(of.timestampNs() % 1_000_000_000 / 1000).toArray());
        chunk(chunks, 0x0b, new byte[] {(byte) type});
        if (!correlation.isEmpty()) {
            chunk(chunks, 0x11, correlation.getBytes(StandardCharsets.US_ASCII));
        }
        if (payload.length > 0) {
            chunk(chunks, payloadChunk, payload);
        }
        return new Octets()
                .text("HEP3")
                .u16(6 + chunks.length())
                .bytes(chunks.toArray())
                .toArray();
    }

    private static AnalysisResult analysed(List<Frame> frames) {
        return Analysis.run(
                new MemorySource(frames, 100), AnalysisOptions.defaults().withLanes(2));
    }

    private static AnalysisResult rewrapped(Rewrapped.Rewrite rewrite) {
        return analysed(Rewrapped.of(PLAIN, rewrite));
    }

    private static void send(Rewrapped to, Rewrapped.Datagram datagram, byte[] hep) {
        to.udp(datagram.timestampNs(), AGENT, COLLECTOR, hep);
    }

    private static int type(Rewrapped.Datagram datagram) {
        return datagram.isSip() ? 1 : datagram.isRtp() ? 4 : 5;
    }

    private static byte[] compressed(byte[] payload, boolean isRaw) {
        Deflater deflater = new Deflater(9, isRaw);
        deflater.setInput(payload);
        deflater.finish();
        byte[] to = new byte[payload.length + 64];
        int length = deflater.deflate(to);
        deflater.end();
        return Arrays.copyOf(to, length);
    }

    private static long counter(AnalysisResult result, String name) {
        return result.capture().counters().stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }

    private static String callId() {
        return analysed(PLAIN).calls().getFirst().callId();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void compressedPayloadsAreReadWithAndWithoutTheHeaderOfZlib(boolean isRaw) {
        AnalysisResult plain = analysed(PLAIN);
        AnalysisResult result = rewrapped((datagram, to) -> send(
                to,
                datagram,
                hep(datagram, type(datagram), COMPRESSED_CHUNK, compressed(datagram.payload(), isRaw), "")));
        assertThat(result.capture().counters()).isEmpty();
        assertThat(result.capture().rtcpPackets()).isEqualTo(plain.capture().rtcpPackets());
        assertThat(result.calls().getFirst().callId()).isEqualTo(callId());
        assertThat(result.calls().getFirst().streams())
                .hasSize(2)
                .allSatisfy(stream -> assertThat(stream.statistics().lost()).isZero());
    }

    @Test
    void compressedPayloadsAreReadFromATcpStream() {
        AnalysisResult result = rewrapped((datagram, to) -> to.tcp(
                datagram.timestampNs(),
                AGENT,
                COLLECTOR,
                hep(datagram, type(datagram), COMPRESSED_CHUNK, compressed(datagram.payload(), false), ""),
                1400));
        assertThat(result.capture().counters()).isEmpty();
        assertThat(result.calls().getFirst().streams()).hasSize(2);
    }

    @Test
    void whatExpandsBeyondADatagramIsRefused() {
        byte[] bomb = compressed(new byte[20 << 20], false);
        assertThat(bomb.length).isLessThan(65_000);
        AnalysisResult result = rewrapped((datagram, to) -> {
            if (datagram.isSip()) {
                send(to, datagram, hep(datagram, 1, COMPRESSED_CHUNK, bomb, ""));
            }
        });
        assertThat(result.calls()).isEmpty();
        assertThat(counter(result, "hepInflateFailed"))
                .isEqualTo(result.capture().packets());
    }

    @Test
    void damagedCompressionIsCounted() {
        Random random = new Random(3);
        AnalysisResult result = rewrapped((datagram, to) -> {
            byte[] payload = compressed(datagram.payload(), random.nextBoolean());
            byte[] damaged = random.nextBoolean() ? Arrays.copyOf(payload, random.nextInt(payload.length)) : payload;
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            send(to, datagram, hep(datagram, type(datagram), COMPRESSED_CHUNK, damaged, ""));
        });
        assertThat(counter(result, "hepInflateFailed")).isPositive();
        assertThat(result.defect()).isNull();
    }

    @Test
    void rtcpAsJsonCountsAsThePacketThatItWas() {
        AnalysisResult plain = analysed(PLAIN);
        AnalysisResult result = rewrapped((datagram, to) -> {
            if (type(datagram) == 5) {
                String json = Objects.requireNonNull(HepRtcp.json(ByteBuffer.wrap(datagram.payload())));
                send(to, datagram, hep(datagram, 5, PLAIN_CHUNK, json.getBytes(StandardCharsets.UTF_8), callId()));
            } else {
                to.udp(datagram);
            }
        });
        assertThat(result.capture().counters()).isEmpty();
        for (int i = 0; i < 2; i++) {
            StreamReport stream = result.calls().getFirst().streams().get(i);
            StreamReport expected = plain.calls().getFirst().streams().get(i);
            assertThat(stream.farEnd()).isNotNull();
            assertThat(stream.farEnd())
                    .usingRecursiveComparison()
                    .ignoringFields("mosListening", "mosConversational") // not a number
                    .isEqualTo(expected.farEnd());
            assertThat(Objects.requireNonNull(stream.sender()).packetCount())
                    .isEqualTo(Objects.requireNonNull(expected.sender()).packetCount());
        }
    }

    @Test
    void figuresOfAgentsAndPhonesBelongToTheCallThatTheyName() {
        String id = callId();
        String full =
                "{\"CORRELATION_ID\":\"x\",\"RTP_SIP_CALL_ID\":\"" + id + "\",\"TOTAL_PK\":990,\"PACKET_LOSS\":10,"
                        + "\"MEAN_JITTER\":2.5,\"MEAN_MOS\":\"4.1\",\"RFACTOR\":88,\"SRC_IP\":\"192.0.2.1\",\"SRC_PORT\":4000}";
        String controller = "{\"INC_ID\":\"" + id + "\",\"INC_RTP_PK\":100,\"INC_RTP_PK_LOSS\":0,\"INC_MOS\":420,"
                + "\"INC_RVAL\":9000,\"OUT_RTP_PK\":50,\"OUT_RTP_PK_LOSS\":50,\"OUT_MOS\":110,\"INC_RTCP_AVG_LAT\":30}";
        String shortOne = "{\"MOS\":3.9,\"JITTER\":7}";
        String phone = "VQSessionReport: CallTerm\r\nCallID: " + id
                + "\r\nLocalMetrics:\r\nPacketLoss:NLR=5.0\r\nQualityEst:MOSLQ=3.2\r\n";
        boolean[] isSent = {false};
        AnalysisResult result = rewrapped((datagram, to) -> {
            to.udp(datagram);
            if (!isSent[0]) {
                isSent[0] = true;
                send(to, datagram, hep(datagram, 34, PLAIN_CHUNK, full.getBytes(StandardCharsets.UTF_8), "other"));
                send(to, datagram, hep(datagram, 38, PLAIN_CHUNK, controller.getBytes(StandardCharsets.UTF_8), ""));
                send(to, datagram, hep(datagram, 35, PLAIN_CHUNK, shortOne.getBytes(StandardCharsets.UTF_8), id));
                send(to, datagram, hep(datagram, 35, PLAIN_CHUNK, phone.getBytes(StandardCharsets.UTF_8), ""));
                send(to, datagram, hep(datagram, 34, PLAIN_CHUNK, "{\"MOS\":[]}".getBytes(StandardCharsets.UTF_8), id));
            }
        });
        List<CallReport.QualityReport> reports = result.calls().getFirst().qualityReports();
        assertThat(reports.stream()
                        .map(report -> report.report().local().mosLq())
                        .toList())
                .containsExactly(4.1, 4.2, 1.1, 3.9, 3.2);
        VoiceQualityReport.Metrics first = reports.getFirst().report().local();
        assertThat(first.lossPercent()).isEqualTo(1);
        assertThat(first.jitterMs()).isEqualTo(2.5);
        assertThat(first.rLq()).isEqualTo(88);
        assertThat(reports.getFirst().source()).isEqualTo(Endpoint.of("192.0.2.1", 4000));
        assertThat(reports.get(1).report().local().rLq()).isEqualTo(90);
        assertThat(reports.get(1).report().local().roundTripMs()).isEqualTo(30);
        assertThat(reports.get(2).report().local().lossPercent()).isEqualTo(50);
        assertThat(counter(result, "hepOtherPayloads")).isEqualTo(1);
    }

    /** Behind a NAT that nobody describes, only the agent knows which call the media is of. */
    @Test
    void correlationAssignsMediaBetweenOtherEndpointsToItsCall() {
        String id = callId();
        Rewrapped.Rewrite elsewhere = (datagram, to) -> {
            if (datagram.isSip()) {
                send(to, datagram, hep(datagram, 1, PLAIN_CHUNK, datagram.payload(), ""));
            } else {
                Rewrapped.Datagram moved = new Rewrapped.Datagram(
                        datagram.timestampNs(),
                        Endpoint.ofIpv4(0x0b000001, datagram.source().port()),
                        Endpoint.ofIpv4(0x0b000002, datagram.destination().port()),
                        datagram.payload());
                send(to, datagram, hep(moved, type(datagram), PLAIN_CHUNK, datagram.payload(), id));
            }
        };
        AnalysisResult result = rewrapped(elsewhere);
        assertThat(result.calls().getFirst().streams()).hasSize(2);
        assertThat(result.streams()).isEmpty();
    }

    @Test
    void keepAlivesAreNoFaults() {
        AnalysisResult result =
                rewrapped((datagram, to) -> send(to, datagram, hep(datagram, 1, PLAIN_CHUNK, new byte[0], "")));
        assertThat(counter(result, "hepMalformed")).isZero();
        assertThat(counter(result, "hepKeepAlives")).isEqualTo(result.capture().packets());
    }

    /** A length of 20,535 bytes makes the mark look like a channel of TURN. */
    @Test
    void aPacketOfAnyLengthIsHep() {
        AnalysisResult result = rewrapped((datagram, to) -> {
            if (datagram.isSip()) {
                for (int length = 20_530; length < 20_540; length++) {
                    int others = hep(datagram, 1, PLAIN_CHUNK, datagram.payload(), "").length;
                    Octets padded = new Octets().bytes(hep(datagram, 1, PLAIN_CHUNK, datagram.payload(), ""));
                    chunk(padded, 0x7777, new byte[length - others - 6]);
                    byte[] packet = padded.setU16(4, length).toArray();
                    assertThat(packet).hasSize(length);
                    send(to, datagram, packet);
                }
            }
        });
        assertThat(result.calls()).hasSize(1);
        assertThat(counter(result, "udpUnknown")).isZero();
    }

    @Test
    void randomTextsAreCounted() {
        Random random = new Random(5);
        String id = callId();
        AnalysisResult result = rewrapped((datagram, to) -> {
            int type = List.of(5, 34, 35, 38).get(random.nextInt(4));
            byte[] text = ("{\"report_blocks\":[{\"source_ssrc\":1e99,\"packets_lost\":-1e9,\"lsr\":\"NaN\"},[],{}],"
                            + "\"ssrc\":\"x\",\"type\":200,\"sender_information\":{},\"MOS\":1e999,\"SRC_IP\":\"::\","
                            + "\"SRC_PORT\":-1,\"INC_MOS\":-5}")
                    .getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(6); i > 0; i--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(text, random.nextInt(4) == 0 ? random.nextInt(1, text.length) : text.length);
            send(to, datagram, hep(datagram, type, PLAIN_CHUNK, cut, id));
        });
        assertThat(counter(result, "hepOtherPayloads")).isPositive();
        assertThat(result.defect()).isNull();
    }
}
