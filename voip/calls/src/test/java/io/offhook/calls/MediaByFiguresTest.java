package io.offhook.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.figures.ConversationFigures;
import io.offhook.rtp.figures.ConversationUpdate;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamFigures;
import io.offhook.rtp.figures.StreamUpdate;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which streams and conversations a table passes on and when, and what becomes of those that it is given by figures. */
class MediaByFiguresTest {
    private static final String PHONE_A = "10.1.0.1:4000";
    private static final String PHONE_B = "10.1.0.2:5000";
    private static final Endpoint A = Addresses.v4(PHONE_A);
    private static final Endpoint B = Addresses.v4(PHONE_B);
    private static final int STREAMS = 3;

    private final StreamTable table =
            new StreamTable(new MediaBindings(), MediaOptions.DEFAULT, 100, STREAMS, new PacketLog.Room(0));
    private final RtpRows events = new RtpRows();
    private final List<Long> ssrcs = new ArrayList<>();
    private final List<StreamUpdate> updates = new ArrayList<>();
    private final List<ConversationUpdate> conversations = new ArrayList<>();
    private long frame;

    private final FiguresSink sink = new FiguresSink() {
        @Override
        public void stream(CapturedStream stream, StreamUpdate update, @Nullable SampleFigures sample) {
            ssrcs.add(stream.ssrc());
            updates.add(update);
        }

        @Override
        public void conversation(Endpoint one, Endpoint other, ConversationUpdate update) {
            assertThat(List.of(one, other)).containsExactly(A, B);
            conversations.add(update);
        }
    };

    private static long second(double seconds) {
        return Scene.START_NS + (long) (seconds * 1e9);
    }

    /** Packets 20 ms apart. */
    private void packets(long ssrc, double fromSecond, double untilSecond) {
        for (int number = (int) (fromSecond * 50); number < untilSecond * 50; number++) {
            Flow.of(PHONE_A, PHONE_B, ssrc).addTo(events, number, second(number / 50.0), ++frame);
        }
        table.accept(events);
        events.clear();
    }

    private List<Long> passed(double atSecond) {
        ssrcs.clear();
        table.figures(second(atSecond), sink);
        return List.copyOf(ssrcs);
    }

    @Test
    void passesAStreamOnOnceAnIntervalIfItHadPackets() {
        packets(1, 0, 4);
        assertThat(passed(4)).isEmpty();
        packets(1, 4, 6);
        packets(2, 4, 6);
        assertThat(passed(6)).containsExactly(1L);
        assertThat(passed(6.5)).isEmpty();
        packets(1, 6, 9);
        assertThat(passed(9.01)).containsExactly(2L);
        assertThat(passed(10)).containsExactly(1L);
        assertThat(passed(60)).isEmpty();
        packets(1, 60, 60.5);
        assertThat(passed(60.5)).containsExactly(1L);
        assertThat(passed(64.9)).isEmpty();
        packets(1, 60.5, 61);
        assertThat(passed(64.9)).isEmpty();
        assertThat(passed(65.1)).containsExactly(1L);
    }

    @Test
    void atTheEndPassesOnWhatWasNotYet() {
        packets(1, 0, 7);
        assertThat(passed(6)).containsExactly(1L);
        packets(2, 7, 8);
        ssrcs.clear();
        table.figures(Long.MAX_VALUE, sink);
        assertThat(ssrcs).containsExactly(2L);
        packets(1, 7, 8);
        table.figures(Long.MAX_VALUE, sink);
        assertThat(ssrcs).containsExactly(2L, 1L);
        assertThat(updates.getFirst().alone().with(updates.getLast()))
                .isEqualTo(table.streams().getFirst().statistics().figures());
    }

    private static StreamFigures figures(int packets) {
        RtpStream stream = new RtpStream();
        RtpRows rows = new RtpRows();
        for (int number = 0; number < packets; number++) {
            Flow.of(PHONE_A, PHONE_B, 1).addTo(rows, number, second(number / 50.0), number + 1L);
        }
        for (int row = 0; row < rows.end(); row += rows.end() / packets) {
            stream.packet(rows, row);
        }
        return stream.figures();
    }

    private boolean add(long ssrc, long firstFrame, int packets) {
        return table.add(new CapturedStream(A, B, ssrc, firstFrame, null), figures(packets), null);
    }

    private List<Long> counted() {
        return table.streams().stream()
                .map(stream -> stream.statistics().packets())
                .toList();
    }

    @Test
    void replacesWhatWasAddedOfAStreamBefore() {
        assertThat(add(1, 7, 10)).isTrue();
        assertThat(add(2, 3, 20)).isTrue();
        assertThat(add(1, 7, 30)).isTrue();
        assertThat(counted()).containsExactly(20L, 30L);
    }

    @Test
    void keepsStreamsApartThatBeganAnewWithTheSameKey() {
        assertThat(add(1, 50, 5)).isTrue();
        assertThat(add(1, 7, 3)).isTrue();
        assertThat(add(1, 90, 9)).isTrue();
        assertThat(counted()).containsExactly(3L, 5L, 9L);
        assertThat(add(1, 7, 4)).isTrue();
        assertThat(add(1, 50, 6)).isTrue();
        assertThat(add(1, 90, 10)).isTrue();
        assertThat(counted()).containsExactly(4L, 6L, 10L);
    }

    @Test
    void refusesStreamsBeyondTheLimitAndCountsTheirPackets() {
        for (int ssrc = 1; ssrc <= STREAMS; ssrc++) {
            assertThat(add(ssrc, ssrc, 2)).isTrue();
        }
        assertThat(add(9, 9, 5)).isFalse();
        assertThat(add(1, 99, 5)).isFalse();
        assertThat(table.refusedPackets().count()).isEqualTo(10);
        assertThat(add(1, 1, 3)).as("a known one").isTrue();
        assertThat(counted()).containsExactly(3L, 2L, 2L);
    }

    @Test
    void aPacketOfAStreamByFiguresIsSkippedAndCounted() {
        assertThat(add(1, 1, 2)).isTrue();
        packets(1, 0.04, 0.1);
        assertThat(counted()).containsExactly(2L);
        assertThat(table.failedPackets().count()).isEqualTo(3);
        assertThat(table.defect()).isInstanceOf(IllegalStateException.class);
    }

    private static void report(RtcpTable rtcp, double atSecond, int fractionLost) {
        byte[] bytes = HexFormat.of()
                .parseHex(String.format(
                        "81c900070000002200000011%02x00000000000100000000a00000000000000000", fractionLost));
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        segment.copyFrom(MemorySegment.ofArray(bytes));
        rtcp.accept(
                new RtcpPacket(new PacketContext(second(atSecond), 1, B, A), segment, 0, bytes.length, bytes.length));
    }

    @Test
    void passesAConversationOnAtMostOnceInFiveSecondsIfItWentOn() {
        RtcpTable rtcp = new RtcpTable(2, true);
        report(rtcp, 1, 3);
        rtcp.figures(second(1), sink);
        assertThat(conversations).hasSize(1);
        report(rtcp, 4, 4);
        rtcp.figures(second(4), sink);
        assertThat(conversations).hasSize(1);
        rtcp.figures(second(6), sink);
        assertThat(conversations).hasSize(2);
        rtcp.figures(second(20), sink);
        assertThat(conversations).hasSize(2);
        report(rtcp, 21, 5);
        rtcp.figures(Long.MAX_VALUE, sink);
        assertThat(conversations).hasSize(3);

        ConversationFigures folded = conversations.getFirst().alone();
        for (ConversationUpdate update : conversations) {
            folded = folded.with(update);
        }
        RtcpTable other = new RtcpTable(2, true);
        other.add(A, B, conversations.getFirst().alone());
        other.add(B, A, folded);
        assertThat(reports(other)).isEqualTo(reports(rtcp)).hasSize(3).doesNotHaveDuplicates();
    }

    /** What was reported of the stream in each second. */
    private static List<ReceptionInterval> reports(RtcpTable rtcp) {
        ReceptionSummary summary = Objects.requireNonNull(
                Objects.requireNonNull(rtcp.find(0x11, A, B, null, null)).about(0x11));
        List<ReceptionInterval> reports = new ArrayList<>();
        for (int at = 0; at < 30; at++) {
            ReceptionInterval interval = summary.between(second(at), second(at + 1));
            if (interval != null) {
                reports.add(interval);
            }
        }
        return reports;
    }

    @Test
    void conversationsByFiguresGiveWayAsOthersDo() {
        RtcpTable rtcp = new RtcpTable(2, false);
        report(rtcp, 1, 3);
        rtcp.figures(second(1), sink);
        ConversationFigures figures = conversations.getFirst().alone();
        RtcpTable other = new RtcpTable(2, false);
        for (int port = 1; port <= 3; port++) {
            other.add(A.withPort(port), B, figures);
        }
        assertThat(other.gone().count()).isEqualTo(1);
        assertThat(other.find(0x11, A.withPort(2), B, null, null)).isNotNull();
        assertThat(other.find(0x11, A.withPort(3), B, null, null)).isNotNull();
    }
}
