package io.offhook.flow.tcp;

import static io.offhook.flow.tcp.TcpWire.ACK;
import static io.offhook.flow.tcp.TcpWire.MS;
import static io.offhook.flow.tcp.TcpWire.START_NS;
import static io.offhook.flow.tcp.TcpWire.SYN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.flow.AllocatedBytes;
import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams read through windows: what is left there is there again, within limits. */
class StreamWindowsTest {
    private static final StreamWindowLimits SMALL = new StreamWindowLimits(1 << 16, 32, 1 << 17);

    /** Streams whose reader is a script: it takes what {@link #take} says, and notes what it saw. */
    private static final class Wire implements StreamWindowHandler, AutoCloseable {
        private final StreamWindows windows;
        private final TcpStreams streams;
        private final TcpSegment segment = new TcpSegment();
        private final Holding holding;
        private final List<String> reported = new ArrayList<>();
        private MemorySegment frame = Arena.ofAuto().allocate(1 << 17);
        private Take take = window -> window.start();
        private Take takeAtOverflow = window -> window.start();
        private boolean ignores;
        private boolean isNoting = true;
        private long nowNs = START_NS;
        private long frameNumber;

        /** Up to which offset the reader is done. */
        private interface Take {
            long upTo(StreamWindow window);
        }

        Wire(StreamWindowLimits limits, Holding holding) {
            this.holding = holding;
            windows = new StreamWindows(limits, holding, this);
            streams = new TcpStreams(TcpLimits.DEFAULT, OverlapPolicy.FIRST, holding, windows);
        }

        void open(int port) {
            segment(port, 1000, SYN, new byte[0]);
        }

        void data(int port, int position, String text) {
            segment(port, 1001 + position, ACK, text.getBytes(StandardCharsets.ISO_8859_1));
        }

        private void segment(int port, int sequence, int flags, byte[] payload) {
            if (holding == Holding.REFERENCE) {
                frame = Arena.ofAuto().allocate(20 + payload.length);
            }
            NetworkOrder.putU32(frame, 4, sequence & 0xffff_ffffL);
            NetworkOrder.putU8(frame, 13, flags);
            MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame, 20, payload.length);
            int length = payload.length;
            segment.source(0, 0xffff_0a00_0001L, port);
            segment.destination(0, 0xffff_0a00_0002L, 53);
            segment.captured(nowNs, ++frameNumber, 0);
            segment.bytes(frame, 0, 20, length, length);
            streams.segment(segment);
            if (holding == Holding.COPY) { // what was borrowed must not be needed any more
                frame.asSlice(0, 20 + payload.length).fill((byte) '#');
            }
            nowNs += MS;
        }

        static String text(StreamWindow window) {
            byte[] bytes = new byte[(int) window.length()];
            window.bytes().copyTo(window.start(), bytes, 0, bytes.length);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        private void note(String kind, StreamWindow window) {
            if (isNoting) {
                reported.add(kind + " " + window.start() + " " + text(window));
            }
        }

        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            return Pickup.NOW;
        }

        @Override
        public void data(TcpStream stream, StreamWindow window) {
            note("data", window);
            if (ignores) {
                stream.ignore();
            }
            window.release(take.upTo(window));
        }

        @Override
        public void gap(TcpStream stream, StreamWindow window, long missingBytes) {
            note("gap " + missingBytes, window);
        }

        @Override
        public void overflow(TcpStream stream, StreamWindow window) {
            note("overflow", window);
            window.release(takeAtOverflow.upTo(window));
        }

        @Override
        public void end(TcpStream stream, StreamWindow window, End reason) {
            note("end " + reason, window);
        }

        @Override
        public void close() {
            streams.close();
            windows.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void showsWhatWasLeftWithWhatComesNext(Holding holding) {
        try (Wire wire = new Wire(SMALL, holding)) {
            wire.open(1);
            wire.data(1, 0, "abc");
            wire.data(1, 3, "def");
            wire.take = window -> 5;
            wire.data(1, 6, "ghi");
            wire.take = StreamWindow::end;
            wire.data(1, 9, "jkl");
            wire.data(1, 12, "mno");
            assertThat(wire.reported)
                    .containsExactly(
                            "data 0 abc", "data 0 abcdef", "data 0 abcdefghi", "data 5 fghijkl", "data 12 mno");
            assertThat(wire.windows.count(StreamWindowCounter.BYTES)).isEqualTo(15);
            // the last piece was taken in its call
            assertThat(wire.windows.count(StreamWindowCounter.RETAINED_BYTES)).isEqualTo(12);
        }
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void reportsWhichPacketBroughtAByte(Holding holding) {
        try (Wire wire = new Wire(SMALL, holding)) {
            wire.open(1);
            List<String> origins = new ArrayList<>();
            wire.take = window -> {
                StringBuilder text = new StringBuilder();
                for (long at = window.start(); at < window.end(); at++) {
                    text.append(window.frameNumberAt(at))
                            .append('@')
                            .append((window.timestampNsAt(at) - START_NS) / MS)
                            .append(' ');
                }
                origins.add(text.toString());
                return window.start();
            };
            wire.data(1, 0, "a");
            wire.data(1, 2, "c"); // early: frame 3
            wire.data(1, 1, "b"); // frame 4
            assertThat(origins).containsExactly("2@1 ", "2@1 4@3 ", "2@1 4@3 3@2 ");
        }
    }

    @Test
    void readsWhereFramesAreWhereTheyStay() {
        try (Wire wire = new Wire(SMALL, Holding.REFERENCE)) {
            wire.open(1);
            List<MemorySegment> frames = new ArrayList<>();
            List<CompositeBuffer> buffers = new ArrayList<>();
            wire.take = window -> {
                buffers.add(window.bytes());
                return window.start();
            };
            wire.data(1, 0, "abc");
            frames.add(wire.frame);
            wire.data(1, 6, "ghi");
            frames.add(wire.frame);
            wire.data(1, 3, "def");
            CompositeBuffer bytes = buffers.getLast();
            assertThat(bytes.stretchCount()).isEqualTo(3);
            assertThat(bytes.stretchSegment(0)).isEqualTo(frames.get(0));
            assertThat(bytes.stretchSegment(1)).isEqualTo(wire.frame);
            assertThat(bytes.stretchSegment(2)).isEqualTo(frames.get(1));
            assertThat(wire.windows.reservedBytes()).isEqualTo(9 + 3 * 64);
        }
    }

    @Test
    void showsHolesAndGoesOnBehindThem() {
        try (Wire wire = new Wire(SMALL, Holding.COPY)) {
            wire.open(1);
            wire.data(1, 0, "abc");
            wire.data(1, 10, "klm");
            wire.streams.flush();
            assertThat(wire.reported)
                    .containsExactly("data 0 abc", "gap 7 0 abc", "data 10 klm", "end CAPTURE_END 10 klm");
            assertThat(wire.windows.placed(StreamWindowCounter.LOST_BYTES).count())
                    .isZero();
            wire.isNoting = false;
            fillPool(wire); // all blocks came back
        }
    }

    /** Takes all that {@link #SMALL} allows: a piece that was not given back would make it overflow. */
    private static void fillPool(Wire wire) {
        wire.take = StreamWindow::start;
        long before = wire.windows.count(StreamWindowCounter.OVERFLOWS);
        for (int port = 98; port <= 99; port++) {
            wire.open(port);
            for (int i = 0; i < 32; i++) {
                wire.data(port, 1984 * i, "x".repeat(1984));
            }
        }
        assertThat(wire.windows.count(StreamWindowCounter.OVERFLOWS)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void emptiesAStreamThatReachesItsLimit(Holding holding) {
        try (Wire wire = new Wire(SMALL, holding)) {
            wire.isNoting = false;
            wire.open(1);
            for (int i = 0; i < 32; i++) {
                wire.data(1, 2000 * i, "x".repeat(2000));
            }
            assertThat(wire.windows.count(StreamWindowCounter.STREAM_OVERFLOWS)).isZero();
            wire.isNoting = true;
            wire.data(1, 64_000, "y".repeat(2000));
            assertThat(wire.reported).hasSize(2);
            assertThat(wire.reported.getFirst()).startsWith("overflow 0 xxx").hasSize(11 + 64_000);
            assertThat(wire.reported.getLast()).startsWith("data 64000 yyy").hasSize(11 + 2000);
            assertThat(wire.windows.count(StreamWindowCounter.STREAM_OVERFLOWS)).isEqualTo(1);
            assertThat(wire.windows.count(StreamWindowCounter.LOST_BYTES)).isEqualTo(64_000);
            assertThat(wire.windows.placed(StreamWindowCounter.LOST_BYTES).firstFrame())
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void emptiesTheWindowThatWentLongestWithoutARelease(Holding holding) {
        try (Wire wire = new Wire(SMALL, holding)) {
            wire.isNoting = false;
            for (int port = 1; port <= 3; port++) {
                wire.open(port);
                for (int i = 0; i < 20; i++) {
                    wire.data(port, 2000 * i, "x".repeat(2000));
                }
            }
            assertThat(wire.windows.count(StreamWindowCounter.OVERFLOWS)).isZero();
            wire.take = window -> window.start() + 1; // the first one shows that it lives
            wire.data(1, 40_000, "x");
            wire.take = StreamWindow::start;
            wire.isNoting = true;
            for (int i = 0; i < 10; i++) {
                wire.data(3, 40_000 + 2000 * i, "x".repeat(2000));
            }
            assertThat(wire.reported.stream().filter(line -> line.startsWith("overflow")))
                    .singleElement()
                    .asString()
                    .startsWith("overflow 0 x")
                    .hasSize(11 + 40_000);
            assertThat(wire.windows.count(StreamWindowCounter.OVERFLOWS)).isEqualTo(1);
            assertThat(wire.windows.reservedBytes()).isLessThanOrEqualTo(SMALL.bytes());
            wire.reported.clear();
            wire.data(2, 40_000, "z");
            assertThat(wire.reported).containsExactly("data 40000 z");
        }
    }

    @Test
    void losesNothingThatTheReaderTakesAtTheLast() {
        try (Wire wire = new Wire(SMALL, Holding.COPY)) {
            wire.isNoting = false;
            wire.takeAtOverflow = StreamWindow::end;
            wire.open(1);
            for (int i = 0; i < 100; i++) {
                wire.data(1, 2000 * i, "x".repeat(2000));
            }
            assertThat(wire.windows.count(StreamWindowCounter.STREAM_OVERFLOWS)).isEqualTo(3);
            assertThat(wire.windows.count(StreamWindowCounter.LOST_BYTES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void letsGoOfWhatIsIgnored(Holding holding) {
        try (Wire wire = new Wire(SMALL, holding)) {
            wire.open(1);
            wire.data(1, 0, "abc");
            wire.ignores = true;
            wire.data(1, 3, "def");
            wire.data(1, 6, "ghi");
            wire.streams.flush();
            assertThat(wire.reported).containsExactly("data 0 abc", "data 0 abcdef");
            wire.ignores = false;
            wire.isNoting = false;
            fillPool(wire);
        }
    }

    @Test
    void takesPiecesLongerThanItsLimitInParts() {
        try (Wire wire = new Wire(SMALL, Holding.COPY)) {
            wire.isNoting = false;
            wire.take = StreamWindow::end;
            wire.open(1);
            wire.data(1, 0, "x".repeat(100_000));
            assertThat(wire.windows.count(StreamWindowCounter.BYTES)).isEqualTo(100_000);
        }
    }

    @Test
    void refusesOffsetsOutsideOfTheWindow() {
        try (Wire wire = new Wire(SMALL, Holding.COPY)) {
            wire.open(1);
            List<StreamWindow> windows = new ArrayList<>();
            wire.take = window -> {
                windows.add(window);
                return 1;
            };
            wire.data(1, 0, "abc");
            StreamWindow window = windows.getFirst();
            assertThatThrownBy(() -> window.release(4))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("offset 4 is not in 1 to 3");
            assertThatThrownBy(() -> window.release(0)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> window.frameNumberAt(3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(window).hasToString("10.0.0.1:1 > 10.0.0.2:53, stream 1 to 3 in 1 stretches");
            window.release(3); // from outside of a call, too
            assertThat(window.length()).isZero();
        }
    }

    @Test
    void refusesLimitsThatHoldNothing() {
        assertThatThrownBy(() -> new StreamWindowLimits(65_535, 32, 1 << 17))
                .hasMessageStartingWith("bytesPerStream 65535");
        assertThatThrownBy(() -> new StreamWindowLimits(65_536, 31, 1 << 17))
                .hasMessageStartingWith("stretchesPerStream 31");
        assertThatThrownBy(() -> new StreamWindowLimits(65_536, 32, 131_071)).hasMessageStartingWith("bytes 131071");
    }

    /** Messages of a length of two bytes and as many others, cut into segments anyhow, some early, some twice. */
    @RepeatedTest(60)
    void readsMessagesHoweverTheyAreCut(RepetitionInfo repetition) {
        long seed = 4000L + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        Holding holding = random.nextBoolean() ? Holding.COPY : Holding.REFERENCE;
        StringBuilder sent = new StringBuilder();
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int length = random.nextInt(i % 10 == 0 ? 8000 : 100);
            String message = Character.toString('a' + i % 26).repeat(length);
            messages.add(message);
            sent.append((char) (length >>> 8)).append((char) (length & 0xff)).append(message);
        }
        List<String> read = new ArrayList<>();
        try (Wire wire = new Wire(StreamWindowLimits.DEFAULT, holding)) {
            wire.isNoting = false;
            wire.take = window -> {
                long at = window.start();
                while (window.end() - at >= 2
                        && window.end() - at - 2 >= window.bytes().u16(at)) {
                    byte[] message = new byte[window.bytes().u16(at)];
                    window.bytes().copyTo(at + 2, message, 0, message.length);
                    read.add(new String(message, StandardCharsets.ISO_8859_1));
                    at += 2 + message.length;
                }
                return at;
            };
            wire.open(1);
            for (int at = 0; at < sent.length(); ) {
                int length = Math.min(sent.length() - at, 1 + random.nextInt(3000));
                int cut = at + random.nextInt(length);
                if (random.nextInt(3) == 0) {
                    wire.data(1, cut, sent.substring(cut, at + length));
                }
                wire.data(1, at, sent.substring(at, at + length));
                at += length;
            }
            assertThat(read).as("seed %d", seed).isEqualTo(messages);
            wire.streams.flush();
            assertThat(wire.windows.count(StreamWindowCounter.BYTES)).isEqualTo(sent.length());
        }
    }

    @ParameterizedTest
    @EnumSource(Holding.class)
    void allocatesNothingForMessagesThatSpanSegments(Holding holding) {
        MemorySegment frame = Arena.ofAuto().allocate(2048);
        long[] sum = {0};
        try (Wire wire = new Wire(StreamWindowLimits.DEFAULT, holding)) {
            wire.isNoting = false;
            // messages of 5,000 bytes in segments of 1,400
            wire.take = window -> {
                long end = window.end() - window.end() % 5000;
                if (end <= window.start()) {
                    return window.start();
                }
                sum[0] += window.bytes().u32(end - 4) + window.frameNumberAt(end - 1);
                return end;
            };
            wire.open(1);
            long[] position = {0};
            NetworkOrder.putU8(frame, 13, ACK);
            long least = AllocatedBytes.leastOf(() -> {
                for (int i = 0; i < 1000; i++) {
                    NetworkOrder.putU32(frame, 4, 1001 + position[0] & 0xffff_ffffL);
                    wire.segment.source(0, 0xffff_0a00_0001L, 1);
                    wire.segment.destination(0, 0xffff_0a00_0002L, 53);
                    wire.segment.captured(wire.nowNs++, ++wire.frameNumber, 0);
                    wire.segment.bytes(frame, 0, 20, 1400, 1400);
                    wire.streams.segment(wire.segment);
                    position[0] += 1400;
                }
            });
            assertThat(least).isLessThan(AllocatedBytes.OF_ASKING);
            assertThat(sum[0]).isPositive();
            assertThat(wire.windows.count(StreamWindowCounter.BYTES)).isEqualTo(position[0]);
        }
    }
}
