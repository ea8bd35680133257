package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.JoinOptions;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamTableTest {
    private static final int CANDIDATES = 8;
    private static final int STREAMS = 12;
    private static final String PHONE_A = "10.1.0.1:4000";
    private static final String PHONE_B = "10.1.0.2:5000";

    private final MediaBindings bindings = new MediaBindings();
    private final StreamTable table =
            new StreamTable(bindings, MediaOptions.DEFAULT, CANDIDATES, STREAMS, new PacketLog.Room(0));
    private final RtpRows events = new RtpRows();
    private long frame;

    private static long ms(long milliseconds) {
        return Scene.START_NS + milliseconds * Scene.MS;
    }

    private void packet(Flow flow, int number, long milliseconds) {
        flow.addTo(events, number, ms(milliseconds), ++frame);
        table.accept(events);
        events.clear();
    }

    private static Flow flow(long ssrc) {
        return Flow.of(PHONE_A, PHONE_B, ssrc);
    }

    private List<Long> ssrcs() {
        return table.streams().stream().map(MediaStream::ssrc).toList();
    }

    /** Makes known what an INVITE with an offer of an endpoint says. */
    private void invite(String callId, String address, int port, long milliseconds) {
        invite(
                new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 1 << 15, 1 << 14),
                callId,
                address,
                port,
                milliseconds);
    }

    /** An INVITE in a table of calls, and the calls that gave way to it. */
    private List<Call> invite(CallTable calls, String callId, String address, int port, long milliseconds) {
        String sdp = Sdp.audio(address, port);
        String text = "INVITE sip:b@b.test SIP/2.0\r\nFrom: <sip:a@a.test>;tag=1\r\nTo: <sip:b@b.test>\r\nCall-ID: "
                + callId + "\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\nContent-Length: " + sdp.length()
                + "\r\n\r\n" + sdp;
        Endpoint peer = Addresses.v4("10.1.0.9:5060");
        calls.accept(Scene.packet(text, ms(milliseconds), ++frame, peer, peer, 1));
        List<MediaBinding> fresh = new ArrayList<>();
        List<Call> gone = new ArrayList<>();
        calls.fresh().drain(fresh, gone);
        fresh.forEach(bindings::add);
        return gone;
    }

    @Test
    void keepsStreamsApartByEachPartOfTheirKey() {
        List<Flow> flows = List.of(
                flow(1),
                flow(2),
                Flow.of("10.1.0.3:4000", PHONE_B, 1),
                Flow.of("10.1.0.1:4002", PHONE_B, 1),
                Flow.of(PHONE_A, "10.1.0.3:5000", 1),
                Flow.of(PHONE_A, "10.1.0.2:5002", 1));
        for (int number = 0; number < 3; number++) {
            for (Flow flow : flows) {
                packet(flow, number, number * 20L);
            }
        }
        assertThat(table.streams()).hasSize(6).allSatisfy(stream -> {
            assertThat(stream.statistics().packets()).isEqualTo(3);
            assertThat(stream.statistics().lost()).isZero();
        });
        for (int i = 0; i < flows.size(); i++) {
            assertThat(table.streams().get(i).source()).isEqualTo(flows.get(i).source());
            assertThat(table.streams().get(i).destination())
                    .isEqualTo(flows.get(i).destination());
            assertThat(table.streams().get(i).ssrc()).isEqualTo(flows.get(i).ssrc());
        }
    }

    @Test
    void keepsIpv6StreamsApartThatDifferInOneAddressOnly() {
        Flow one = new Flow(Addresses.v6(1, 4000), Addresses.v6(2, 5000), 7, 0, 0);
        Flow two = new Flow(Addresses.v6(3, 4000), Addresses.v6(2, 5000), 7, 0, 0);
        Flow three = new Flow(Addresses.v6(1, 4000), Addresses.v6(3, 5000), 7, 0, 0);
        for (int number = 0; number < 4; number++) {
            for (Flow flow : List.of(one, two, three)) {
                flow.addTo(events, number, ms(number * 20L), ++frame);
            }
        }
        table.accept(events);
        assertThat(table.streams())
                .extracting(MediaStream::source)
                .containsExactly(one.source(), two.source(), one.source());
        assertThat(table.streams())
                .extracting(MediaStream::destination)
                .containsExactly(one.destination(), one.destination(), three.destination());
        assertThat(table.streams())
                .allSatisfy(stream -> assertThat(stream.statistics().packets()).isEqualTo(4));
    }

    @Test
    void letsTheUnlikelyCandidatesGoFirst() {
        Flow likely = flow(100);
        for (int number = 0; number < 5; number++) {
            packet(likely, number, number * 20L);
        }
        for (int i = 1; i <= CANDIDATES - 1; i++) {
            packet(flow(i), 0, 1000 + i);
            packet(flow(i), 1, 1100 + i);
        }
        assertThat(table.evictedCandidates().count()).isZero();
        packet(flow(50), 0, 2000);
        // half of the eight give way: of those with two packets the ones heard of longest ago
        assertThat(ssrcs()).containsExactly(100L, 5L, 6L, 7L, 50L);
        assertThat(table.evictedCandidates().count()).isEqualTo(4);
        assertThat(table.evictedPackets().count()).isEqualTo(8);
        assertThat(table.evictedPackets().firstFrame())
                .isEqualTo(table.evictedCandidates().firstFrame())
                .isPositive();
        packet(likely, 5, 100);
        assertThat(table.streams().getFirst().statistics().packets()).isEqualTo(6);
    }

    @Test
    void evictsNoStreamThatACallReceives() {
        invite("call", "10.1.0.2", 5000, 0);
        for (int i = 1; i <= 3; i++) {
            packet(flow(i), 0, i);
        }
        for (int i = 0; i < 9; i++) {
            packet(Flow.of(PHONE_A, "10.7.0.1:" + (6000 + i), 900 + i), 0, 100 + i);
        }
        assertThat(ssrcs()).contains(1L, 2L, 3L);
        assertThat(table.evictedCandidates().count()).isEqualTo(4);
    }

    @Test
    void sparesCandidatesThatFoundTheirCallSince() {
        for (int i = 1; i <= CANDIDATES; i++) {
            packet(flow(i), 0, i);
        }
        invite("late", "10.1.0.2", 5000, 100);
        packet(Flow.of(PHONE_A, "10.7.0.1:6000", 99), 0, 200);
        assertThat(table.evictedCandidates().count()).isZero();
        assertThat(ssrcs()).hasSize(CANDIDATES + 1);
    }

    @Test
    void bindsAStreamWhoseDescriptionComesLater() {
        Flow dynamic = flow(1).payloadType(97);
        packet(dynamic, 0, 0);
        assertThat(table.streams().getFirst().owner()).isNull();
        invite("call", "10.1.0.2", 5000, 10);
        packet(dynamic, 1, 20);
        assertThat(table.streams().getFirst().owner())
                .isNotNull()
                .satisfies(owner -> assertThat(owner.call().callId()).isEqualTo("call"));
    }

    @Test
    void refusesStreamsForWhichThereIsNoRoom() {
        invite("call", "10.1.0.2", 5000, 0); // bound, so that none is evicted
        for (int i = 1; i <= STREAMS + 3; i++) {
            packet(flow(i), 0, i);
        }
        packet(flow(STREAMS + 1), 1, 100);
        packet(flow(1), 1, 100);
        assertThat(ssrcs()).hasSize(STREAMS);
        assertThat(table.refusedPackets().count()).isEqualTo(4);
        assertThat(table.streams().getFirst().statistics().packets()).isEqualTo(2);
    }

    @Test
    void beginsANewStreamWhereAnotherCallReceivesItAfterAPause() {
        invite("first", "10.1.0.2", 5000, 0);
        for (int i = 0; i < 3; i++) {
            packet(flow(1), i, 20L * i);
        }
        invite("second", "10.1.0.2", 5000, 3000);
        packet(flow(1), 3, 1040); // not a pause
        packet(flow(1), 4, 4000);
        packet(flow(1), 5, 4020);
        assertThat(table.streams())
                .extracting(stream -> stream.statistics().packets())
                .containsExactly(4L, 2L);
        assertThat(table.streams())
                .extracting(stream -> {
                    MediaBinding owner = stream.owner();
                    return owner == null ? "" : owner.call().callId();
                })
                .containsExactly("first", "second");
        assertThat(table.streams().get(1).statistics().lost()).isZero();
    }

    @Test
    void goesOnWithAStreamAfterAPauseInTheSameCall() {
        invite("first", "10.1.0.2", 5000, 0);
        packet(flow(1), 0, 0);
        invite("first", "10.1.0.2", 5000, 3000);
        packet(flow(2), 0, 3100);
        packet(flow(2), 1, 9000);
        assertThat(ssrcs()).containsExactly(1L, 2L);
    }

    @Test
    void keepsWithinItsLimitWhereStreamsEndAndBeginAgain() {
        for (int i = 0; i < STREAMS + 3; i++) {
            invite("call " + i, "10.1.0.2", 5000, 5000L * i);
            packet(flow(1), i, 5000L * i + 1);
        }
        assertThat(ssrcs()).hasSize(STREAMS);
        assertThat(table.refusedPackets().count()).isEqualTo(3);
    }

    @Test
    void takesTwoListsAsOneInTheOrderOfCapture() {
        RtpRows reassembled = new RtpRows();
        for (int number = 0; number < 20; number++) {
            flow(1).addTo(number % 3 == 1 ? reassembled : events, number, ms(20L * number), number + 1);
        }
        RtpRows merged = new RtpRows();
        merged.merge(events, reassembled);
        table.accept(merged);
        assertThat(table.streams().getFirst().statistics().packets()).isEqualTo(20);
        assertThat(table.streams().getFirst().statistics().reordered()).isZero();
        assertThat(table.streams().getFirst().firstFrame()).isEqualTo(1);
    }

    @Test
    void keepsManyStreamsWithoutConfusion() {
        StreamTable large = new StreamTable(bindings, MediaOptions.DEFAULT, 1 << 16, 1 << 16, new PacketLog.Room(0));
        for (int number = 0; number < 3; number++) {
            for (int i = 0; i < 5000; i++) {
                Flow.of("10.1." + i / 200 + "." + i % 200 + ":4000", PHONE_B, i % 7)
                        .addTo(events, number, ms(20L * number), ++frame);
            }
        }
        large.accept(events);
        assertThat(large.streams())
                .hasSize(5000)
                .allSatisfy(stream -> assertThat(stream.statistics().packets()).isEqualTo(3));
    }

    @Test
    void letsStreamsOfForgottenCallsGoWhileThereIsRoom() {
        StreamTable large = new StreamTable(bindings, MediaOptions.DEFAULT, CANDIDATES, 1 << 16, new PacketLog.Room(0));
        CallTable calls = new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 50, 50);
        for (int i = 0; i < 2000; i++) {
            invite(calls, "call-" + i, "10.1.1.1", 4000 + i, i).forEach(bindings::giveUp);
            Flow.of(PHONE_A, "10.1.1.1:" + (4000 + i), 1).addTo(events, 0, ms(i + 1), ++frame);
            Flow.of(PHONE_A, "10.1.1.1:" + (4000 + i), 2).addTo(events, 0, ms(i + 1), ++frame);
            large.accept(events);
            events.clear();
            assertThat(large.streams()).hasSizeLessThanOrEqualTo(2 * (50 + 2 * 100));
        }
        assertThat(large.streams().getLast().firstFrame()).isEqualTo(frame);
        assertThat(large.evictedStreams().count() + large.streams().size()).isEqualTo(4000);
        assertThat(large.refusedPackets().count()).isZero();
    }

    @Test
    void letsStreamsOfCallsThatAreGoneMakeRoom() {
        CallTable calls = new CallTable(new JoinHeaders(JoinOptions.DEFAULT), null, 2, 2);
        for (int i = 0; i < 3; i++) {
            List<Call> gone = invite(calls, "call-" + i, "10.1.1." + i, 5000, i);
            for (int ssrc = 1; ssrc <= STREAMS / 2; ssrc++) {
                packet(Flow.of(PHONE_A, "10.1.1." + i + ":5000", 100L * i + ssrc), 0, 10L * i + 5);
            }
            gone.forEach(bindings::giveUp);
        }
        assertThat(table.refusedPackets().count())
                .isEqualTo(STREAMS / 2); // the third call's, before the first one is gone
        packet(Flow.of(PHONE_A, "10.1.1.2:5000", 201), 0, 40);
        assertThat(table.evictedStreams().count()).isEqualTo(STREAMS / 2);
        assertThat(ssrcs()).hasSize(STREAMS / 2 + 1).contains(101L, 201L).doesNotContain(1L);
        packet(Flow.of(PHONE_A, "10.1.1.2:5000", 201), 1, 60);
        packet(Flow.of(PHONE_A, "10.1.1.1:5000", 101), 1, 60);
        assertThat(ssrcs()).hasSize(STREAMS / 2 + 1);
    }
}
