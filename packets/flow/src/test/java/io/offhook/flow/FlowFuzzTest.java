package io.offhook.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.flow.tcp.TcpCounter;
import io.offhook.flow.tcp.TcpLimits;
import io.offhook.flow.tcp.TcpSegment;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler;
import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.flow.tcp.TcpStreams;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Whatever comes from the network: nothing is thrown, nothing is read or told out of bounds, limits hold. */
class FlowFuzzTest {
    private static final int MAX_PACKETS = 400;

    /** Where bytes come from: a fuzzer, or a seed. */
    private interface Source {
        int next(int low, int high);

        byte[] bytes(int length);

        boolean isEmpty();
    }

    @FuzzTest
    void fragmentsOfAnyKind(FuzzedDataProvider data) {
        addFragments(fuzzed(data));
    }

    @FuzzTest
    void segmentsOfAnyKind(FuzzedDataProvider data) {
        addSegments(fuzzed(data));
    }

    @RepeatedTest(15)
    void fragmentsOfRandomKind(RepetitionInfo repetition) {
        addFragments(seeded(repetition.getCurrentRepetition()));
    }

    @RepeatedTest(15)
    void segmentsOfRandomKind(RepetitionInfo repetition) {
        addSegments(seeded(repetition.getCurrentRepetition()));
    }

    private static void addFragments(Source source) {
        FragmentLimits limits = new FragmentLimits(4, 1 << 17, 20, 1000);
        try (Arena arena = Arena.ofConfined();
                FragmentTable table = new FragmentTable(limits)) {
            long now = 0;
            for (int i = 0; i < MAX_PACKETS && !source.isEmpty(); i++) {
                byte[] bytes = source.bytes(source.next(0, 200));
                boolean isIpv4 = source.next(0, 1) == 0;
                if (bytes.length > 48 && source.next(0, 3) > 0) {
                    makeFragment(bytes, isIpv4, source);
                }
                // exactly as long as it may be read
                MemorySegment packet = arena.allocate(Math.max(1, bytes.length));
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, packet, 0, bytes.length);
                now += source.next(-500, 1000);
                if (table.add(packet, 0, bytes.length, now, i, source.next(0, 1)) == FragmentTable.Result.COMPLETE) {
                    assertThat(table.datagramOffset()).isNotNegative();
                    assertThat(table.datagramOffset() + table.datagramLength())
                            .isLessThanOrEqualTo(table.datagram().byteSize());
                    assertThat(table.datagramLength()).isGreaterThanOrEqualTo(20);
                    assertThat(table.isShort() || table.datagramLength() == lengthOf(table))
                            .isTrue();
                }
                assertThat(table.size()).isLessThanOrEqualTo(4);
                assertThat(table.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            }
            table.flush();
            assertThat(table.size()).isZero();
        }
    }

    private static int lengthOf(FragmentTable table) {
        MemorySegment datagram = table.datagram();
        long at = table.datagramOffset();
        return NetworkOrder.u8(datagram, at) >>> 4 == 4
                ? NetworkOrder.u16(datagram, at + 2)
                : 40 + NetworkOrder.u16(datagram, at + 4);
    }

    /** Makes random bytes a fragment of one of a few datagrams, most of the time with fitting lengths. */
    private static void makeFragment(byte[] bytes, boolean isIpv4, Source source) {
        int flags = source.next(0, 12) << 3 | source.next(0, 1);
        int id = source.next(0, 2);
        int length = source.next(0, 5) == 0 ? source.next(0, 65_535) : (bytes.length - 48) / 8 * 8 + 48;
        for (int i = 8; i < 40; i++) {
            bytes[i] = 0;
        }
        if (isIpv4) {
            bytes[0] = (byte) (0x45 + source.next(0, 2));
            put16(bytes, 2, length);
            put16(bytes, 4, id);
            put16(bytes, 6, flags >>> 3 | flags << 13);
        } else {
            bytes[0] = 0x60;
            put16(bytes, 4, length - 40);
            bytes[6] = 44;
            bytes[40] = 17;
            put16(bytes, 42, flags);
            put16(bytes, 44, 0);
            put16(bytes, 46, id);
        }
    }

    private static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    private static void addSegments(Source source) {
        TcpLimits limits = new TcpLimits(4, 1 << 16, 1 << 17, 8, 3, 2000, 20_000);
        Checking handler = new Checking(source);
        try (Arena arena = Arena.ofConfined();
                TcpStreams streams = new TcpStreams(limits, handler)) {
            long now = 0;
            int[] near = {0, 0, 0, 0};
            for (int i = 0; i < MAX_PACKETS && !source.isEmpty(); i++) {
                int length = source.next(0, 3) == 0 ? 0 : source.next(0, 5000);
                MemorySegment packet = arena.allocate(20 + length);
                int ends = source.next(0, 3);
                int sequence = source.next(0, 15) == 0
                        ? source.next(Integer.MIN_VALUE, Integer.MAX_VALUE)
                        : near[ends] + source.next(-6000, 6000);
                near[ends] = source.next(0, 1) == 0 ? sequence : near[ends];
                NetworkOrder.putU32(packet, 4, sequence & 0xffff_ffffL);
                NetworkOrder.putU32(packet, 8, near[ends ^ 1] & 0xffff_ffffL);
                NetworkOrder.putU8(packet, 13, source.next(0, 3) == 0 ? source.next(0, 0x1f) : 0x10);
                now += source.next(-1000, 3000);
                boolean up = (ends & 1) == 0;
                TcpSegment segment = new TcpSegment();
                segment.source(0, up ? 1 : 2, 10 + ends / 2);
                segment.destination(0, up ? 2 : 1, 10 + ends / 2);
                segment.captured(now, i, source.next(0, 7) / 7);
                segment.bytes(
                        packet,
                        0,
                        20,
                        length,
                        length + (source.next(0, 9) == 0 ? source.next(0, Integer.MAX_VALUE - 5000) : 0));
                streams.segment(segment);
                assertThat(streams.size()).isLessThanOrEqualTo(4);
                assertThat(streams.reservedBytes()).isLessThanOrEqualTo(1 << 17);
            }
            streams.flush();
            assertThat(streams.size()).isZero();
            assertThat(streams.count(TcpCounter.BYTES)).isEqualTo(handler.bytes);
            assertThat(streams.count(TcpCounter.STREAMS)).isEqualTo(handler.heard);
            assertThat(handler.ended + handler.ignored).isEqualTo(handler.heard);
        }
    }

    /** Reads every byte that it is told of, and holds the calls for each stream against the rules. */
    private static final class Checking implements TcpStreamHandler {
        private static final String LIVE = "live";
        private final Source source;
        private long bytes;
        private long ended;
        private long ignored;
        private long heard;

        Checking(Source source) {
            this.source = source;
        }

        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            read(segment, payloadOffset, payloadLength);
            return switch (source.next(0, 2)) {
                case 0 -> Pickup.IGNORE;
                case 1 -> Pickup.NOW;
                default -> Pickup.WAIT;
            };
        }

        @Override
        public void data(TcpStream stream, MemorySegment segment, long offset, int length, long ns, long frame) {
            hear(stream);
            read(segment, offset, length);
            bytes += length;
            assertThat(length).isPositive();
            mayIgnore(stream);
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long ns, long frame) {
            hear(stream);
            assertThat(missingBytes).isBetween(1L, 1L << 31);
            mayIgnore(stream);
        }

        @Override
        public void end(TcpStream stream, End reason) {
            hear(stream);
            stream.attachment(reason);
            ended++;
        }

        private void hear(TcpStream stream) {
            assertThat(stream.isIgnored()).isFalse();
            assertThat(stream.attachment()).isIn(null, LIVE);
            if (stream.attachment() == null) {
                heard++;
                stream.attachment(LIVE);
            }
            TcpStream reverse = stream.reverse();
            if (reverse != null) {
                assertThat(reverse.source()).isEqualTo(stream.destination());
                assertThat(reverse.destination()).isEqualTo(stream.source());
            }
        }

        private void mayIgnore(TcpStream stream) {
            if (source.next(0, 40) == 0) {
                stream.ignore();
                ignored++;
            }
        }

        private static void read(MemorySegment segment, long offset, int length) {
            assertThat(MemorySegment.mismatch(segment, offset, offset + length, segment, offset, offset + length))
                    .isEqualTo(-1);
        }
    }

    private static Source fuzzed(FuzzedDataProvider data) {
        return new Source() {
            @Override
            public int next(int low, int high) {
                return data.consumeInt(low, high);
            }

            @Override
            public byte[] bytes(int length) {
                return data.consumeBytes(length);
            }

            @Override
            public boolean isEmpty() {
                return data.remainingBytes() == 0;
            }
        };
    }

    private static Source seeded(long seed) {
        Random random = new Random(seed);
        return new Source() {
            @Override
            public int next(int low, int high) {
                return (int) (low + Math.floorMod(random.nextLong(), high - (long) low + 1));
            }

            @Override
            public byte[] bytes(int length) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                return bytes;
            }

            @Override
            public boolean isEmpty() {
                return false;
            }
        };
    }
}
