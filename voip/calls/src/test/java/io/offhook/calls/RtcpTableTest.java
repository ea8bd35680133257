package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtcpReports;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RtcpTableTest {
    private static final Endpoint A = Addresses.v4("10.1.0.1:4000");
    private static final Endpoint B = Addresses.v4("10.1.0.2:5000");
    private static final long SSRC = 0x11;

    private final RtcpTable table = new RtcpTable(2, false);
    private long nowNs = Scene.START_NS;

    /** A receiver report (RFC 3550, 6.4.2) on a stream: 25 % lost. */
    private static String report(long subject, int lost) {
        return String.format("81c90007 00000022 %08x 40%06x 00000100 000000a0 00000000 00000000", subject, lost);
    }

    private void accept(Endpoint source, Endpoint destination, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        segment.copyFrom(MemorySegment.ofArray(bytes));
        table.accept(new RtcpPacket(
                new PacketContext(nowNs, 1, source, destination), segment, 0, bytes.length, bytes.length));
    }

    private long lost(long ssrc, Endpoint source, Endpoint destination) {
        return lost(ssrc, source, destination, null, null);
    }

    private long lost(
            long ssrc, Endpoint source, Endpoint destination, @Nullable Endpoint sender, @Nullable Endpoint receiver) {
        ReceptionSummary summary = summary(table.find(ssrc, source, destination, sender, receiver), ssrc);
        return summary == null ? -1 : summary.cumulativeLost();
    }

    private static @Nullable ReceptionSummary summary(@Nullable RtcpReports reports, long ssrc) {
        return reports == null ? null : reports.about(ssrc);
    }

    private long reports() {
        ReceptionSummary summary = summary(table.find(SSRC, A, B, null, null), SSRC);
        return summary == null ? 0 : summary.reports();
    }

    @Test
    void findsReportsOnTheStreamsOwnPorts() {
        accept(B, A, report(SSRC, 5));
        accept(B.withPort(9), A, report(SSRC, 6));
        assertThat(lost(SSRC, A, B)).isEqualTo(5);
    }

    @Test
    void findsReportsOnTheNextPorts() {
        accept(B.withPort(5001), A.withPort(4001), report(SSRC, 5));
        accept(B.withPort(9), A, report(SSRC, 6));
        assertThat(lost(SSRC, A, B)).isEqualTo(5);
    }

    @Test
    void findsReportsOnThePortsThatSdpNames() {
        accept(B.withPort(7001), A.withPort(6001), report(SSRC, 5));
        accept(B.withPort(9), A, report(SSRC, 6));
        assertThat(lost(SSRC, A, B)).isEqualTo(-1);
        assertThat(lost(SSRC, A, B, A.withPort(6001), B.withPort(7001))).isEqualTo(5);
    }

    @Test
    void findsReportsElsewhereByTheSsrcWhereItIsTheOnlyOne() {
        accept(B.withPort(7001), A.withPort(6001), report(SSRC, 5));
        assertThat(lost(SSRC, A, B)).isEqualTo(5);
        assertThat(lost(0x12, A, B)).isEqualTo(-1);
    }

    @Test
    void confusesNoStreamsThatShareAnSsrc() {
        accept(B.withPort(7001), A.withPort(6001), report(SSRC, 5));
        accept(B.withPort(7003), A.withPort(6003), report(SSRC, 9));
        assertThat(lost(SSRC, A, B)).isEqualTo(-1);
        // again, for what was found once is remembered
        assertThat(lost(SSRC, A, B)).isEqualTo(-1);
        assertThat(lost(SSRC, A.withPort(6002), B.withPort(7002))).isEqualTo(9);
    }

    @Test
    void passesOverAConversationThatIsNotAboutTheStream() {
        accept(B, A, report(0x99, 5));
        accept(B.withPort(5001), A.withPort(4001), report(SSRC, 6));
        assertThat(lost(SSRC, A, B)).isEqualTo(6);
    }

    @Test
    void countsMirroredPacketsOnce() {
        accept(B, A, report(SSRC, 5));
        nowNs += Scene.MS;
        accept(B, A, report(SSRC, 5));
        assertThat(table.mirrored().count()).isEqualTo(1);
        assertThat(reports()).isEqualTo(1);
        nowNs += 5000 * Scene.MS;
        accept(B, A, report(SSRC, 5));
        accept(A, B, report(SSRC, 5)); // the other way: another packet
        assertThat(table.mirrored().count()).isEqualTo(1);
        assertThat(reports()).isEqualTo(3);
    }

    @Test
    void theConversationThatWasSilentLongestGivesWay() {
        accept(B, A, report(1, 1));
        accept(B.withPort(5002), A, report(2, 2));
        accept(A, B, report(4, 4)); // of the first one
        accept(B.withPort(5004), A, report(3, 3));
        assertThat(table.gone().count()).isEqualTo(1);
        assertThat(lost(2, A, B.withPort(5002))).isEqualTo(-1);
        assertThat(lost(3, A, B.withPort(5004))).isEqualTo(3);
        assertThat(lost(4, B, A)).isEqualTo(4);
    }

    @Test
    void countsSourcesThatGaveWayAndWhatDoesNotFit() {
        for (int i = 0; i < RtcpReports.LIMIT + 3; i++) {
            accept(A, B, report(100 + i, 5));
        }
        assertThat(table.evicted().count()).isEqualTo(3);
        assertThat(table.malformed().count()).isZero();
        // says that it has two report blocks, and has one
        accept(A, B, "82" + report(SSRC, 5).substring(2));
        assertThat(table.malformed().count()).isEqualTo(1);
        assertThat(table.undecodable().count()).isZero();
    }
}
