package io.offhook.research.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.research.Effort;
import io.offhook.research.Measurement;
import io.offhook.research.handover.SnifferRun.Design;
import io.offhook.rtp.RtcpProtocol;
import io.offhook.rtp.RtpProtocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnifferTest {
    private static final Arena ARENA = Arena.ofShared();
    private static final SnifferTrace TRACE = new SnifferTrace(ARENA);

    @AfterAll
    static void free() {
        ARENA.close();
    }

    @Test
    void hasAsManyPacketsOfRtpAsItSays() {
        PacketWalker walker = new PacketWalker();
        RtpProtocol media = new RtpProtocol();
        ApplicationRecognizer recognizer = new ApplicationRecognizer(List.of(new RtcpProtocol(), media));
        int rtp = 0;
        int whole = 0;
        int tcp = 0;
        int ipv6 = 0;
        int tagged = 0;
        for (int i = 0; i < SnifferTrace.PACKETS; i++) {
            int length = TRACE.length(i);
            walker.walk(TRACE.memory(), TRACE.offset(i), length, length, LinkType.ETHERNET);
            whole += walker.stop() == PacketWalker.Stop.COMPLETE && !walker.isSnapped() ? 1 : 0;
            tcp += walker.has(LayerType.TCP) ? 1 : 0;
            ipv6 += walker.has(LayerType.IPV6) ? 1 : 0;
            tagged += walker.has(LayerType.VLAN) ? 1 : 0;
            boolean isRtp = recognizer.recognize(walker) == media;
            rtp += isRtp ? 1 : 0;
            assertThat(SnifferLook.packets(TRACE.said(i, i + 1)))
                    .as("packet " + i)
                    .isEqualTo(isRtp ? 1 : 0);
        }
        assertThat(rtp).isEqualTo(SnifferTrace.RTP);
        assertThat(whole)
                .as("ARP's bytes are drawn, and seldom are ARP")
                .isGreaterThan(SnifferTrace.PACKETS * 97 / 100);
        assertThat(tcp).isBetween(SnifferTrace.PACKETS * 3 / 4, SnifferTrace.PACKETS * 4 / 5);
        assertThat(ipv6).isBetween(SnifferTrace.PACKETS * 3 / 20, SnifferTrace.PACKETS * 17 / 100);
        assertThat(tagged).isBetween(SnifferTrace.PACKETS / 9, SnifferTrace.PACKETS / 7);
    }

    @Test
    void isTheSameEachTime() {
        try (Arena arena = Arena.ofConfined()) {
            SnifferTrace other = new SnifferTrace(arena);
            assertThat(other.memory().mismatch(TRACE.memory())).isEqualTo(-1);
        }
    }

    @Test
    void allWaysOfAskingAgreeAboutEachPacket() {
        SnifferLook each = new SnifferLook.Each();
        SnifferLook index = new SnifferLook.Index();
        SnifferLook once = new SnifferLook.Once();
        MemorySegment memory = TRACE.memory();
        for (int i = 0; i < SnifferTrace.PACKETS; i++) {
            long expected = TRACE.said(i, i + 1);
            assertThat(each.look(memory, TRACE.offset(i), TRACE.length(i), false))
                    .isEqualTo(expected);
            assertThat(index.look(memory, TRACE.offset(i), TRACE.length(i), false))
                    .isEqualTo(expected);
            assertThat(once.look(memory, TRACE.offset(i), TRACE.length(i), false))
                    .isEqualTo(expected);
        }
        assertThat(each.kinds()).isEqualTo(index.kinds()).isEqualTo(once.kinds());
        assertThat(once.kinds()).doesNotContain(0);
    }

    /** Each round holds against the trace what was found, or throws. */
    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void everyDesignFindsAllThatWasNotLost(Design design) {
        try (Arena arena = Arena.ofShared();
                HandOver handOver = design.handOver(arena)) {
            SnifferRun run = new SnifferRun(TRACE, handOver);
            assertThat(run.throughput()).isPositive();
            assertThat(SnifferLook.packets(handOver.sum())).isEqualTo(SnifferTrace.RTP);
            run.comeBy(1e12);
            assertThat(run.slots().arrived() + run.slots().lost()).isEqualTo(SnifferTrace.PACKETS);
            assertThat(run.slots().lost()).as("all came at once").isGreaterThan(SnifferTrace.PACKETS / 2);
            assertThat(SnifferLook.packets(handOver.sum() + run.slots().lostSaid()))
                    .isEqualTo(2 * SnifferTrace.RTP);
            assertThat(run.throughput()).isPositive();
        }
    }

    @Test
    void refusesADesignThatMissesOne() {
        HandOver blind = HandOver.inPlace(
                new PacketLook() {
                    private final SnifferLook once = new SnifferLook.Once();
                    private boolean hasMissed;

                    @Override
                    long header(MemorySegment segment, long offset, int length) {
                        long said = once.look(segment, offset, length, false);
                        if (said != 0 && !hasMissed) {
                            hasMissed = true;
                            return 0;
                        }
                        return said;
                    }

                    @Override
                    long payloadOffset() {
                        return 0;
                    }

                    @Override
                    int payloadLength() {
                        return 0;
                    }
                },
                false);
        assertThatThrownBy(() -> new SnifferRun(TRACE, blind).throughput())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("of 1500 packets of RTP 1499 were found");
    }

    @Test
    void knowsWhichPacketsFoundNoSlot() {
        SnifferSlots slots = new SnifferSlots(TRACE);
        slots.start(0, 1e9);
        assertThat(slots.isWaiting(0)).isFalse();
        assertThat(slots.isWaiting(CaptureSlots.COUNT + 10)).isTrue();
        assertThat(slots.lost()).isEqualTo(10);
        assertThat(slots.lostSaid()).isEqualTo(TRACE.said(CaptureSlots.COUNT, CaptureSlots.COUNT + 10));
        assertThat(slots.first()).isZero();
        slots.release();
        assertThat(slots.first()).isEqualTo(1);
        slots.isWaiting(SnifferTrace.PACKETS);
        assertThat(slots.arrived()).isEqualTo(CaptureSlots.COUNT + 1);
        long slotted = TRACE.said(0, CaptureSlots.COUNT) + TRACE.said(CaptureSlots.COUNT + 10, CaptureSlots.COUNT + 11);
        assertThat(slots.lostSaid()).isEqualTo(TRACE.said(0, SnifferTrace.PACKETS) - slotted);
        for (int i = 1; i < CaptureSlots.COUNT; i++) {
            assertThat(slots.first()).isEqualTo(i);
            slots.release();
        }
        assertThat(slots.first()).as("the one that came after the ten").isEqualTo(CaptureSlots.COUNT + 10);
        assertThat(slots.isOver()).isFalse();
        slots.release();
        assertThat(slots.isOver()).isTrue();
        assertThat(slots.isWaiting(2L * SnifferTrace.PACKETS)).isFalse();
    }

    @Test
    void reportsThroughputHoldTimeAndLossOfEachDesign() {
        SnifferQuestion question = new SnifferQuestion(Effort.QUICK);
        question.take(
                "asked",
                List.of(
                        "throughput\t4.0E7",
                        "loss\t1000000\t0.5\t3",
                        "loss\t1000000\t0.25\t0",
                        "loss\t1000000\t0.0\t0",
                        "hold\t1000000\t40\t90\t400\t5000\t786000"));
        assertThatThrownBy(() -> question.take("asked", List.of("throughput\t1", "loss\t7\t0.5\t3")))
                .hasMessageContaining("nobody asked for");
        Measurement loss = question.measured("sniffer, loss at 1.0 M/s").getFirst();
        assertThat(loss.score()).isEqualTo(0.25);
        assertThat(loss.note()).isEqualTo("RTP lost, of 1500 a round: 3, 0, 0");
        Measurement hold = question.measured("sniffer, hold at 1.0 M/s").getFirst();
        assertThat(hold.score()).isEqualTo(40);
        assertThat(hold.samples()).isEqualTo(786_000);
        assertThat(hold.note()).isEqualTo("99 %: 90; 99.9 %: 400; longest: 5,000");
        assertThat(question.measured("sniffer, throughput").getFirst().score()).isEqualTo(4e7);
        assertThat(question.charts()).hasSize(5);
    }
}
