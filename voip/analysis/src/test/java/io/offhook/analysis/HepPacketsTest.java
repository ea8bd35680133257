package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Octets;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents send by HEP counts as if it had been captured where they captured it. */
class HepPacketsTest {
    static final Endpoint AGENT = Endpoint.ofIpv4(0x0a636363, 34_567);
    static final Endpoint COLLECTOR = Endpoint.ofIpv4(0x0a636301, 9060);
    /** The way from an agent takes time. */
    private static final long WAY_NS = 40_000_000;

    private static final List<Frame> PLAIN = new Traffic(11, 1000)
            .call(call -> call.rtcp(shape -> shape.intervalMs(1000)).completed(Party.CALLER, 4000))
            .capture()
            .frames();

    private static Octets chunk(Octets to, int type, byte[] value) {
        return to.u16(0).u16(type).u16(6 + value.length).bytes(value);
    }

    static byte[] version3(Rewrapped.Datagram datagram, String mark, int type, int payloadChunk) {
        Octets chunks = new Octets();
        chunk(chunks, 0x01, new byte[] {2});
        chunk(chunks, 0x02, new byte[] {17});
        chunk(chunks, 0x03, address(datagram.source()));
        chunk(chunks, 0x04, address(datagram.destination()));
        chunk(chunks, 0x07, new Octets().u16(datagram.source().port()).toArray());
        chunk(chunks, 0x08, new Octets().u16(datagram.destination().port()).toArray());
        chunk(
                chunks,
                0x09,
                new Octets().u32(datagram.timestampNs() / 1_000_000_000).toArray());
        chunk(
                chunks,
                0x0a,
                new Octets().u32(datagram.timestampNs() % 1_000_000_000 / 1000).toArray());
        chunk(chunks, 0x0b, new byte[] {(byte) type});
        chunk(chunks, 0x0c, new Octets().u32(2001).toArray());
        chunks.u16(7).u16(0x0f).u16(8).u16(1); // of another vendor
        chunk(chunks, payloadChunk, datagram.payload());
        return new Octets()
                .text(mark)
                .u16(6 + chunks.length())
                .bytes(chunks.toArray())
                .toArray();
    }

    private static byte[] address(Endpoint endpoint) {
        return new Octets().u32(endpoint.low() & 0xffff_ffffL).toArray();
    }

    private static byte[] old(Rewrapped.Datagram datagram, int version) {
        Octets header = new Octets()
                .u8(version)
                .u8(16)
                .u8(2)
                .u8(17)
                .u16(datagram.source().port())
                .u16(datagram.destination().port())
                .bytes(address(datagram.source()))
                .bytes(address(datagram.destination()));
        if (version == 2) {
            header.u32(Integer.reverseBytes((int) (datagram.timestampNs() / 1_000_000_000)) & 0xffff_ffffL)
                    .u32(Integer.reverseBytes((int) (datagram.timestampNs() % 1_000_000_000 / 1000)) & 0xffff_ffffL)
                    .u32(0x0100_0000);
        }
        return header.bytes(datagram.payload()).toArray();
    }

    static int type(Rewrapped.Datagram datagram) {
        return datagram.isSip() ? 1 : datagram.isRtp() ? 4 : 5;
    }

    private static AnalysisResult analysed(List<Frame> frames) {
        return Analysis.run(
                new MemorySource(frames, 100), AnalysisOptions.defaults().withLanes(2));
    }

    private static long counter(AnalysisResult result, String name) {
        return result.capture().counters().stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEP3", "EEP1"})
    void version3CarriesSignallingAndMedia(String mark) {
        AnalysisResult plain = analysed(PLAIN);
        AnalysisResult result = analysed(Rewrapped.of(
                PLAIN,
                (datagram, to) -> to.udp(
                        datagram.timestampNs() + WAY_NS,
                        AGENT,
                        COLLECTOR,
                        version3(datagram, mark, type(datagram), 0x0f))));
        assertSame(result, plain);
        assertThat(result.calls().getFirst().streams())
                .hasSize(2)
                .allSatisfy(stream -> assertThat(stream.statistics().lost()).isZero());
        assertThat(result.capture().rtcpPackets())
                .isEqualTo(plain.capture().rtcpPackets())
                .isPositive();
        assertThat(result.capture().counters()).isEmpty();
    }

    /** Beside media that is captured here, as with an interface and agents. */
    @Test
    void aCallOfAgentsWhoSendNoMediaIsNotSilent() {
        List<Frame> silent = new Traffic(12, 1000)
                .call(call -> call.completed(Party.CALLER, 6000))
                .capture()
                .frames();
        List<Frame> captured = new ArrayList<>(PLAIN);
        captured.addAll(Rewrapped.of(silent, (datagram, to) -> {
            if (datagram.isSip()) {
                to.udp(later(datagram).timestampNs(), datagram.source(), datagram.destination(), datagram.payload());
            }
        }));
        List<Frame> byAgent = new ArrayList<>(PLAIN);
        byAgent.addAll(Rewrapped.of(silent, (datagram, to) -> {
            if (datagram.isSip()) {
                Rewrapped.Datagram later = later(datagram);
                to.udp(later.timestampNs() + WAY_NS, AGENT, COLLECTOR, version3(later, "HEP3", 1, 0x0f));
            }
        }));
        assertThat(problemsOfSecond(captured)).contains(Problem.Kind.NO_AUDIO);
        assertThat(problemsOfSecond(byAgent)).doesNotContain(Problem.Kind.NO_AUDIO);
    }

    private static Rewrapped.Datagram later(Rewrapped.Datagram datagram) {
        return new Rewrapped.Datagram(
                datagram.timestampNs() + 60_000_000_000L,
                datagram.source(),
                datagram.destination(),
                datagram.payload());
    }

    private static List<Problem.Kind> problemsOfSecond(List<Frame> frames) {
        List<CallReport> calls = analysed(frames).calls();
        assertThat(calls).hasSize(2);
        return calls.getLast().problems().stream().map(Problem::kind).toList();
    }

    private static void assertSame(AnalysisResult result, AnalysisResult plain) {
        assertThat(result.calls()).hasSize(1);
        CallReport call = result.calls().getFirst();
        CallReport expected = plain.calls().getFirst();
        assertThat(call.callId()).isEqualTo(expected.callId());
        assertThat(call.outcome()).isEqualTo(expected.outcome());
        assertThat(call.times()).isEqualTo(expected.times());
        assertThat(call.legs()).isEqualTo(expected.legs());
        assertThat(call.transport()).isEqualTo(expected.transport());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100, 1400})
    void version3IsReadFromATcpStream(int segmentBytes) {
        AnalysisResult plain = analysed(PLAIN);
        AnalysisResult result = analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            byte[] packet = version3(datagram, "HEP3", type(datagram), 0x0f);
            to.tcp(datagram.timestampNs() + WAY_NS, AGENT, COLLECTOR, packet, segmentBytes);
        }));
        assertSame(result, plain);
        assertThat(result.calls().getFirst().streams())
                .hasSize(2)
                .allSatisfy(stream -> assertThat(stream.statistics().lost()).isZero());
        assertThat(result.capture().rtcpPackets()).isEqualTo(plain.capture().rtcpPackets());
        assertThat(result.capture().counters()).isEmpty();
    }

    @Test
    void aTcpStreamIsReadOnBehindAHole() {
        int[] count = {0};
        AnalysisResult result = analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            Rewrapped lost = ++count[0] == 20 ? Rewrapped.nowhere(to) : to;
            lost.tcp(datagram.timestampNs(), AGENT, COLLECTOR, version3(datagram, "HEP3", type(datagram), 0x0f), 1400);
        }));
        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst().outcome())
                .isEqualTo(analysed(PLAIN).calls().getFirst().outcome());
        assertThat(result.calls().getFirst().streams().stream()
                        .mapToLong(stream -> stream.statistics().lost())
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void version2CarriesSignallingWithItsTime() {
        assertSame(analysed(old(2)), analysed(PLAIN));
    }

    private static List<Frame> old(int version) {
        return Rewrapped.of(PLAIN, (datagram, to) -> {
            if (datagram.isSip()) {
                to.udp(datagram.timestampNs() + (version == 2 ? WAY_NS : 0), AGENT, COLLECTOR, old(datagram, version));
            }
        });
    }

    @Test
    void version1CarriesSignallingAtTheTimeOfItsPacket() {
        assertSame(analysed(old(1)), analysed(PLAIN));
    }

    @Test
    void otherPayloadsAndWhatIsNotCompressedAreCounted() {
        AnalysisResult result = analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            int type = datagram.isSip() ? 1 : 35;
            byte[] packet = version3(datagram, "HEP3", type, datagram.isSip() ? 0x10 : 0x0f);
            to.udp(datagram.timestampNs(), AGENT, COLLECTOR, packet);
        }));
        assertThat(result.calls()).isEmpty();
        assertThat(counter(result, "hepInflateFailed")).isPositive();
        assertThat(counter(result, "hepOtherPayloads") + counter(result, "hepInflateFailed"))
                .isEqualTo(result.capture().packets());
    }

    @Test
    void aLengthThatDoesNotFitIsCounted() {
        AnalysisResult result = analysed(Rewrapped.of(PLAIN, (datagram, to) -> {
            byte[] packet = version3(datagram, "HEP3", type(datagram), 0x0f);
            packet[5]++; // of the whole
            to.udp(datagram.timestampNs(), AGENT, COLLECTOR, packet);
        }));
        assertThat(result.calls()).isEmpty();
        assertThat(counter(result, "hepMalformed")).isEqualTo(result.capture().packets());
    }
}
