package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.frames.CallMatch;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.packet.Endpoint;
import io.offhook.pcap.PacketSource;
import io.offhook.testkit.traffic.Scenarios;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CallMatchTest {
    private static List<CallReport> calls() {
        try (PacketSource source =
                new MemorySource(Scenarios.traffic("mirrored", 7).capture().frames(), 4096)) {
            return Analysis.run(source, AnalysisOptions.defaults().withLanes(1)).calls();
        }
    }

    private static Endpoint moved(Endpoint of, int ports) {
        return new Endpoint(of.high(), of.low(), of.port() + ports);
    }

    /** A packet that names no SSRC of a stream belongs to the streams between its ports, or those before them. */
    @Test
    void findsTheStreamsOfRtcpByThePortsOfBothEnds() {
        List<CallReport> calls = calls();
        StreamReport stream = calls.getFirst().streams().getFirst();
        CallMatch match = new CallMatch(calls);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(8);
            bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x80);
            bytes.set(ValueLayout.JAVA_BYTE, 1, (byte) 204);
            bytes.set(ValueLayout.JAVA_BYTE, 3, (byte) 1);
            for (int source = -1; source <= 2; source++) {
                for (int destination = -1; destination <= 2; destination++) {
                    boolean isNear = (source == 0 || source == 1) && (destination == 0 || destination == 1);
                    Endpoint one = moved(stream.source(), source);
                    Endpoint other = moved(stream.destination(), destination);
                    long timeNs = stream.statistics().firstNs();
                    assertThat(found(match, bytes, one, other, timeNs)).isEqualTo(isNear ? List.of(0) : List.of());
                    assertThat(found(match, bytes, other, one, timeNs)).isEqualTo(isNear ? List.of(0) : List.of());
                }
            }
        }
    }

    private static List<Integer> found(
            CallMatch match, MemorySegment bytes, Endpoint source, Endpoint destination, long timeNs) {
        TreeSet<Integer> calls = new TreeSet<>();
        PacketContext context = new PacketContext(timeNs, 1, source, destination);
        match.rtcp(new RtcpPacket(context, bytes, 0, (int) bytes.byteSize(), (int) bytes.byteSize()), calls::add);
        return List.copyOf(calls);
    }
}
