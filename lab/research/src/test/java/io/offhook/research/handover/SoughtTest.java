package io.offhook.research.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.research.handover.SoughtTrace.Kind;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class SoughtTest {
    private final SoughtTrace trace = new SoughtTrace(Arena.ofAuto());

    @Test
    void hasEnoughOfEachKind() {
        assertThat(trace.count(Kind.RTP)).isBetween(SoughtTrace.PACKETS * 9 / 100, SoughtTrace.PACKETS * 11 / 100);
        for (Kind kind : Kind.values()) {
            assertThat(trace.count(kind)).as(kind.name()).isGreaterThan(SoughtTrace.PACKETS / 50);
        }
        PacketWalker walker = new PacketWalker();
        int tcp = 0;
        for (int i = 0; i < SoughtTrace.PACKETS; i++) {
            int length = trace.length(i);
            walker.walk(trace.memory(), trace.offset(i), length, length, LinkType.ETHERNET);
            assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.COMPLETE);
            tcp += walker.has(LayerType.TCP) ? 1 : 0;
        }
        assertThat(tcp).isGreaterThan(SoughtTrace.PACKETS / 2);
    }

    @Test
    void allTechniquesFindWhatWasPutIntoEachPacket() {
        assertThatCode(() -> new SoughtBenchmark().check()).doesNotThrowAnyException();
    }

    /** What ICMP quotes is found by one who does not leave it out, so that leaving it out is a question. */
    @Test
    void quotesInIcmpAreWhatIsSought() {
        int quotes = 0;
        for (int i = 0; i < SoughtTrace.PACKETS; i++) {
            if (trace.kind(i) == Kind.ICMP) {
                PacketWalker walker = new PacketWalker();
                int inner = 14 + 20 + 8;
                int length = trace.length(i) - inner;
                walker.walk(trace.memory(), trace.offset(i) + inner, length, length, LinkType.RAW);
                assertThat(walker.has(LayerType.UDP)).as("packet " + i).isTrue();
                quotes++;
            }
        }
        assertThat(quotes).isEqualTo(trace.count(Kind.ICMP));
    }
}
