package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LinkType;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a capture as a whole, and of what could not be read in it. */
class CaptureReportTest {
    private static final int UNKNOWN_LINK = 147; // for private use

    private static AnalysisResult analyse(List<Frame> frames, int lanes) {
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(lanes).withRtpHeuristic(true);
        return Analysis.run(new MemorySource(frames, 5), options);
    }

    /** Frame n is of the time of number n - 1. */
    private static CaptureReport.Counter counter(String name, long count, int firstFrame, int lastFrame) {
        return new CaptureReport.Counter(
                name, count, firstFrame, lastFrame, Frames.timeNs(firstFrame - 1), Frames.timeNs(lastFrame - 1));
    }

    private static Frame rtp(int number) {
        return Frames.rtp(number, 160, false, tap -> {}).getFirst();
    }

    private static Frame changed(Frame frame, int at, int value) {
        byte[] bytes = frame.bytes().clone();
        bytes[at] = (byte) value;
        return new Frame(frame.timestampNs(), frame.linkType(), bytes, frame.wireLength());
    }

    private static Frame cut(Frame frame, int length) {
        return new Frame(
                frame.timestampNs(), frame.linkType(), Arrays.copyOf(frame.bytes(), length), frame.wireLength());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void isEmptyWhereTheSourceIs(int lanes) {
        AnalysisResult result = analyse(List.of(), lanes);
        assertThat(result.calls()).isEmpty();
        assertThat(result.streams()).isEmpty();
        assertThat(result.registrations()).isEmpty();
        CaptureReport capture = result.capture();
        assertThat(capture.packets()).isZero();
        assertThat(capture.bytes()).isZero();
        assertThat(capture.firstNs()).isZero();
        assertThat(capture.lastNs()).isZero();
        assertThat(capture.linkTypes()).isEmpty();
        assertThat(capture.counters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void countsFramesOfALinkThatIsNotKnown(int lanes) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            frames.add(new Frame(Frames.timeNs(i), UNKNOWN_LINK, new byte[60 + i], 60 + i));
        }
        CaptureReport capture = analyse(frames, lanes).capture();
        assertThat(capture.packets()).isEqualTo(12);
        assertThat(capture.bytes()).isEqualTo(12 * 60 + 66);
        assertThat(capture.linkTypes()).containsExactly(UNKNOWN_LINK);
        assertThat(capture.firstNs()).isEqualTo(Frames.timeNs(0));
        assertThat(capture.lastNs()).isEqualTo(Frames.timeNs(11));
        assertThat(capture.counters()).containsExactly(counter("unsupportedPackets", 12, 1, 12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void reportsWhereEachKindOfTroubleWas(int lanes) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            frames.add(rtp(i));
        }
        int ip = 14;
        frames.set(16, cut(frames.get(16), ip + 10)); // in the middle of the IP header
        frames.set(30, cut(frames.get(30), ip + 10));
        frames.set(22, changed(frames.get(22), ip, 0x42)); // a header of 8 bytes
        frames.set(7, new Frame(Frames.timeNs(7), UNKNOWN_LINK, new byte[60], 60));
        AnalysisResult result = analyse(frames, lanes);
        assertThat(result.capture().counters())
                .containsExactlyInAnyOrder(
                        counter("snappedPackets", 2, 17, 31),
                        counter("truncatedPackets", 2, 17, 31),
                        counter("malformedPackets", 1, 23, 23),
                        counter("unsupportedPackets", 1, 8, 8));
        assertThat(result.capture().linkTypes()).containsExactly(LinkType.ETHERNET, UNKNOWN_LINK);
        assertThat(result.streams()).singleElement().satisfies(stream -> {
            assertThat(stream.statistics().packets()).isEqualTo(36);
            assertThat(stream.statistics().lost()).isEqualTo(4);
        });
        assertThat(result.capture().rtpPackets()).isEqualTo(36);
    }

    @Test
    void countsRtpThatWasCapturedShortInFull() {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            frames.add(cut(rtp(i), 14 + 20 + 8 + 12)); // headers only
        }
        AnalysisResult result = analyse(frames, 2);
        assertThat(result.streams()).singleElement().satisfies(stream -> {
            assertThat(stream.statistics().packets()).isEqualTo(20);
            assertThat(stream.statistics().payloadOctets()).isEqualTo(20 * 160);
        });
        assertThat(result.capture().counters()).contains(counter("snappedPackets", 20, 1, 20));
        assertThat(result.capture().bytes()).isEqualTo(20 * 54);
    }

    @Test
    void reportsFirstAndLastInTheOrderOfTheSource() {
        List<Frame> frames = new ArrayList<>(List.of(rtp(5), rtp(9), rtp(2)));
        CaptureReport capture = analyse(frames, 1).capture();
        assertThat(capture.firstNs()).isEqualTo(Frames.timeNs(5));
        assertThat(capture.lastNs()).isEqualTo(Frames.timeNs(2));
    }

    @Test
    void doesNotTakeOneRandomDatagramForMediaAmongOthers() {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] payload = {0x41, 0x42, 0x43, 0x44, 1, 2, 3, 4, 5, 6};
            byte[] frame = Link.ethernet().frame(Frames.udp(Frames.SOURCE, Frames.DESTINATION, i, payload), true);
            frames.add(new Frame(Frames.timeNs(i), LinkType.ETHERNET, frame, frame.length));
        }
        frames.add(rtp(30));
        assertThat(analyse(frames, 1).streams()).isEmpty();
        // alone, it is believed
        assertThat(analyse(List.of(rtp(30)), 1).streams()).hasSize(1);
    }
}
